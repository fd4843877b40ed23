package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// axes is a box on a canvas with a scale along each side.
type axes struct {
	draw.Canvas // its rectangle is the box
	x, y        scale

	title, note    string // above the box, left and right
	xLabel, yLabel string
	bareY          bool // ticks without text: the neighbour has it
}

// Lines and distances of axes, in points.
const (
	hairline  = 0.5
	tickOut   = 3.0
	minorOut  = 1.7
	tickGap   = 2.0 // between a tick and its text
	xLabelGap = 19  // from the box to the baseline of the label
	yLabelGap = 27
	titleGap  = 6.0
)

// at returns the place of a point of the data.
func (a axes) at(x, y float64) vg.Point {
	return vg.Point{X: a.Canvas.X(a.x.unit(x)), Y: a.Canvas.Y(a.y.unit(y))}
}

// path returns the places of a line of the data.
func (a axes) path(x, y []float64) []vg.Point {
	p := make([]vg.Point, len(x))
	for i := range x {
		p[i] = a.at(x[i], y[i])
	}
	return p
}

// band fills between two lines over the same x.
func (a axes) band(x, lower, upper []float64, fill color.Color) {
	p := a.path(x, upper)
	for i := len(x) - 1; i >= 0; i-- {
		p = append(p, a.at(x[i], lower[i]))
	}
	a.FillPolygon(fill, p)
}

// frame draws the left and lower side, ticks, labels and title; open leaves out the other two sides.
func (a axes) frame(open bool) {
	line := draw.LineStyle{Color: ink, Width: hairline}
	faint := draw.LineStyle{Color: light, Width: hairline}
	lo, hi := a.Min, a.Max
	text := label{size: tickSize, colour: ink, along: 0.5}
	for _, t := range a.x.ticks(int((hi.X - lo.X) / 36)) {
		x, style, out := a.at(t.at, a.y.lo).X, line, vg.Length(tickOut)
		if t.text == "" {
			style, out = faint, minorOut
		}
		a.StrokeLine2(style, x, lo.Y-out, x, lo.Y)
		text.write(a.Canvas, vg.Point{X: x, Y: lo.Y - tickOut - tickGap - capital*tickSize}, t.text)
	}
	text.along = 1
	apart := vg.Length(36)
	if a.y.log {
		apart = 20
	}
	for _, t := range a.y.ticks(int((hi.Y - lo.Y) / apart)) {
		y, style, out := a.at(a.x.lo, t.at).Y, line, vg.Length(tickOut)
		if t.text == "" {
			style, out = faint, minorOut
		}
		a.StrokeLine2(style, lo.X-out, y, lo.X, y)
		if !a.bareY {
			text.middle(a.Canvas, vg.Point{X: lo.X - tickOut - tickGap, Y: y}, t.text)
		}
	}
	if open {
		a.StrokeLines(line, []vg.Point{{X: lo.X, Y: hi.Y}, lo, {X: hi.X, Y: lo.Y}})
	} else {
		a.StrokeLines(line, []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}, lo})
	}
	name := label{size: labelSize, colour: ink, along: 0.5}
	name.write(a.Canvas, vg.Point{X: (lo.X + hi.X) / 2, Y: lo.Y - xLabelGap}, a.xLabel)
	name.upright = true
	name.write(a.Canvas, vg.Point{X: lo.X - yLabelGap, Y: (lo.Y + hi.Y) / 2}, a.yLabel)
	label{size: titleSize, colour: ink, bold: true}.write(a.Canvas, vg.Point{X: lo.X, Y: hi.Y + titleGap}, a.title)
	label{size: tickSize, colour: ink, along: 1}.write(a.Canvas, vg.Point{X: hi.X, Y: hi.Y + titleGap}, a.note)
}
