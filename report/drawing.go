package report

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// drawing is an SVG under construction. Colours are classes of the page's style sheet, so that it follows the reader's
// scheme; every text goes through escape.
type drawing struct {
	b strings.Builder
}

// newDrawing begins a drawing. The label says in words what it shows.
func newDrawing(width, height float64, label string) *drawing {
	d := &drawing{}
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" aria-label="%s">`, px(width), px(height), escape(label))
	return d
}

// done returns the drawing as markup.
func (d *drawing) done() template.HTML { return template.HTML(d.b.String() + "</svg>") }

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&d.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, px(x1), px(y1), px(x2), px(y2))
}

func (d *drawing) rect(class string, x, y, w, h float64) {
	fmt.Fprintf(&d.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="2"/>`, class, px(x), px(y), px(w), px(h))
}

// shade is a rectangle of that opacity, with a tip.
func (d *drawing) shade(class string, x, y, w, h, opacity float64, tip string) {
	fmt.Fprintf(&d.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" fill-opacity="%.3f"><title>%s</title></rect>`, class, px(x), px(y), px(w), px(h), opacity, escape(tip))
}

// dot is a circle with a tip.
func (d *drawing) dot(class string, x, y, r float64, tip string) {
	fmt.Fprintf(&d.b, `<circle class="%s" cx="%s" cy="%s" r="%s"><title>%s</title></circle>`, class, px(x), px(y), px(r), escape(tip))
}

// text writes at a point; anchor is start, middle or end.
func (d *drawing) text(class, anchor string, x, y float64, text string) {
	fmt.Fprintf(&d.b, `<text class="%s" text-anchor="%s" x="%s" y="%s">%s</text>`, class, anchor, px(x), px(y), escape(text))
}

// path joins points; closed with a fill it is an area.
func (d *drawing) path(class string, closed bool, points [][2]float64) {
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

// clip shortens a text that a chart has no room for.
func clip(text string, runes int) string {
	r := []rune(text)
	if len(r) <= runes {
		return text
	}
	return string(r[:runes-1]) + "…"
}

// scale maps [lo, hi] to [from, to].
type scale struct{ lo, hi, from, to float64 }

// newScale makes room for values that are all the same.
func newScale(lo, hi, from, to float64) scale {
	if !(hi > lo) {
		lo, hi = lo-0.5, hi+0.5
	}
	return scale{lo, hi, from, to}
}

func (s scale) at(v float64) float64 { return s.from + (v-s.lo)/(s.hi-s.lo)*(s.to-s.from) }

// ticks returns round numbers within the scale, at most n+1.
func (s scale) ticks(n int) []float64 {
	raw := (s.hi - s.lo) / float64(n)
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * unit
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= raw {
			step = m * unit
			break
		}
	}
	var out []float64
	for k := math.Ceil(s.lo/step - 1e-9); k*step <= s.hi+1e-9*step; k++ {
		out = append(out, k*step)
	}
	return out
}
