package figure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curves is a grid of panels with one legend: Fig. 2 and 3 of the paper, the optimality gap of each
// method on a log scale against the number of questions, a panel for each problem.
//
// Texts may have ~{italic}, lowered_{1} and raised^{2} parts.
type Curves struct {
	XLabel, YLabel string
	Columns        int // defaults to 3, or to the number of panels if there are fewer
	Panels         []Panel
}

// Layout of Curves in points: the size of a panel without its axes, and the room around it.
const (
	panelHeight = 104
	roomLeft    = 38 // of the first column, with a label
	roomBetween = 30 // of the others
	roomRight   = 6
	roomTop     = 17 // of every row, for the title
	roomBottom  = 17 // of every row, for the numbers
	roomLabel   = 10 // of the last row, for the label
	roomNote    = 11
	roomLegend  = 6
	singleWidth = 3.4 * vg.Inch // a figure of one column
)

// lowNote explains marks on a lower edge.
const lowNote = "Values below a panel, zero and less among them, are drawn on its lower edge."

// Draw lays the panels out, of which there is at least one. All numbers are finite, as compare.Table has them.
func (c Curves) Draw() *Figure {
	var shown []Curve // one of each name
	low, started, banded := false, false, false
	scales := make([][2]scale, len(c.Panels))
	for i, p := range c.Panels {
		for _, v := range p.Curves {
			if !slices.ContainsFunc(shown, func(c Curve) bool { return c.name() == v.name() }) {
				shown = append(shown, v)
			}
			banded = banded || v.Lower != nil
		}
		var cut bool
		scales[i][0] = p.across()
		scales[i][1], cut = p.upwards()
		low, started = low || cut, started || p.Start != 0
	}
	columns := min(cmp.Or(c.Columns, 3), len(c.Panels))
	rows := (len(c.Panels) + columns - 1) / columns

	looks := newPalette(shown)
	key := c.legend(shown, looks, banded, started)
	f := &Figure{width: pageWidth}
	if columns == 1 {
		f.width = singleWidth
	}
	foot := key.height(f.width-2*roomRight) + roomLegend
	if low {
		foot += roomNote
	}
	f.height = vg.Length(rows)*(roomTop+panelHeight+roomBottom) + roomLabel + foot
	grid := draw.Tiles{
		Cols: columns, PadLeft: roomLeft, PadX: roomBetween, PadRight: roomRight,
		Rows: rows, PadTop: roomTop, PadY: roomBottom + roomTop, PadBottom: roomBottom + roomLabel + foot,
	}

	f.paint = func(dc draw.Canvas) {
		for i, p := range c.Panels {
			row, column := i/columns, i%columns
			a := axes{Canvas: grid.At(dc, column, row), x: scales[i][0], y: scales[i][1], title: p.Title}
			if column == 0 {
				a.yLabel = c.YLabel
			}
			if i+columns >= len(c.Panels) {
				a.xLabel = c.XLabel
			}
			p.draw(a, looks)
		}
		key.write(dc, roomRight, f.width-roomRight, foot)
		if low {
			label{size: noteSize, colour: grey, along: 0.5}.write(dc, vg.Point{X: f.width / 2, Y: 4}, lowNote)
		}
	}
	return f
}

// legend has the methods in the order in which they first appear, and the line of the initial design.
func (c Curves) legend(shown []Curve, looks map[string]look, banded, started bool) (out legend) {
	for _, v := range shown {
		out = append(out, entry{v.name(), func(dc draw.Canvas) {
			l := looks[v.name()]
			if banded {
				sampleBand(dc, l.colour)
			}
			sampleLine(dc, l.line())
		}})
	}
	if started {
		out = append(out, entry{"end of the initial design", func(dc draw.Canvas) {
			dc.StrokeLine2(startLine, dc.Max.X-2, dc.Min.Y, dc.Max.X-2, dc.Max.Y)
		}})
	}
	return out
}

// Curve is one method in one panel. The method has the same colour in every figure; setups, if there are several, are told apart by dashes.
type Curve struct {
	Method, Setup           string    // Setup may be empty
	X, Median, Lower, Upper []float64 // X, increasing, with Median at each. Lower and Upper are the edges of the band around it, or nil for none
}

