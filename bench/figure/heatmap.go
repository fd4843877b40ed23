package figure

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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
