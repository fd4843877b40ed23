package figure

import (
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
