// Command prefer finds what a person likes best by asking "A or B?".
//
// # Contents
//
//	main · failure         the tree of commands; errors and their kinds (exit codes: package cli)
//	environment            which flags a variable can set
//	help · completion      help and the manual page, with the texts in help/; what may follow on a command line
//	version · licenses     which build this is; the licences of everything in it
//
// The commands:
//
//	simulate               simulated people, here
//	simulatequeue          or by the workers of a queue
//	simulategroup          how many of them until the group's pick is right
//	bench                  experiments: their flags, programs of one's own, designs
//	benchrun · benchplan   run, and what that would cost
//	benchreport            compared
//	benchqueue             by workers, and how far they are
//	benchstatements        the rehearsal of what studies say
//	benchtastes            how good their picks are, by the choices that ask
//	benchjudges            how many calls of a judge it takes to the best of a list
//	benchrankings          what pairs a ranking should become
//	benchpeople            what several people get out of one study
//	benchrater             a rater for other programs to ask
//	research               models and acquisitions for programs in other languages
//	reproduce              the paper
//	reproduction           its figures
//	reproductionreport     and the page, with what the paper leaves open
package main
