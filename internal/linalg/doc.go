// Package linalg holds the dense kernels under the Gaussian process: products, Cholesky factors, triangular solves,
// exponentials, normal probabilities and kernel-matrix helpers on flat row-major []float64.
//
// # Contents
//
//	gemm · syrk                       products
//	cholesky · triangular             factors, solves and inverses
//	level1 · level2                   vectors, and a matrix with a vector
//	distance · matern · exp           kernel matrices, exponentials and normal probabilities
//	tile · pack · shape               the register tile, its panels and their memory, checks of sizes
//	path · detect                     which implementation runs
//
// # Conventions
//
// An m×n matrix is a slice and a leading dimension ld ≥ n: element (i, j) is a[i*ld+j], and only the elements inside the matrix are read or written, whatever
// lies between n and ld. A triangular routine never touches the other triangle. As in BLAS, β = 0 overwrites the destination (a NaN there is gone) and α = 0
// does not look at the factors; otherwise NaN and Inf in the input reach the output. Input and output must not overlap, unless a routine says so. Wrong
// lengths panic with a constant string that starts with "linalg:".
//
// # Paths
//
// Three implementations, called paths, share all of the blocking: assembly for AVX-512 and for AVX2, and plain Go. One is chosen at start-up from what the
// processor offers. The environment variable PREFER_KERNELS (generic, avx2 or avx512) and the function [Force] choose another; the build tag noasm leaves
// plain Go only. Every kernel runs on the calling goroutine and sums in an order fixed by the sizes alone: one machine, one path and one input give one
// result, bit for bit, whatever GOMAXPROCS is, also under concurrent calls. Paths differ among each other by rounding.
//
// # Shape of the kernels
//
// All cubic work runs in one register tile: v rows by 3v columns, with v the number of float64 in a vector register (8 for AVX-512: 24 of the 32 registers
// hold sums; 4 for AVX2: 12 of 16). The right factor is packed in panels of 3v columns, except for products of few rows, which read it in place; the left
// factor is read in place through two strides, so that a transposed, a reversed or a packed left factor is the same kernel. A triangular solve is that tile
// with a v×v substitution at its end, while the sums are still in registers, and Cholesky's method is the solve with a v×v factorisation on the diagonal.
//
// The assembly is written by the generator in the directory gen, a module of its own.
package linalg

//go:generate go run -C gen . -dir ..
