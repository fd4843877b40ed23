package figure

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mark is a shape around a point.
type mark struct {
	fill   color.Color // nil: none
	edge   color.Color // nil: none
	width  vg.Length   // of the edge
	radius vg.Length
}

// polygon draws the shape with corners at the given distances, in radii, at even angles from straight up.
func (m mark) polygon(c draw.Canvas, p vg.Point, distances ...float64) {
	var path vg.Path
	for i, r := range distances {
		sin, cos := math.Sincos(math.Pi/2 + 2*math.Pi*float64(i)/float64(len(distances)))
		q := vg.Point{X: p.X + m.radius*vg.Length(r*cos), Y: p.Y + m.radius*vg.Length(r*sin)}
		if i == 0 {
			path.Move(q)
		} else {
			path.Line(q)
		}
	}
	path.Close()
	m.paint(c, path)
}

func (m mark) paint(c draw.Canvas, path vg.Path) {
	if m.fill != nil {
		c.SetColor(m.fill)
		c.Fill(path)
	}
	if m.edge != nil {
		c.SetLineStyle(draw.LineStyle{Color: m.edge, Width: m.width})
		c.Stroke(path)
	}
}

func (m mark) circle(c draw.Canvas, p vg.Point) {
	var path vg.Path
	path.Move(vg.Point{X: p.X + m.radius, Y: p.Y})
	path.Arc(p, m.radius, 0, 2*math.Pi)
	path.Close()
	m.paint(c, path)
}

func (m mark) triangle(c draw.Canvas, p vg.Point) { m.polygon(c, p, 1.2, 1.2, 1.2) }

func (m mark) star(c draw.Canvas, p vg.Point) {
	const in = 0.45
	m.polygon(c, p, 1, in, 1, in, 1, in, 1, in, 1, in)
}

// cross draws an × in the colour of the edge.
func (m mark) cross(c draw.Canvas, p vg.Point) {
	r := m.radius * math.Sqrt2 / 2
	style := draw.LineStyle{Color: m.edge, Width: m.width}
	c.StrokeLine2(style, p.X-r, p.Y-r, p.X+r, p.Y+r)
	c.StrokeLine2(style, p.X-r, p.Y+r, p.X+r, p.Y-r)
}

// arrow draws a line from p to q that bends to its left by a part of its length, with a head at q. It
// leaves room of the given size around both points.
func arrow(c draw.Canvas, p, q vg.Point, bend, room vg.Length, col color.Color) {
	const head, narrow, width = 4.2, 0.32, 0.8
	length := vg.Length(math.Hypot(float64(q.X-p.X), float64(q.Y-p.Y)))
	if length <= 2*room+head {
		return
	}
	middle := vg.Point{X: (p.X+q.X)/2 - (q.Y-p.Y)*bend, Y: (p.Y+q.Y)/2 + (q.X-p.X)*bend}
	toward := func(from, to vg.Point, by vg.Length) vg.Point {
		d := vg.Length(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
		return vg.Point{X: from.X + (to.X-from.X)*by/d, Y: from.Y + (to.Y-from.Y)*by/d}
	}
	start, tip := toward(p, middle, room), toward(q, middle, room)
	neck := toward(tip, middle, head)
	var path vg.Path
	path.Move(start)
	path.QuadTo(middle, neck)
	c.SetLineStyle(draw.LineStyle{Color: col, Width: width})
	c.Stroke(path)
	side := vg.Point{X: (tip.Y - neck.Y) * narrow, Y: (neck.X - tip.X) * narrow}
	c.FillPolygon(col, []vg.Point{tip, neck.Add(side), neck.Sub(side)})
}

// surface is a function on a regular grid over a box: n values along each side, z[i*n+j] at x_j, y_i,
// the first at the lower left corner.
type surface struct {
	n int
	z []float64
}

// at interpolates between the four nearest values; u and v run from 0 to 1 along x and y.
func (s surface) at(u, v float64) float64 {
	x, y := u*float64(s.n-1), v*float64(s.n-1)
	j, i := min(int(x), s.n-2), min(int(y), s.n-2)
	x, y = x-float64(j), y-float64(i)
	row := s.z[i*s.n+j:]
	return (1-y)*((1-x)*row[0]+x*row[1]) + y*((1-x)*row[s.n]+x*row[s.n+1])
}

// ramp is a scale of colours: evenly spaced stops, joined by straight lines.
type ramp []color.NRGBA

// viridis is the colour map of matplotlib (van der Walt and Smith 2015), every tenth of it: even to the
// eye, monotone in grey, the same to every colour vision.
var viridis = ramp{
	{68, 1, 84, 255}, {72, 36, 117, 255}, {65, 68, 135, 255}, {53, 95, 141, 255}, {42, 120, 142, 255}, {33, 145, 140, 255},
	{34, 168, 132, 255}, {68, 191, 112, 255}, {122, 209, 81, 255}, {189, 223, 38, 255}, {253, 231, 37, 255},
}

// pale is a map to draw on: peaks are white.
var pale = ramp{{176, 190, 206, 255}, {221, 228, 236, 255}, {255, 255, 255, 255}}

// at returns the colour at t in [0, 1].
func (r ramp) at(t float64) color.NRGBA {
	x := min(max(t, 0), 1) * float64(len(r)-1)
	i := min(int(x), len(r)-2)
	return blend(r[i], r[i+1], x-float64(i))
}

// pixels along a side of a heat map: those of its place in a PNG.
const pixels = 400

// heat paints the box, u and v running from 0 to 1 along x and y. It is one image: a mosaic of
// rectangles would have seams.
func (a axes) heat(colour func(u, v float64) color.NRGBA) {
	img := image.NewNRGBA(image.Rect(0, 0, pixels, pixels))
	for py := range pixels {
		v := 1 - (float64(py)+0.5)/pixels
		for px := range pixels {
			img.SetNRGBA(px, py, colour((float64(px)+0.5)/pixels, v))
		}
	}
	a.DrawImage(a.Rectangle, img)
}

const (
	barGap   = 6.0
	barWidth = 6.0
)

// bar draws the colours of a scale beside the box, with ticks on its right.
func (a axes) bar(s scale, r ramp) {
	img := image.NewNRGBA(image.Rect(0, 0, 1, pixels))
	for py := range pixels {
		img.SetNRGBA(0, py, r.at(1-(float64(py)+0.5)/pixels))
	}
	box := vg.Rectangle{Min: vg.Point{X: a.Max.X + barGap, Y: a.Min.Y}, Max: vg.Point{X: a.Max.X + barGap + barWidth, Y: a.Max.Y}}
	a.DrawImage(box, img)
	line := draw.LineStyle{Color: ink, Width: hairline}
	for _, t := range s.ticks(int((box.Max.Y - box.Min.Y) / 20)) {
		y := a.Canvas.Y(s.unit(t.at))
		a.StrokeLine2(line, box.Max.X, y, box.Max.X+tickOut, y)
		label{size: tickSize, colour: ink}.middle(a.Canvas, vg.Point{X: box.Max.X + tickOut + tickGap, Y: y}, t.text)
	}
}

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