// name returns "kg, default initial=4d".
func (c Curve) name() string {
	if c.Setup == "" {
		return c.Method
	}
	return c.Method + ", " + c.Setup
}

// Panel is one problem of a figure of Curves.
type Panel struct {
	Title  string
	Curves []Curve

	Start float64 // the x where the initial design ends, shown by a thin line; 0 for none
}

const (
	bandOpacity = 0.16
	curveWidth  = 1.2
	dotted      = 8 // curves of no more points show each of them
	dotRadius   = 1.5
	bandReach   = 30  // how far beyond all medians, as a factor, a band may stretch the scale
	headroom    = 1.4 // factor above and below what is drawn
)

var startLine = draw.LineStyle{Color: light, Width: 0.8}

func (l look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.colour, Width: curveWidth, Dashes: l.dashes}
}

// across returns the scale of x: all of the data, with the ends where the first and last point are.
func (p Panel) across() scale {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range p.Curves {
		for _, x := range c.X {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if p.Start != 0 {
		lo, hi = min(lo, p.Start), max(hi, p.Start)
	}
	switch {
	case lo > hi:
		return scale{lo: 0, hi: 1, whole: true}
	case lo == hi:
		return scale{lo: lo - 1, hi: hi + 1, whole: true}
	case lo > 0 && lo < 0.25*hi: // begin at no questions if that is near
		lo = 0
	}
	return scale{lo: lo, hi: hi, whole: true}
}

// upwards returns the log scale of y. It holds every positive median; bands stretch it no further than bandReach, for a quartile of 1e-15 says no more than
// one of 1e-6. low tells if something lies below, such as a gap that is not positive: it will be drawn on the lower edge.
func (p Panel) upwards() (s scale, low bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range p.Curves {
		for _, y := range c.Median {
			if y > 0 {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
	}
	if lo > hi { // nothing positive
		lo, hi = 0.1, 1
	}
	reach := scale{lo: lo / bandReach, hi: hi * bandReach}
	for _, c := range p.Curves {
		for i := range c.Lower {
			if y := c.Lower[i]; y > 0 {
				lo = min(lo, max(y, reach.lo))
			}
			if y := c.Upper[i]; y > 0 {
				hi = max(hi, min(y, reach.hi))
			}
		}
	}
	s = scale{lo: lo / headroom, hi: hi * headroom, log: true}
	if s.hi < 5*s.lo { // too little for two texts
		mid := math.Sqrt(s.lo * s.hi)
		s.lo, s.hi = mid/math.Sqrt(5), mid*math.Sqrt(5)
	}
	for _, c := range p.Curves {
		for i, y := range c.Median {
			low = low || y < s.lo || c.Lower != nil && c.Lower[i] < s.lo
		}
	}
	return s, low
}

// draw draws the bands, then the lines over them in the order given, then the axes.
func (p Panel) draw(a axes, looks map[string]look) {
	if p.Start != 0 {
		x := a.at(p.Start, a.y.lo).X
		a.StrokeLine2(startLine, x, a.Min.Y, x, a.Max.Y)
	}
	for _, c := range p.Curves {
		if c.Lower != nil {
			a.band(c.X, a.y.clip(c.Lower), a.y.clip(c.Upper), faded(looks[c.name()].colour, bandOpacity))
		}
	}
	for _, c := range p.Curves {
		l := looks[c.name()]
		line := a.path(c.X, a.y.clip(c.Median))
		a.StrokeLines(l.line(), line)
		if len(line) <= dotted {
			for _, at := range line {
				a.DrawGlyphNoClip(draw.GlyphStyle{Color: l.colour, Radius: dotRadius, Shape: draw.CircleGlyph{}}, at)
			}
		}
	}
	if len(p.Curves) == 0 {
		label{size: labelSize, colour: grey, along: 0.5}.middle(a.Canvas, vg.Point{X: a.Center().X, Y: a.Center().Y}, "no data")
	}
	a.frame(true)
}
