// Package bench runs the paper's experiments (§4) and others like them.
//
// A [Cell] is problem × noise × method × seed. A [Setup] is the modelling choices under test, a [Design] the initial pairs and the noise of the rater, which
// belong to problem and seed and never to the method: methods are compared on common random numbers. A [Sweep] runs cells through the public prefer.Study and
// appends one [Row] per answer to a file; what is in the file is not run again.
//
// The noise of answer k is σz_k, and z_k belongs to the seed as well, whatever σ is. A study sees answers alone, so two cells of one
// problem, method and seed at two levels of noise are the same run, bit for bit, until the first answer that the larger σ turns
// round; where differences are hundreds of σ, as on Branin at low noise, that may be never. Levels of noise are settings to compare
// methods in, not independent repetitions: intervals resample seeds, and a seed brings its runs at all levels.
//
// # Contents
//
//	cell       one run, grids of them, and problems and methods that are not in the catalogue
//	setup      modelling choices by name, and the study and the rater they make
//	design     initial pairs, inducing points and σ, drawn or read from a file
//	file       what one answer left behind, and files of rows, which only grow
//	run · cpu  a cell from its first pair to its last row; processor time of a thread
//	sweep      all cells with their progress; what the rest will cost
package bench
