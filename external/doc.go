// Package external lets programs in any language be problems and methods of an experiment: lines of JSON over a pipe.
//
//	problem.go  a utility that a program computes
//	method.go   a program that chooses the questions
//	pool.go     as many copies of the program as there are cells at a time
//	process.go  one copy: lines to it, lines from it, each within a time (process_unix.go, process_other.go)
//
// A program says in its first line what it is, then answers every line it reads with one line, until its input ends. It
// must answer the same line in the same way whatever it was asked before, or a cell would not be a function of its
// coordinates: everything random follows from the seed in the line. docs/extend.md has the protocol with an example of each.
//
// A program that ends, takes too long, or says what is no answer is an error that names the line, of the one cell.
package external
