// Package svg draws small charts for HTML pages.
//
//	d := svg.New("chart", 320, 150, "Confidence after each answer: 40 % after 3, 91 % after 17")
//	x := svg.NewScale(0, 17, 30, 310)
//	d.Line("axis", x.At(0), 130, x.At(17), 130)
//	page.Chart = d.HTML()
//
// Colours and line widths are classes of the page's style sheet, so that a drawing follows the reader's light or dark
// scheme. The label has the numbers for those who cannot see them.
//
// # Contents
//
//	drawing   lines, rectangles, dots, texts and paths
//	scale     where a number lies, and round numbers to mark
package svg
