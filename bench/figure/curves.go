package figure

import (
	"errors"
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
	panelHeight  = 104
	roomLeft     = 38 // of the first column, with a label
	roomBetween  = 30 // of the others
	roomRight    = 6
	roomTop      = 17 // of every row, for the title
	roomBottom   = 17 // of every row, for the numbers
	roomLabel    = 10 // of the last row, for the label
	roomHeadline = 16
	roomNote     = 11
	roomLegend   = 6
	singleWidth  = 3.4 * vg.Inch // a figure of one column
)

// lowNote explains marks on a lower edge.
const lowNote = "Values below a panel, zero and less among them, are drawn on its lower edge."

// Draw lays the figure out.
func (c Curves) Draw() (*Figure, error) {
	if len(c.Panels) == 0 {
		return nil, errors.New("figure: Curves has no panels")
	}
	var shown []Curve // one of each name
	low, started, banded := false, false, false
	scales := make([][2]scale, len(c.Panels))
	for i, p := range c.Panels {
		if err := p.validate(); err != nil {
			return nil, err
		}
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
	columns := c.Columns
	if columns <= 0 {
		columns = 3
	}
	columns = min(columns, len(c.Panels))
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
	return f, nil
}

// legend has the methods in the order in which they first appear, and the line of the initial design.
func (c Curves) legend(shown []Curve, looks map[string]look, banded, started bool) legend {
	var out legend
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

// finite reports whether v is a number that can be drawn.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
