package chart

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"regexp"
	"strings"
)

// NewPage begins a drawing that is a file of its own: so many points wide and high, on white paper, which an SVG does not have by itself.
func NewPage(width, height float64, label string) *Drawing {
	d := &Drawing{}
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" role="img" aria-label="%s" font-family="Liberation Sans,Arial,Helvetica,sans-serif">`,
		px(width), px(height), px(width), px(height), escape(label))
	d.Path("fill:#fff", true, [][2]float64{{0, 0}, {width, 0}, {width, height}, {0, height}})
	return d
}

// Clipped draws what lies inside a rectangle, and nothing of it beyond.
func (d *Drawing) Clipped(x, y, w, h float64, draw func()) {
	fmt.Fprintf(&d.b, `<svg x="%s" y="%s" width="%s" height="%s" viewBox="%s %s %s %s">`, px(x), px(y), px(w), px(h), px(x), px(y), px(w), px(h))
	draw()
	d.b.WriteString("</svg>")
}

// Image stretches an image over a rectangle. A mosaic of rectangles would have seams.
func (d *Drawing) Image(x, y, w, h float64, img image.Image) {
	var data bytes.Buffer
	if err := png.Encode(&data, img); err != nil {
		panic(err) // a buffer takes everything, and an image of no size is a mistake
	}
	fmt.Fprintf(&d.b, `<image preserveAspectRatio="none" x="%s" y="%s" width="%s" height="%s" href="data:image/png;base64,%s"/>`,
		px(x), px(y), px(w), px(h), base64.StdEncoding.EncodeToString(data.Bytes()))
}

// Formula writes at a point a text that may have ~{italic}, lowered_{1} and raised^{2} parts; no two shifted parts stand side by side.
func (d *Drawing) Formula(class, anchor string, x, y float64, text string) {
	fmt.Fprintf(&d.b, `<text %s text-anchor="%s" x="%s" y="%s">%s</text>`, look(class), anchor, px(x), px(y), formula(text))
}

// Upright is a Formula that reads from below upwards.
func (d *Drawing) Upright(class, anchor string, x, y float64, text string) {
	fmt.Fprintf(&d.b, `<text %s text-anchor="%s" transform="translate(%s %s) rotate(-90)">%s</text>`, look(class), anchor, px(x), px(y), formula(text))
}

var marked = regexp.MustCompile(`([~_^])\{([^}]*)\}`)

// spans are the attributes of a part of a formula, and of what follows it. Shifts are in units of the type size, which is smaller inside.
var spans = map[string][2]string{
	"~": {` font-style="italic"`, ""}, "_": {` font-size="72%" dy=".22em"`, ` dy="-.16em"`}, "^": {` font-size="72%" dy="-.53em"`, ` dy=".38em"`},
}

func formula(text string) string {
	var b strings.Builder
	back := ""
	span := func(attributes, part string) {
		if attributes += back; attributes != "" {
			part = "<tspan" + attributes + ">" + part + "</tspan>"
		}
		b.WriteString(part)
		back = ""
	}
	at := 0
	for _, m := range marked.FindAllStringSubmatchIndex(text, -1) {
		if at < m[0] {
			span("", escape(text[at:m[0]]))
		}
		kind := spans[text[m[2]:m[3]]]
		span(kind[0], escape(text[m[4]:m[5]]))
		back, at = kind[1], m[1]
	}
	if at < len(text) {
		span("", escape(text[at:]))
	}
	return b.String()
}

// Minus replaces hyphens by the sign.
func Minus(s string) string { return strings.ReplaceAll(s, "-", "−") }
