// Package sobol draws quasi-random points: Sobol sequences in up to 64 dimensions, plain or scrambled.
//
// The first 2ᵏ points of a Sobol sequence fill the unit cube more evenly than independent uniform ones, and averages over them converge at almost 1/n instead
// of 1/√n. [New] gives the plain sequence, the same as SciPy's qmc.Sobol(d, scramble=False), beginning with the origin. [Scrambled] randomises it by a random
// lower triangular matrix over GF(2) and a digital shift per coordinate: every point becomes uniform, so averages are unbiased, and different seeds give
// independent replicates, while each run stays as even as before. Prefer it: the origin and the centre of the plain sequence are corners and symmetries of many
// problems, and scrambled points avoid them.
//
// [Points] and [Normals] are the two usual calls. Everything is a function of (d, seed) alone, on every platform.
//
// These are not random numbers: consecutive points are strongly dependent, and a coordinate must not be reused as if it were fresh.
//
// # Contents
//
//	sequence    the sequence, how it is randomised, and the usual calls
//	directions  the numbers it is made of
package sobol
