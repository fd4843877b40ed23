package figure

import (
	"image"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansbolditalic"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
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
		draw := path.Line
		if i == 0 {
			draw = path.Move
		}
		draw(vg.Point{X: p.X + m.radius*vg.Length(r*cos), Y: p.Y + m.radius*vg.Length(r*sin)})
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

// arrow draws a line from p to q that bends to its left by a part of its length, with a head at q. It leaves room of the given size around both points.
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

// pixels along a side of a heat map: those of its place in a PNG.
const pixels = 400

// heat paints the box, u and v running from 0 to 1 along x and y. It is one image: a mosaic of rectangles would have seams.
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
func (l legend) rows(width vg.Length) (out []legend) {
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

// Type sizes, the same in every figure, in points at the size it is printed.
const (
	titleSize = 8.5
	labelSize = 8
	tickSize  = 7
	noteSize  = 6.5
)

// Colours of everything that is not data.
var (
	paper = color.NRGBA{255, 255, 255, 255}
	ink   = color.NRGBA{34, 34, 34, 255}
	grey  = color.NRGBA{122, 122, 122, 255}
	light = color.NRGBA{200, 200, 200, 255}
)

// label is a way to write text: size, colour and where the given point lies along the text, 0 at its left end and 1 at its right.
type label struct {
	size    vg.Length
	colour  color.Color
	along   vg.Length
	bold    bool
	upright bool // rotated by 90° to the left
}

// Proportions of a raised or lowered part, and the height of a capital, in type sizes.
const (
	smaller = 0.72
	raise   = 0.38
	lower   = 0.16
	capital = 0.7
)

// run is a part of a text in one font.
type run struct {
	text   string
	italic bool
	shift  float64 // of the baseline, in type sizes; not 0 makes the part smaller
}

var marked = regexp.MustCompile(`([~_^])\{([^}]*)\}`)

// runs reads the three marks a text may carry: ~{x} is italic, _{1} lowered and ^{−2} raised.
func runs(s string) (out []run) {
	plain := 0 // where the text after the last mark begins
	for _, m := range marked.FindAllStringSubmatchIndex(s, -1) {
		if m[0] > plain {
			out = append(out, run{text: s[plain:m[0]]})
		}
		kind := s[m[0]]
		out, plain = append(out, run{s[m[4]:m[5]], kind == '~', map[byte]float64{'_': -lower, '^': raise}[kind]}), m[1]
	}
	if plain < len(s) {
		out = append(out, run{text: s[plain:]})
	}
	return out
}

// fonts are the faces figures use; gonum's own collection has another eight, three megabytes of every binary.
var fonts = font.NewCache(font.Collection{
	loadFont(liberationsansregular.TTF, font.Font{}),
	loadFont(liberationsansitalic.TTF, font.Font{Style: stdfont.StyleItalic}),
	loadFont(liberationsansbold.TTF, font.Font{Weight: stdfont.WeightBold}),
	loadFont(liberationsansbolditalic.TTF, font.Font{Style: stdfont.StyleItalic, Weight: stdfont.WeightBold}),
})

func loadFont(ttf []byte, f font.Font) font.Face {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		panic(err) // the file is part of the program
	}
	f.Typeface, f.Variant = "Liberation", "Sans"
	return font.Face{Font: f, Face: parsed}
}

func (l label) font(r run) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if r.italic {
		f.Style = stdfont.StyleItalic
	}
	if l.bold {
		f.Weight = stdfont.WeightBold
	}
	size := l.size
	if r.shift != 0 {
		size *= smaller
	}
	return fonts.Lookup(f, size)
}

func (l label) width(s string) (w vg.Length) {
	for _, r := range runs(s) {
		f := l.font(r)
		w += f.Width(r.text)
	}
	return w
}

// write puts the text with its baseline on p.
func (l label) write(c draw.Canvas, p vg.Point, s string) {
	if s == "" {
		return
	}
	c.SetColor(l.colour)
	if l.upright {
		c.Push()
		defer c.Pop()
		c.Rotate(math.Pi / 2)
		p.X, p.Y = p.Y, -p.X
	}
	p.X -= l.along * l.width(s)
	for _, r := range runs(s) {
		f := l.font(r)
		c.FillString(f, vg.Point{X: p.X, Y: p.Y + vg.Length(r.shift)*l.size}, r.text)
		p.X += f.Width(r.text)
	}
}

// middle writes the text with the middle of its capitals at the height of p.
func (l label) middle(c draw.Canvas, p vg.Point, s string) {
	p.Y -= capital / 2 * l.size
	l.write(c, p, s)
}

// look is how a curve is drawn: the colour says which method, the dashes which setup.
type look struct {
	colour color.NRGBA
	dashes []vg.Length // nil: solid
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
	setups = map[string][]vg.Length{"": nil, "default": nil, "paper": {4, 1.6}, "botorch": {1.1, 1.3}}
	more   = [][]vg.Length{{6, 1.5, 1.2, 1.5}, {8, 2.5}, {3, 1.2, 1, 1.2, 1, 1.2}, {2, 2}}
)

// newPalette returns the looks of curves by name. Where all have one setup, it is not worth a distinction and they are solid.
func newPalette(curves []Curve) map[string]look {
	var strange, further []string
	seen := map[string]bool{}
	for _, c := range curves {
		if _, known := methods[strings.ToLower(c.Method)]; !known && !slices.Contains(strange, c.Method) {
			strange = append(strange, c.Method)
		}
		if _, known := setups[c.Setup]; !known && !seen[c.Setup] {
			further = append(further, c.Setup)
		}
		seen[c.Setup] = true
	}
	out := map[string]look{}
	for _, c := range curves {
		l := look{colour: methods[strings.ToLower(c.Method)]}
		if i := slices.Index(strange, c.Method); i >= 0 {
			l.colour = others[i%len(others)]
		}
		if len(seen) > 1 {
			l.dashes = setups[c.Setup]
			if i := slices.Index(further, c.Setup); i >= 0 {
				l.dashes = more[i%len(more)]
			}
		}
		out[c.name()] = l
	}
	return out
}

// faded returns the colour with that much of its opacity.
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// blend returns the colour a part t of the way from a to b.
func blend(a, b color.NRGBA, t float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + t*(float64(y)-float64(x)) + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A)}
}
