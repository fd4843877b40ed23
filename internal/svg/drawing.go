package svg

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// Drawing is an SVG under construction. Classes are the program's own words and are not escaped; every text is.
type Drawing struct {
	b strings.Builder
}

// New begins a drawing of a class, or of none. The label says in words what it shows.
func New(class string, width, height float64, label string) *Drawing {
	d := &Drawing{}
	d.b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg"`)
	if class != "" {
		fmt.Fprintf(&d.b, ` class="%s"`, class)
	}
	fmt.Fprintf(&d.b, ` viewBox="0 0 %s %s" role="img" aria-label="%s">`, px(width), px(height), escape(label))
	return d
}

// HTML ends the drawing and returns it as markup.
func (d *Drawing) HTML() template.HTML { return template.HTML(d.b.String() + "</svg>") }

// Line draws from one point to another.
func (d *Drawing) Line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&d.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, px(x1), px(y1), px(x2), px(y2))
}

// Rect draws a rectangle from its upper left corner.
func (d *Drawing) Rect(class string, x, y, w, h float64) {
	fmt.Fprintf(&d.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="2"/>`, class, px(x), px(y), px(w), px(h))
}

// Shade is a rectangle of that opacity, with a tip.
func (d *Drawing) Shade(class string, x, y, w, h, opacity float64, tip string) {
	fmt.Fprintf(&d.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" fill-opacity="%.3f"><title>%s</title></rect>`,
		class, px(x), px(y), px(w), px(h), opacity, escape(tip))
}

// Dot is a circle with a tip.
func (d *Drawing) Dot(class string, x, y, r float64, tip string) {
	fmt.Fprintf(&d.b, `<circle class="%s" cx="%s" cy="%s" r="%s"><title>%s</title></circle>`, class, px(x), px(y), px(r), escape(tip))
}

// Text writes at a point; anchor is start, middle or end.
func (d *Drawing) Text(class, anchor string, x, y float64, text string) {
	fmt.Fprintf(&d.b, `<text class="%s" text-anchor="%s" x="%s" y="%s">%s</text>`, class, anchor, px(x), px(y), escape(text))
}

// Path joins points; closed with a fill it is an area.
func (d *Drawing) Path(class string, closed bool, points [][2]float64) {
	if len(points) == 0 {
		return
	}
	d.b.WriteString(`<path class="` + class + `" d="`)
	for i, p := range points {
		d.b.WriteByte("ML"[min(i, 1)])
		d.b.WriteString(px(p[0]) + " " + px(p[1]))
	}
	if closed {
		d.b.WriteByte('Z')
	}
	d.b.WriteString(`"/>`)
}

// px writes a coordinate.
func px(v float64) string { return strconv.FormatFloat(math.Round(10*v)/10+0, 'f', -1, 64) }

// escape makes any text safe inside an element and an attribute. Characters XML has no place for become �.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder takes everything
	return b.String()
}

// Clip shortens a text that a chart has no room for.
func Clip(text string, runes int) string {
	r := []rune(text)
	if len(r) <= runes {
		return text
	}
	return string(r[:runes-1]) + "…"
}
