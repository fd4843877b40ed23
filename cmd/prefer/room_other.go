//go:build !(linux || darwin || freebsd || windows)

package main

// room is not known here.
func room(string) (free uint64, known bool, err error) { return 0, false, nil }
