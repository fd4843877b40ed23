// Command prefer finds what a person likes best by asking "A or B?".
//
// # Contents
//
//	main · failure         the tree of commands, the version; errors and their kinds (exit codes: package cli)
//	environment            which flags a variable can set
//	help                   help and the manual page, with the texts in help/; what may follow on a command line
//	licenses               the licences of everything in it
//
// The commands are in packages of their own: internal/studies, internal/service and internal/experiments. What they share is package
// internal/cli, and internal/play is the terminal in which a study is answered.
package main
