package figure

import (
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer/internal/chart"
)

// polygon draws the shape with corners at the given distances, in radii, at even angles from straight up.
func polygon(d *chart.Drawing, style string, p [2]float64, radius float64, distances ...float64) {
	var path [][2]float64
	for i, r := range distances {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(distances)))
		path = append(path, [2]float64{p[0] - radius*r*sin, p[1] - radius*r*cos})
	}
	d.Path(style, true, path)
}

func triangle(d *chart.Drawing, style string, p [2]float64, radius float64) {
	polygon(d, style, p, radius, 1.2, 1.2, 1.2)
}

func star(d *chart.Drawing, style string, p [2]float64, radius float64) {
	const in = 0.45
	polygon(d, style, p, radius, 1, in, 1, in, 1, in, 1, in, 1, in)
}

// cross draws an ×.
func cross(d *chart.Drawing, style string, p [2]float64, radius float64) {
	r := radius * math.Sqrt2 / 2
	d.Line(style, p[0]-r, p[1]-r, p[0]+r, p[1]+r)
	d.Line(style, p[0]-r, p[1]+r, p[0]+r, p[1]-r)
}

// arrow draws a line from p to q that bends to its left by a part of its length, with a head at q. It leaves room of the given size around both points.
func arrow(d *chart.Drawing, p, q [2]float64, bend, room float64) {
	const head, narrow, steps = 4.2, 0.32, 16
	if math.Hypot(q[0]-p[0], q[1]-p[1]) <= 2*room+head {
		return
	}
	middle := [2]float64{(p[0]+q[0])/2 + (q[1]-p[1])*bend, (p[1]+q[1])/2 - (q[0]-p[0])*bend}
	toward := func(from, to [2]float64, by float64) [2]float64 {
		d := math.Hypot(to[0]-from[0], to[1]-from[1])
		return [2]float64{from[0] + (to[0]-from[0])*by/d, from[1] + (to[1]-from[1])*by/d}
	}
	start, tip := toward(p, middle, room), toward(q, middle, room)
	neck := toward(tip, middle, head)
	var line [][2]float64
	for i := range steps + 1 { // a quadratic Bézier curve
		t := float64(i) / steps
		u, v, w := (1-t)*(1-t), 2*t*(1-t), t*t
		line = append(line, [2]float64{u*start[0] + v*middle[0] + w*neck[0], u*start[1] + v*middle[1] + w*neck[1]})
	}
	d.Path("fill:none;stroke:#222;stroke-width:.8", false, line)
	x, y := (tip[1]-neck[1])*narrow, (neck[0]-tip[0])*narrow
	d.Path("fill:#222", true, [][2]float64{tip, {neck[0] + x, neck[1] + y}, {neck[0] - x, neck[1] - y}})
}

// surface is a function on a regular grid over a box: n values along each side, z[i*n+j] at x_j, y_i, the first at the lower left corner.
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

var pale = ramp{{176, 190, 206, 255}, {221, 228, 236, 255}, {255, 255, 255, 255}} // a map to draw on: peaks are white

// at returns the colour at t in [0, 1].
func (r ramp) at(t float64) color.NRGBA {
	x := min(max(t, 0), 1) * float64(len(r)-1)
	i := min(int(x), len(r)-2)
	return blend(r[i], r[i+1], x-float64(i))
}

// pixels along a side of a heat map.
const pixels = 400

// heat returns an image of colours, u and v running from 0 to 1 along x and y.
func heat(wide, high int, colour func(u, v float64) color.NRGBA) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, wide, high))
	for py := range high {
		v := 1 - (float64(py)+0.5)/float64(high)
		for px := range wide {
			img.SetNRGBA(px, py, colour((float64(px)+0.5)/float64(wide), v))
		}
	}
	return img
}

// heat paints the box.
func (a axes) heat(colour func(u, v float64) color.NRGBA) {
	a.Image(a.x.From, a.y.To, a.x.To-a.x.From, a.y.From-a.y.To, heat(pixels, pixels, colour))
}

// bar draws the colours of a scale beside the box, with ticks on its right.
func (a axes) bar(s chart.Scale, r ramp) {
	const gap, width = 6.0, 6.0
	s.From, s.To = a.y.From, a.y.To
	left, right := a.x.To+gap, a.x.To+gap+width
	a.Image(left, s.To, width, s.From-s.To, heat(1, pixels, func(_, v float64) color.NRGBA { return r.at(v) }))
	for _, t := range ticks(s, 20) {
		a.Line(hairline, right, t.at, right+tickOut, t.at)
		a.Formula(tickText, "start", right+tickOut+tickGap, t.at+halfTick, t.text)
	}
}

// entry is a line of a legend: a sample, drawn between left and right at the height y, and its name.
type entry struct {
	name   string
	sample func(d *chart.Drawing, left, right, y float64)
}

