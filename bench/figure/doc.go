// Package figure draws the figures of the paper as SVG and PNG, from data that can be looked at first.
//
//   - [Curves] is Fig. 2 and 3: optimality gaps of methods on problems, from a benchmark's results.
//   - [Example] is Fig. 1: the knowledge gradient in one dimension, computed by [NewExample].
//   - [CaseStudy] is Fig. 4: the questions of two methods on a landscape, asked by [NewCaseStudy].
//
// Each has a Draw method that returns a [Figure], whose methods SVG and PNG return documents. The same
// data give the same bytes.
//
// Axes, texts and marks are drawn on the canvases of gonum/plot, not by its plots: panels that share a
// legend and line up to the point need to know where everything is.
package figure
