// Package cli is what the commands of prefer share: flags, streams, errors with their exit codes, and ways to open a study.
//
// # Contents
//
//	streams      results as values for programs and words for people
//	failure      errors, their kinds and exit codes
//	study        flags that name a study, its store, and the study opened live
//	source       studies described in files and folders
//	parameter    parameters as --param has them
//	outfile      files to write, never over a study
//	progress     how far something is, and durations in words
//	build        which build this is
//	shutdown     how long a command may take to end
package cli
