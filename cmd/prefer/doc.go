// Command prefer finds what a person likes best by asking "A or B?".
//
// # Contents
//
//	main · failure           the tree of commands and how one is run; errors: what is said, the kind for programs, the exit code
//	help · man · completion  help, the manual page, what may follow on a command line
//	study                    which study is meant, its store, and the room it is open in
//	json · card              values for programs, options for people
//	parameter · settings     --param, and options written as name=value
//	duration · progress      times as people say them; how far something is
//
// The commands, each in the file of its name:
//
//	demo                                           a study to try, by internal/demo and package play
//	init · list · forget                           studies
//	play · ask · tell · undo                       questions and answers, in the room of package live
//	best · verdict · history · raters · report     results
//	export · import · importformat                 data; formats told apart
//	serve · servesource · servegreet               service: what is served, and where
//	worker                                         work for a queue
//	simulate · simulatequeue                       simulated people, here or by the workers of a queue
//	bench · benchrun · benchplan · benchstatus     experiments
//	benchreport · benchdesign
//	benchqueue · benchcommand                      experiments by workers, and with programs of one's own
//	reproduce · reproduction · reproductionreport  the paper
//	gapcurves · paperchoices                       its figures, and what it leaves open
//	doctor · doctormachine · doctorstore           what is wrong, and what to do
//	doctorqueue · disk
//	version                                        which build this is
package main
