package chart

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// Drawing is an SVG under construction. Classes are the program's own words and are not escaped; every text is. Where a class is expected, declarations of
// CSS such as "fill:none;stroke:#222" do as well, for drawings that take no style sheet along.
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

func (d *Drawing) Line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&d.b, `<line %s x1="%s" y1="%s" x2="%s" y2="%s"/>`, look(class), px(x1), px(y1), px(x2), px(y2))
}

// Rect draws a rectangle from its upper left corner.
func (d *Drawing) Rect(class string, x, y, w, h float64) {
	fmt.Fprintf(&d.b, `<rect %s x="%s" y="%s" width="%s" height="%s" rx="2"/>`, look(class), px(x), px(y), px(w), px(h))
}

// Swatch is a rectangle of a colour of its own, as CSS writes it.
func (d *Drawing) Swatch(x, y, w, h float64, fill string) {
	fmt.Fprintf(&d.b, `<rect class="tint" x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, px(x), px(y), px(w), px(h), escape(fill))
}

// Dot is a circle, with a tip if that is not empty.
func (d *Drawing) Dot(class string, x, y, r float64, tip string) {
	fmt.Fprintf(&d.b, `<circle %s cx="%s" cy="%s" r="%s">`, look(class), px(x), px(y), px(r))
	if tip != "" {
		fmt.Fprintf(&d.b, `<title>%s</title>`, escape(tip))
	}
	d.b.WriteString(`</circle>`)
}

// Spot is a place that says something while the pointer is over it: a rectangle, a dot at a point with a line down to foot, and a text at
// the height top that stays between left and right.
func (d *Drawing) Spot(x, y, w, h float64, at [2]float64, foot, left, right, top float64, text string) {
	anchor := "middle"
	to := at[0]
	switch half := 3.3 * float64(len([]rune(text))); { // letters of 12 px are 6.6 wide
	case to-half < left:
		anchor, to = "start", left
	case to+half > right:
		anchor, to = "end", right
	}
	fmt.Fprintf(&d.b, `<g class="spot"><rect x="%s" y="%s" width="%s" height="%s"/><path d="M%s %sV%s"/><circle cx="%s" cy="%s" r="4"/><text text-anchor="%s" x="%s" y="%s">%s</text></g>`,
		px(x), px(y), px(w), px(h), px(at[0]), px(at[1]), px(foot), px(at[0]), px(at[1]), anchor, px(to), px(top), escape(text))
}

// Text writes at a point; anchor is start, middle or end.
func (d *Drawing) Text(class, anchor string, x, y float64, text string) {
	fmt.Fprintf(&d.b, `<text %s text-anchor="%s" x="%s" y="%s">%s</text>`, look(class), anchor, px(x), px(y), escape(text))
}

// TextTip is Text with a tip, for one that was clipped.
func (d *Drawing) TextTip(class, anchor string, x, y float64, text, tip string) {
	fmt.Fprintf(&d.b, `<text %s text-anchor="%s" x="%s" y="%s">%s<title>%s</title></text>`, look(class), anchor, px(x), px(y), escape(text), escape(tip))
}

// Path joins points; closed with a fill it is an area.
func (d *Drawing) Path(class string, closed bool, points [][2]float64) {
	if len(points) == 0 {
		return
	}
	d.b.WriteString(`<path ` + look(class) + ` d="`)
	for i, p := range points {
		d.b.WriteByte("ML"[min(i, 1)])
		d.b.WriteString(px(p[0]) + " " + px(p[1]))
	}
	if closed {
		d.b.WriteByte('Z')
	}
	d.b.WriteString(`"/>`)
}

// look returns the attribute of a class, or of declarations in its place.
func look(class string) string {
	if strings.Contains(class, ":") {
		return `style="` + class + `"`
	}
	return `class="` + class + `"`
}

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
