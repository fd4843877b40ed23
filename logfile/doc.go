// Package logfile reads, writes, checks and merges the logs of studies as files: a header line, then one event per line in JSON.
//
// # Merging
//
// Several people answer copies of one study on machines of their own, and Merge makes one study of their logs. Every option, answer and time is kept as it is;
// only the numbers of events, questions and answers change. Nothing is asked again.
//
// A log consists of one raterLog for each rater, with what this rater was asked and answered, and of what the owner did to the study. Where two logs have the
// same rater, one of the two must be the beginning of the other. All steps together are ordered by time, but no step moves across a change by the owner, and
// those of a rater keep their order where a clock went back. So the logs of the raters of one study give back that study, to the byte, in any order of files.
package logfile
