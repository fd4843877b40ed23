// Package figure draws the figures of the paper as SVG, from data that can be looked at first.
//
//   - [Curves] is Fig. 2 and 3: optimality gaps of methods on problems, from a benchmark's results.
//   - [Example] is Fig. 1: the knowledge gradient in one dimension, computed by [NewExample].
//   - [CaseStudy] is Fig. 4: the questions of two methods on a landscape, asked by [NewCaseStudy].
//
// Each has a Draw method that returns a document, drawn by package chart. The same data give the same bytes.
package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/outfile"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/xslices"
)

const pageWidth = 504 // the width of the text of the paper, 7 inches, in points

// document is a drawing as a file that says who made it.
func document(d *chart.Drawing) []byte {
	return []byte(outfile.Comment + "\n" + string(d.HTML()) + "\n")
}

// Styles of everything that is not data. Sizes are in points, at the size the figure is printed.
const (
	titleText = "fill:#222;font-size:8.5px;font-weight:bold"
	labelText = "fill:#222;font-size:8px"
	tickText  = "fill:#222;font-size:7px"
	greyText  = "fill:#7a7a7a;font-size:6.5px"
	hairline  = "fill:none;stroke:#222;stroke-width:.5"
)

// Distances of axes, in points.
const (
	tickOut   = 3.0
	tickGap   = 2.0  // between a tick and its text
	xLabelGap = 19.0 // from the box to the baseline of the label
	yLabelGap = 27.0
	titleGap  = 6.0
	halfTick  = 2.4 // half the height of a digit
)

// axes is a box on a drawing with a scale along each side.
type axes struct {
	*chart.Drawing
	x, y chart.Scale // From and To are the sides of the box: left and right, bottom and top

	title, note    string // above the box, left and right
	xLabel, yLabel string
	bareY          bool // ticks without text: the neighbour has it
}

// box returns axes whose box has its upper left corner at a point.
func box(d *chart.Drawing, left, top, width, height float64, x, y chart.Scale) axes {
	x.From, x.To, y.From, y.To = left, left+width, top+height, top
	return axes{Drawing: d, x: x, y: y}
}

// at returns the place of a point of the data.
func (a axes) at(x, y float64) [2]float64 { return [2]float64{a.x.At(x), a.y.At(y)} }

// path returns the places of a line of the data.
func (a axes) path(x, y []float64) [][2]float64 {
	return xslices.Times(len(x), func(i int) [2]float64 { return a.at(x[i], y[i]) })
}

// band fills between two lines over the same x.
func (a axes) band(x, lower, upper []float64, style string) {
	back := a.path(x, lower)
	slices.Reverse(back)
	a.Path(style, true, append(a.path(x, upper), back...))
}

// clipped draws the part of something that is inside the box.
func (a axes) clipped(draw func()) {
	a.Clipped(a.x.From, a.y.To, a.x.To-a.x.From, a.y.From-a.y.To, draw)
}

// frame draws the left and lower side, ticks, labels and title; open leaves out the other two sides.
func (a axes) frame(open bool) {
	left, right, bottom, top := a.x.From, a.x.To, a.y.From, a.y.To
	for _, t := range ticks(a.x, 36) {
		a.Line(hairline, t.at, bottom, t.at, bottom+tickOut)
		a.Formula(tickText, "middle", t.at, bottom+tickOut+tickGap+2*halfTick, t.text)
	}
	for _, t := range ticks(a.y, map[bool]float64{true: 20, false: 36}[a.y.Log]) {
		a.Line(hairline, left-tickOut, t.at, left, t.at)
		if !a.bareY {
			a.Formula(tickText, "end", left-tickOut-tickGap, t.at+halfTick, t.text)
		}
	}
	sides := [][2]float64{{left, top}, {left, bottom}, {right, bottom}}
	if !open {
		sides = append(sides, [2]float64{right, top})
	}
	a.Path(hairline, !open, sides)
	a.Formula(labelText, "middle", (left+right)/2, bottom+xLabelGap, a.xLabel)
	a.Upright(labelText, "middle", left-yLabelGap, (bottom+top)/2, a.yLabel)
	a.Formula(titleText, "start", left, top-titleGap, a.title)
	a.Formula(tickText, "end", right, top-titleGap, a.note)
}

// clip returns the values of the scale nearest to those given.
func clip(s chart.Scale, values []float64) []float64 {
	return xslices.Map(values, func(v float64) float64 { return min(max(v, s.Low), s.High) })
}

// tick is a mark at a place on a scale.
type tick struct {
	at   float64
	text string
}

// ticks returns the marks of a scale in increasing order, about so far apart. A scale of many powers of ten has every second or third of them.
func ticks(s chart.Scale, apart float64) []tick {
	count := int(math.Abs(s.To-s.From) / apart)
	values, text := s.Ticks(count), chart.Tick
	power := func(v float64) float64 { return math.Round(math.Log10(v)) }
	if s.Log && !slices.ContainsFunc(values, func(v float64) bool { return math.Abs(math.Log10(v)-power(v)) > 1e-9 }) {
		every := float64(1 + (len(values)-1)/max(1, count))
		values = xslices.Filter(values, func(v float64) bool { return math.Mod(power(v), every) == 0 })
		text = func(v float64) string { return chart.Minus(fmt.Sprintf("10^{%.0f}", power(v))) }
	}
	return xslices.Map(values, func(v float64) tick { return tick{s.At(v), text(v)} })
}
