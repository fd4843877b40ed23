// Package cli is what the commands of prefer share: flags, streams, errors with their exit codes, and ways to open a study.
//
// # Contents
//
//	streams      results as values for programs and words for people, how far something is, and durations in words
//	failure      errors, their kinds and exit codes; files to write, never over a study; how long a command may take to end
//	study        flags that name a study, its store, the study opened live, and studies described in files and folders
//	parameter    parameters as --param has them
//	build        which build this is
package cli
