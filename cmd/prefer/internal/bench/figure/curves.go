package figure

import (
	"cmp"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/chart"
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
	singleWidth = 245 // a figure of one column
)

// lowNote explains marks on a lower edge.
const lowNote = "Values below a panel, zero and less among them, are drawn on its lower edge."

// Draw lays the panels out, of which there is at least one. All numbers are finite, as compare.Table has them.
func (c Curves) Draw() []byte {
	var shown []Curve // one of each name
	low, started, banded := false, false, false
	scales := make([][2]chart.Scale, len(c.Panels))
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
	width := float64(pageWidth)
	if columns == 1 {
		width = singleWidth
	}
	const high = roomTop + panelHeight + roomBottom
	foot := float64(rows)*high + roomLabel
	looks := newPalette(shown)
	keys := c.legend(shown, looks, banded, started)
	height := foot + float64(len(keys.rows(width-2*roomRight)))*rowHeight + roomLegend
	if low {
		height += roomNote
	}
	d := chart.NewPage(width, height, c.YLabel+" of methods")
	wide := (width - roomLeft - roomRight - float64(columns-1)*roomBetween) / float64(columns)
	for i, p := range c.Panels {
		row, column := i/columns, i%columns
		a := box(d, roomLeft+float64(column)*(wide+roomBetween), float64(row)*high+roomTop, wide, panelHeight, scales[i][0], scales[i][1])
		a.title = p.Title
		if column == 0 {
			a.yLabel = c.YLabel
		}
		if i+columns >= len(c.Panels) {
			a.xLabel = c.XLabel
		}
		p.draw(a, looks)
	}
	keys.write(d, roomRight, width-roomRight, foot)
	if low {
		d.Text(greyText, "middle", width/2, height-4, lowNote)
	}
	return document(d)
}

// legend has the methods in the order in which they first appear, and the line of the initial design.
func (c Curves) legend(shown []Curve, looks map[string]look, banded, started bool) (out legend) {
	for _, v := range shown {
		l := looks[v.name()]
		out = append(out, entry{v.name(), func(d *chart.Drawing, left, right, y float64) {
			if banded {
				sampleBand(d, left, right, y, l.colour)
			}
			d.Line(l.line(), left, y, right, y)
		}})
	}
	if started {
		out = append(out, entry{"end of the initial design", func(d *chart.Drawing, _, right, y float64) { d.Line(startLine, right-2, y-4, right-2, y+4) }})
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
	curveWidth = 1.2
	dotted     = 8 // curves of no more points show each of them
	dotRadius  = 1.5
	bandReach  = 30  // how far beyond all medians, as a factor, a band may stretch the scale
	headroom   = 1.4 // factor above and below what is drawn
)

const startLine = "stroke:#c8c8c8;stroke-width:.8"

func (l look) line() string {
	if l.dashes == "" {
		return line(l.colour, curveWidth)
	}
	return line(l.colour, curveWidth) + ";stroke-dasharray:" + l.dashes
}

// across returns the scale of x: all of the data, with the ends where the first and last point are.
func (p Panel) across() chart.Scale {
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
		return chart.Scale{Low: 0, High: 1, Whole: true}
	case lo == hi:
		return chart.Scale{Low: lo - 1, High: hi + 1, Whole: true}
	case lo > 0 && lo < 0.25*hi: // begin at no questions if that is near
		lo = 0
	}
	return chart.Scale{Low: lo, High: hi, Whole: true}
}

// upwards returns the log scale of y. It holds every positive median; bands stretch it no further than bandReach, for a quartile of 1e-15 says no more than
// one of 1e-6. low tells if something lies below, such as a gap that is not positive: it will be drawn on the lower edge.
func (p Panel) upwards() (s chart.Scale, low bool) {
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
	least, most := lo/bandReach, hi*bandReach
	for _, c := range p.Curves {
		for i := range c.Lower {
			if y := c.Lower[i]; y > 0 {
				lo = min(lo, max(y, least))
			}
			if y := c.Upper[i]; y > 0 {
				hi = max(hi, min(y, most))
			}
		}
	}
	s = chart.Scale{Low: lo / headroom, High: hi * headroom, Log: true}
	if s.High < 5*s.Low { // too little for two texts
		mid := math.Sqrt(s.Low * s.High)
		s.Low, s.High = mid/math.Sqrt(5), mid*math.Sqrt(5)
	}
	for _, c := range p.Curves {
		for i, y := range c.Median {
			low = low || y < s.Low || c.Lower != nil && c.Lower[i] < s.Low
		}
	}
	return s, low
}

// draw draws the bands, then the lines over them in the order given, then the axes.
func (p Panel) draw(a axes, looks map[string]look) {
	if p.Start != 0 {
		x := a.x.At(p.Start)
		a.Line(startLine, x, a.y.From, x, a.y.To)
	}
	for _, c := range p.Curves {
		if c.Lower != nil {
			a.band(c.X, clip(a.y, c.Lower), clip(a.y, c.Upper), band(looks[c.name()].colour))
		}
	}
	for _, c := range p.Curves {
		l := looks[c.name()]
		places := a.path(c.X, clip(a.y, c.Median))
		a.Path(l.line(), false, places)
		if len(places) <= dotted {
			for _, at := range places {
				a.Dot("fill:"+hex(l.colour), at[0], at[1], dotRadius, "")
			}
		}
	}
	if len(p.Curves) == 0 {
		a.Text(greyText, "middle", (a.x.From+a.x.To)/2, (a.y.From+a.y.To)/2, "no data")
	}
	a.frame(true)
}
