package figure

import (
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

// label is a way to write text: size, colour and where the given point lies along the text, 0 at its
// left end and 1 at its right.
type label struct {
	size    vg.Length
	colour  color.Color
	along   vg.Length
	bold    bool
	upright bool // a quarter turn to the left
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
func runs(s string) []run {
	var out []run
	plain := 0 // where the text after the last mark begins
	for _, m := range marked.FindAllStringSubmatchIndex(s, -1) {
		if m[0] > plain {
			out = append(out, run{text: s[plain:m[0]]})
		}
		r := run{text: s[m[4]:m[5]]}
		switch s[m[0]] {
		case '~':
			r.italic = true
		case '_':
			r.shift = -lower
		case '^':
			r.shift = raise
		}
		out, plain = append(out, r), m[1]
	}
	if plain < len(s) {
		out = append(out, run{text: s[plain:]})
	}
	return out
}

// fonts are the faces figures use; gonum's own collection has another eight, three megabytes of every binary.
var fonts = font.NewCache(font.Collection{
	face(liberationsansregular.TTF, font.Font{}),
	face(liberationsansitalic.TTF, font.Font{Style: stdfont.StyleItalic}),
	face(liberationsansbold.TTF, font.Font{Weight: stdfont.WeightBold}),
	face(liberationsansbolditalic.TTF, font.Font{Style: stdfont.StyleItalic, Weight: stdfont.WeightBold}),
})

func face(ttf []byte, f font.Font) font.Face {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		panic(err) // the file is part of the program
	}
	f.Typeface, f.Variant = "Liberation", "Sans"
	return font.Face{Font: f, Face: parsed}
}

func (l label) face(r run) font.Face {
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

// width returns how long the text is.
func (l label) width(s string) vg.Length {
	var w vg.Length
	for _, r := range runs(s) {
		f := l.face(r)
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
		f := l.face(r)
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

// others are for methods that are not in the list, in the order in which they appear: darker than the
// eight of Okabe and Ito, which are taken.
var others = []color.NRGBA{
	{0, 0, 0, 255}, {110, 44, 130, 255}, {120, 80, 30, 255}, {0, 70, 60, 255}, {150, 20, 60, 255}, {90, 90, 0, 255},
}

// setups have the same dashes in every figure; further ones take those of more in the order in which
// they appear.
var (
	setups = map[string][]vg.Length{"": nil, "default": nil, "paper": {4, 1.6}, "botorch": {1.1, 1.3}}
	more   = [][]vg.Length{{6, 1.5, 1.2, 1.5}, {8, 2.5}, {3, 1.2, 1, 1.2, 1, 1.2}, {2, 2}}
)

// newPalette returns the looks of curves by name. Where all have one setup, it is not worth a distinction and they
// are solid.
func newPalette(curves []Curve) map[string]look {
	var strange, further, seen []string
	note := func(list *[]string, v string) {
		if !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
	for _, c := range curves {
		if _, known := methods[strings.ToLower(c.Method)]; !known {
			note(&strange, c.Method)
		}
		if _, known := setups[c.Setup]; !known {
			note(&further, c.Setup)
		}
		note(&seen, c.Setup)
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
