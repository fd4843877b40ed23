// Package report writes one self-contained page about a study: the pick and how sure it is, what mattered, the path of
// questions, how consistent the raters were, and a methods text to paste.
//
//	err := report.Write(ctx, file, study, report.Options{Title: "Espresso"})
//
// The page needs no other file and no script. It follows the reader's light or dark scheme, fits a phone and prints.
// Charts are SVG drawn here, with the numbers in their labels for those who cannot see them. Everything that people
// wrote, names and texts, is escaped.
package report
