// Package report writes one self-contained page about a study: the pick and how sure it is, what mattered, the path of
// questions, how consistent the raters were, and a methods text to paste.
//
//	err := report.Write(ctx, file, study, report.Options{Title: "Espresso"})
//
// The page is the sibling of what a browser shows of the study: same colours, fonts, charts and words. It needs no other file and no script. It follows the reader's light or dark scheme, fits a phone and prints.
// Charts are SVG, with the numbers in their labels for those who cannot see them. Everything that people
// wrote, names and texts, is escaped.
//
// # Contents
//
//	write                 the whole page, and the choices of its reader
//	pick · optionview     what the study found; an option as the page shows it
//	picture               its picture, which is in the page once
//	learned               what each parameter is worth, and its values; how a list stands
//	group                 what raters have in common
//	path · raters         every answer, and how sure the study was after it; how consistent each rater was
//	methods · conduct     the text for a paper; in it, what was done with people, and from what it was made
//	number                numbers and words as people read them
package report
