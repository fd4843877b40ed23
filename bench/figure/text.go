package figure

import (
	"image/color"
	"math"
	"regexp"

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
