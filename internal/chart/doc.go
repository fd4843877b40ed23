// Package chart draws the pictures of data that pages, reports and figures show: server-side SVG and small tables, the same in all.
//
//	drawing := chart.Slice{Parameter: p, Points: points, Best: best, Label: "How much sugar is liked: best at 2"}.HTML()
//
// Colours and line widths are classes of Style, whose variables every page has, so that a drawing follows the reader's light, dark or
// forced colours. A drawing has no words of its own, only numbers. Its caller gives names and the label, which has the numbers for
// those who cannot see them. What it says under the pointer is in it, and needs no script.
//
// # Contents
//
//	drawing  lines, rectangles, dots, texts and paths, formulas and images; colours, fonts and the sheet of all charts
//	scale    where a number lies, which to mark, how people read it
//	slice    how a parameter's values stand to the pick    utility    the same over two parameters
//	bars     what each parameter is worth; shares, ranges of places, and how far each two of a group agree
package chart
