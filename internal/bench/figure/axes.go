package figure

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

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

// scale maps an interval of numbers to [0, 1].
type scale struct {
	lo, hi float64
	log    bool
	whole  bool // counts: no ticks between whole numbers
}

// unit returns where v lies, 0 at lo and 1 at hi.
func (s scale) unit(v float64) float64 {
	if s.log {
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// clip returns the values of the scale nearest to those given.
func (s scale) clip(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = min(max(v, s.lo), s.hi)
	}
	return out
}

// along returns the i-th of n evenly spaced values, the ends included exactly.
func (s scale) along(i, n int) float64 {
	t := float64(i) / float64(n-1)
	return (1-t)*s.lo + t*s.hi
}

// tick is a mark on a scale; a minor one has no text.
type tick struct {
	at   float64
	text string
}

// ticks returns the marks of the scale in increasing order, about count of them with a text.
func (s scale) ticks(count int) []tick {
	if s.log {
		return s.decades(count)
	}
	return s.steps(count)
}

// steps marks multiples of 1, 2 or 5 times a power of ten.
func (s scale) steps(count int) []tick {
	width := (s.hi - s.lo) / float64(count)
	step := math.Pow(10, math.Floor(math.Log10(width)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*step >= width*(1-1e-9) {
			step *= m
			break
		}
	}
	if s.whole {
		step = max(step, 1)
	}
	places := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var out []tick
	for i := math.Ceil(s.lo/step - 1e-9); i*step <= s.hi+1e-9*step; i++ {
		out = append(out, tick{i * step, minus(strconv.FormatFloat(i*step+0, 'f', places, 64))}) // +0: no "−0"
	}
	return out
}

// decades marks powers of ten with a text, every second or third where they would crowd, and the rest
// without: their multiples, or the powers in between. A scale of less than two powers of ten has texts
// at 1, 2 and 5 instead, or it would say nothing.
func (s scale) decades(count int) []tick {
	first, last := int(math.Ceil(math.Log10(s.lo)-1e-9)), int(math.Floor(math.Log10(s.hi)+1e-9))
	every := 1 + (last-first)/max(1, count)
	var out []tick
	for e := first - 1; e <= last; e++ {
		power := math.Pow(10, float64(e))
		for m := 1.0; m < 10; m++ {
			t := tick{at: m * power}
			switch {
			case t.at < s.lo*(1-1e-9) || t.at > s.hi*(1+1e-9), m > 1 && every > 1:
				continue
			case last > first && m == 1 && mod(e, every) == 0:
				t.text = minus(fmt.Sprintf("10^{%d}", e))
			case last <= first && (m == 1 || m == 2 || m == 5):
				t.text = short(t.at)
			}
			out = append(out, t)
		}
	}
	return out
}

// short writes a number of one digit: plain near 1, in powers of ten elsewhere.
func short(v float64) string {
	one := strconv.FormatFloat(v, 'e', 0, 64)
	if v >= 1e-3 && v < 1e4 {
		rounded, _ := strconv.ParseFloat(one, 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	m, e, _ := strings.Cut(one, "e")
	n, _ := strconv.Atoi(e)
	return minus(fmt.Sprintf("%s·10^{%d}", m, n))
}

func mod(a, b int) int { return ((a % b) + b) % b }

// minus replaces hyphens by the sign.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }
