// Package report writes one self-contained page about a study: the pick and how sure it is, what mattered, the path of
// questions, how consistent the raters were, and a methods text to paste.
//
//	err := report.Write(ctx, file, study, report.Options{Title: "Espresso"})
//
// The page needs no other file and no script. It follows the reader's light or dark scheme, fits a phone and prints.
// Charts are SVG, with the numbers in their labels for those who cannot see them. Everything that people
// wrote, names and texts, is escaped.
//
// # Contents
//
//	write                 the whole page, and the choices of its reader
//	pick · optionview     what the study found; an option as the page shows it
//	importance · slice    what each parameter is worth; the utility along it, through the pick
//	ranking · group       the best items of a list; what raters have in common
//	path · raters         every answer, and how sure the study was after it; how consistent each rater was
//	methods · conduct     the text for a paper; in it, what was done with people, and from what it was made
//	number                numbers as people read them
package report
