// Package experiments holds the commands that simulate raters and measure methods: bench, simulate, reproduce and research. Each command is
// a struct of its flags with a method Run.
//
// # Contents
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
package experiments
