// Package report writes one self-contained page about a study: the pick and how sure it is, what mattered, the path of
// questions, how consistent the raters were, and a methods text to paste.
//
//	err := report.Write(ctx, file, study, report.Options{Title: "Espresso"})
//
// The report reads like the study's result page (internal/view): same colours, fonts, charts and words. It needs no other file and no script. It follows the
// reader's light or dark scheme, fits a phone and prints. Charts are SVG, with the numbers in their labels for those who cannot see them. Everything that people
// wrote, names and texts, is escaped.
//
// # Contents
//
//	write      the whole page, and the choices of its reader
//	findings   the pick, what each parameter is worth, how a list stands, what raters have in common
//	answers    every answer, how sure the study was after it, how consistent each rater was
//	option     an option as the page shows it, its picture, numbers
//	methods    the text for a paper, in the words of methods.tmpl: what was searched and asked, the model, the ending
package report
