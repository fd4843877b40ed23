//go:build !amd64 || noasm

package linalg

func detect() []Path { return []Path{Generic} }
