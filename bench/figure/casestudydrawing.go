package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Layout of Fig. 4 in points, and the number of tints of its surfaces.
const (
	caseGap = 16
	tints   = 12
)

var (
	bestMark    = mark{fill: color.NRGBA{240, 228, 66, 255}, edge: ink, width: 0.7, radius: 4.6}
	optimumMark = mark{edge: ink, width: 1.1, radius: 2.8}
)

// Draw lays out Fig. 4: the utility with the initial questions, and the questions of each method on its
// last posterior mean. The row below, not in the paper, is the part around the optimum, where the methods
// differ.
func (c *CaseStudy) Draw() (*Figure, error) {
	columns := 1 + len(c.Runs)
	side := (pageWidth - roomLeft - roomRight - vg.Length(columns-1)*caseGap) / vg.Length(columns)
	top := vg.Length(roomTop)
	if c.Title != "" {
		top += roomHeadline
	}
	const foot = roomBottom + roomLabel + rowHeight + roomLegend
	f := &Figure{width: pageWidth, height: top + 2*side + roomBottom + caseGap/2 + foot}
	grid := draw.Tiles{
		Cols: columns, PadLeft: roomLeft, PadX: caseGap, PadRight: roomRight,
		Rows: len(parts), PadTop: top, PadY: roomBottom + caseGap/2, PadBottom: foot,
	}
	f.paint = func(dc draw.Canvas) {
		label{size: titleSize + 1, colour: ink, bold: true, along: 0.5}.write(dc, vg.Point{X: f.width / 2, Y: f.height - 11}, c.Title)
		for column := range columns {
			for row, part := range parts {
				a := axes{Canvas: grid.At(dc, column, row), x: c.window(0, part), y: c.window(1, part), bareY: column > 0}
				if column == 0 {
					a.yLabel = "~{x}_{2}"
				}
				if row == 1 {
					a.xLabel = "~{x}_{1}"
				}
				c.panel(a, column, row)
			}
		}
		c.legend().write(dc, roomLeft, f.width-roomRight, rowHeight+2)
	}
	return f, nil
}

// panel draws the utility in column 0, a run in the others; the first row has titles and shows where the
// second is.
func (c *CaseStudy) panel(a axes, column, row int) {
	best := c.Problem.Maximisers[0]
	if column == 0 {
		a.title, a.note = "Utility", fmt.Sprintf("%d initial questions", len(c.Initial))
		a.tinted(c.truth[row])
		a.pairs(c.Initial, grey, ink)
	} else {
		r := c.Runs[column-1]
		a.title, a.note = strings.ToUpper(r.Method), "gap "+gapText(r.Gap)
		if v, ok := paperGaps[r.Method]; ok {
			a.note += ", paper " + gapText(v)
		}
		a.tinted(r.mean[row])
		early, late := shades(methods[r.Method])
		a.pairs(r.Questions, early, late)
		bestMark.star(a.Canvas, a.at(r.Best[0], r.Best[1]))
	}
	optimumMark.cross(a.Canvas, a.at(best[0], best[1]))
	if row == 0 {
		x, y := c.window(0, parts[1]), c.window(1, parts[1])
		a.StrokeLines(draw.LineStyle{Color: ink, Width: hairline, Dashes: []vg.Length{2, 1.5}},
			a.path([]float64{x.lo, x.hi, x.hi, x.lo, x.lo}, []float64{y.lo, y.lo, y.hi, y.hi, y.lo}))
	} else {
		a.title, a.note = "", ""
	}
	a.frame(false)
}

// gapText writes a gap with four places as the paper does, and one too small for that in powers of ten.
func gapText(v float64) string {
	if v != 0 && math.Abs(v) < 1e-4 {
		return short(v)
	}
	return minus(fmt.Sprintf("%.4f", v))
}

// shades returns the colours of a method's first and last question.
func shades(c color.NRGBA) (early, late color.NRGBA) {
	return blend(c, paper, 0.55), blend(c, color.NRGBA{0, 0, 0, 255}, 0.45)
}

// tinted paints a surface in pale tints, each of which covers the same area: the utility falls off so
// steeply that even steps would show little but the edge.
func (a axes) tinted(s surface) {
	order := slices.Sorted(slices.Values(s.z))
	a.heat(func(u, v float64) color.NRGBA {
		rank, _ := slices.BinarySearch(order, s.at(u, v))
		return pale.at(float64(rank*tints/(len(order)+1)) / (tints - 1))
	})
}

// pairs draws questions, each as two dots and a thin line, from the first colour to the last.
func (a axes) pairs(list []Pair, first, last color.NRGBA) {
	for i, p := range list {
		col := blend(first, last, float64(i)/float64(max(1, len(list)-1)))
		x, y := a.at(p.First[0], p.First[1]), a.at(p.Second[0], p.Second[1])
		a.StrokeLines(draw.LineStyle{Color: faded(col, 0.5), Width: 0.6}, a.ClipLinesXY([]vg.Point{x, y})...)
		for _, at := range []vg.Point{x, y} {
			if a.Contains(at) {
				mark{fill: col, edge: paper, width: 0.3, radius: 1.9}.circle(a.Canvas, at)
			}
		}
	}
}

func (c *CaseStudy) legend() legend {
	pair := func(col color.NRGBA) func(draw.Canvas) {
		return func(dc draw.Canvas) {
			y := dc.Center().Y
			dc.StrokeLine2(draw.LineStyle{Color: col, Width: 0.6}, dc.Min.X+2, y, dc.Max.X-2, y)
			mark{fill: col, radius: 1.9}.circle(dc, vg.Point{X: dc.Min.X + 2, Y: y})
			mark{fill: col, radius: 1.9}.circle(dc, vg.Point{X: dc.Max.X - 2, Y: y})
		}
	}
	return legend{
		{"early question", pair(blend(ink, paper, 0.6))},
		{"late question", pair(ink)},
		{"best found: highest posterior mean", func(dc draw.Canvas) { bestMark.star(dc, dc.Center()) }},
		{"true optimum", func(dc draw.Canvas) { optimumMark.cross(dc, dc.Center()) }},
	}
}
