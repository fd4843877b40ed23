// Package bench runs the paper's experiments (§4) and others like them.
//
// A [Cell] is problem × noise × method × seed. A [Setup] is the modelling choices under test, a [Design]
// the initial pairs and the noise of the rater, which belong to problem and seed and never to the
// method: methods are compared on common random numbers. A [Sweep] runs cells through the public
// prefer.Study and appends one [Row] per answer to a file; what is in the file is not run again.
package bench
