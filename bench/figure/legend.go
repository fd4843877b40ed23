package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is a line of a legend: a sample, drawn in a box of the given rectangle, and its name.
type entry struct {
	name   string
	sample func(c draw.Canvas)
}

// legend is a list of entries, side by side in as many rows as they need.
type legend []entry

const (
	sampleWidth = 16.0
	sampleGap   = 4.0
	entryGap    = 14.0
	rowHeight   = 12.0
)

var legendText = label{size: labelSize, colour: ink}

func (e entry) width() vg.Length { return sampleWidth + sampleGap + legendText.width(e.name) }

// rows breaks the legend into lines no wider than width.
func (l legend) rows(width vg.Length) []legend {
	var out []legend
	var row legend
	var used vg.Length
	for _, e := range l {
		if w := e.width(); len(row) > 0 && used+entryGap+w > width {
			out, row, used = append(out, row), legend{e}, w
		} else {
			row, used = append(row, e), used+entryGap+w
		}
	}
	if len(row) > 0 {
		out = append(out, row)
	}
	return out
}

// sampleLine draws a line from side to side.
func sampleLine(c draw.Canvas, s draw.LineStyle) {
	c.StrokeLine2(s, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
}

// sampleBand fills the whole sample as a band is.
func sampleBand(c draw.Canvas, colour color.NRGBA) {
	c.SetColor(faded(colour, bandOpacity))
	c.Fill(c.Rectangle.Path())
}

// height returns the height of the legend in lines no wider than width.
func (l legend) height(width vg.Length) vg.Length { return vg.Length(len(l.rows(width))) * rowHeight }

// write draws the legend centred between left and right, downwards from top.
func (l legend) write(c draw.Canvas, left, right, top vg.Length) {
	for _, row := range l.rows(right - left) {
		total := vg.Length(len(row)-1) * entryGap
		for _, e := range row {
			total += e.width()
		}
		x, y := (left+right-total)/2, top-rowHeight/2
		for _, e := range row {
			e.sample(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y - rowHeight/3}, Max: vg.Point{X: x + sampleWidth, Y: y + rowHeight/3}}})
			legendText.middle(c, vg.Point{X: x + sampleWidth + sampleGap, Y: y}, e.name)
			x += e.width() + entryGap
		}
		top -= rowHeight
	}
}
