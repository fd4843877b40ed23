// Package figure draws the figures of the paper as SVG and PNG, from data that can be looked at first.
//
//   - [Curves] is Fig. 2 and 3: optimality gaps of methods on problems, from a benchmark's results.
//   - [Example] is Fig. 1: the knowledge gradient in one dimension, computed by [NewExample].
//   - [CaseStudy] is Fig. 4: the questions of two methods on a landscape, asked by [NewCaseStudy].
//
// Each has a Draw method that returns a [Figure], whose methods SVG and PNG return documents. The same
// data give the same bytes.
//
// Axes, texts and marks are drawn on the canvases of gonum/plot, not by its plots. Panels that share a legend and
// line up to the point need to know where everything is, powers of ten and indices need raised and lowered parts, and
// its plots would bring 21 more packages, every face of its fonts and a writer of PDF into the program: 3.8 MB of 31.7.
//
// # Contents
//
//	figure     a drawing as SVG or PNG
//	curves     Fig. 2 and 3: a grid of panels with one legend
//	example    Fig. 1: its data, and its drawing
//	casestudy  Fig. 4: its data, and its drawing
//	axes       a box with ticks and labels; where a number lies, and which numbers to mark
//	mark       shapes, arrows, samples with names, surfaces in colours
//	text       words with raised, lowered and italic parts; the colours and dashes of methods and setups
package figure
