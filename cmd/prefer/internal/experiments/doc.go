// Package experiments holds the commands that simulate raters and measure methods: bench, simulate, reproduce and research. Each command is
// a struct of its flags with a method Run.
//
// # Contents
//
//	simulate            simulated people, alone, in groups, or by the workers of a queue
//	bench · benchrun    experiments: flags, programs of one's own, designs; run here or by workers, and what that would cost
//	benchreport         compared
//	benchstudies        plans of tastes, people, statements and judges
//	benchgrowth         what a study takes as it grows, in process and on a server
//	benchrater          a rater, or the model, for programs in other languages
//	reproduce           the paper: its figures and the page
package experiments
