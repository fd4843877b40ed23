//go:build amd64 && !noasm

package linalg

import "golang.org/x/sys/cpu"

// detect lists the paths of this processor. x/sys/cpu also asks whether the operating system saves the registers.
func detect() []Path {
	paths := []Path{Generic}
	if !cpu.X86.HasFMA || !cpu.X86.HasAVX2 {
		return paths
	}
	paths = append(paths, AVX2)
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW {
		paths = append(paths, AVX512)
	}
	return paths
}