// legend is a list of entries, side by side in as many rows as they need.
type legend []entry

const (
	sampleWidth = 16.0
	sampleGap   = 4.0
	entryGap    = 14.0
	rowHeight   = 12.0
	letter      = 3.9 // about the width of a letter
)

// width is an estimate, for the widths of letters are the reader's.
func (e entry) width() float64 {
	return sampleWidth + sampleGap + letter*float64(utf8.RuneCountInString(strings.ReplaceAll(e.name, "~{x}", "x")))
}

// rows breaks the legend into lines no wider than width.
func (l legend) rows(width float64) (out []legend) {
	used := 0.0
	for _, e := range l {
		w := entryGap + e.width()
		if len(out) == 0 || used+w > width {
			out, used = append(out, nil), -entryGap
		}
		out[len(out)-1] = append(out[len(out)-1], e)
		used += w
	}
	return out
}

// write draws the legend centred between left and right, downwards from top.
func (l legend) write(d *chart.Drawing, left, right, top float64) {
	for _, row := range l.rows(right - left) {
		total := -entryGap
		for _, e := range row {
			total += entryGap + e.width()
		}
		x, y := (left+right-total)/2, top+rowHeight/2
		for _, e := range row {
			e.sample(d, x, x+sampleWidth, y)
			d.Formula(labelText, "start", x+sampleWidth+sampleGap, y+2.8, e.name)
			x += e.width() + entryGap
		}
		top += rowHeight
	}
}

// sampleBand fills the whole sample as a band is.
func sampleBand(d *chart.Drawing, left, right, y float64, colour color.NRGBA) {
	d.Path(band(colour), true, [][2]float64{{left, y - 4}, {right, y - 4}, {right, y + 4}, {left, y + 4}})
}

var (
	paper = color.NRGBA{255, 255, 255, 255}
	ink   = color.NRGBA{34, 34, 34, 255}
	grey  = color.NRGBA{122, 122, 122, 255}
)

// look is how a curve is drawn: the colour says which method, the dashes which setup.
type look struct {
	colour color.NRGBA
	dashes string // empty: solid
}

// methods have the same colour in every figure. The colours are those of Okabe and Ito (2008), which
// people of every colour vision tell apart, with grey for the method that does not choose.
var methods = map[string]color.NRGBA{
	"kg":       {213, 94, 0, 255},   // vermilion
	"eubo":     {0, 114, 178, 255},  // blue
	"logei":    {0, 158, 115, 255},  // bluish green
	"qeubo":    {86, 180, 233, 255}, // sky blue
	"random":   {128, 128, 128, 255},
	"thompson": {204, 121, 167, 255}, // reddish purple
	"bald":     {230, 159, 0, 255},   // orange
}

// others are for methods that are not in the list, in the order in which they appear: darker than the eight of Okabe and Ito, which are taken.
var others = []color.NRGBA{
	{0, 0, 0, 255}, {110, 44, 130, 255}, {120, 80, 30, 255}, {0, 70, 60, 255}, {150, 20, 60, 255}, {90, 90, 0, 255},
}

// setups have the same dashes in every figure; further ones take those of more in the order in which they appear.
var (
	setups = map[string]string{"": "", "default": "", "paper": "4 1.6", "botorch": "1.1 1.3"}
	more   = []string{"6 1.5 1.2 1.5", "8 2.5", "3 1.2 1 1.2 1 1.2", "2 2"}
)

// newPalette returns the looks of curves by name. Where all have one setup, it is not worth a distinction and they are solid.
func newPalette(curves []Curve) map[string]look {
	colours, dashes, out := maps.Clone(methods), maps.Clone(setups), map[string]look{}
	for _, c := range curves {
		method := strings.ToLower(c.Method)
		if _, known := colours[method]; !known {
			colours[method] = others[(len(colours)-len(methods))%len(others)]
		}
		if _, known := dashes[c.Setup]; !known {
			dashes[c.Setup] = more[(len(dashes)-len(setups))%len(more)]
		}
		l := look{colour: colours[method]}
		if slices.ContainsFunc(curves, func(other Curve) bool { return other.Setup != c.Setup }) {
			l.dashes = dashes[c.Setup]
		}
		out[c.name()] = l
	}
	return out
}

// line is the style of a line of a colour, band that of an area.
func line(c color.NRGBA, width float64) string {
	return fmt.Sprintf("fill:none;stroke:%s;stroke-width:%g", hex(c), width)
}

func band(c color.NRGBA) string { return "fill:" + hex(c) + ";fill-opacity:.16" }

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// blend returns the colour a part t of the way from a to b.
func blend(a, b color.NRGBA, t float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + t*(float64(y)-float64(x)) + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}
