package chart

import (
	"bytes"
	"embed"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"html/template"
	"image"
	"image/png"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
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

// Fonts are files of fonts/, each under the name by which a sheet asks for it. Fraunces and Figtree are under the SIL Open Font License (fonts/LICENSE.*).
//
//go:embed fonts
var Fonts embed.FS

// Colours are the variables of all sheets, light and dark.
//
//go:embed colour.css
var Colours string

// Style is the sheet of all charts. It takes the variables of Colours: --ink, --soft, --line, --edge, --accent, --warn, --raised, --sunken, --sans.
//
//go:embed chart.css
var Style string

// Inline is a sheet of the colours and the Latin fonts that needs no other file: 72 kB. Letters that these do not have are the system's.
var Inline = sync.OnceValue(func() string {
	out := Colours
	for _, f := range [][2]string{{"Fraunces", "fonts/fraunces-latin.woff2"}, {"Figtree", "fonts/figtree-latin.woff2"}} {
		data, err := fs.ReadFile(Fonts, f[1])
		if err != nil {
			panic(err) // it is in the program
		}
		out += fmt.Sprintf("@font-face { font-family: %s; src: url(\"data:font/woff2;base64,%s\") format(\"woff2\"); font-weight: 400 700; }\n", f[0], base64.StdEncoding.EncodeToString(data))
	}
	return out
})
