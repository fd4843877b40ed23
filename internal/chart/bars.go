package chart

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/say"
)

// Bars are what each parameter is worth, most important first: the part it has in all that is lost by setting parameters at random,
// and where that lies with nine chances in ten, Loss ± 1.645 SD. The loss is linear in f, so its spread is the posterior's own.
type Bars struct {
	List    []prefer.Importance
	Unknown string              // what stands beside those of which nothing can be said
	Href    func(string) string // where a parameter's name leads; nil for nowhere
	Label   string              // what it shows, in words
}

// HTML is a list: a name, a bar and the part.
func (c Bars) HTML() template.HTML {
	total, low, high := 0.0, 0.0, 0.0
	for _, i := range c.List {
		total += math.Max(0, i.Loss)
	}
	if total == 0 {
		total = 1
	}
	for _, i := range c.List {
		l, h := NineInTen(i.Loss, i.SD)
		low, high = math.Min(low, l), math.Max(high, h)
	}
	x := NewScale(math.Max(low, -high/6), high, 0, 100) // that a parameter may not matter at all needs no more room
	var b strings.Builder
	fmt.Fprintf(&b, `<ol class="bars" aria-label="%s">`, escape(c.Label))
	for _, i := range c.List {
		l, h := NineInTen(i.Loss, i.SD)
		class, note, part := "known", say.Percent(i.Share), fmt.Sprintf("%s (%s)", say.Percent(i.Loss/total), span(l/total, h/total))
		if i.Kind == "unknown" {
			class, note = "vague", c.Unknown
		}
		name := escape(i.Parameter)
		if c.Href != nil {
			name = fmt.Sprintf(`<a href="%s">%s</a>`, escape(c.Href(i.Parameter)), name)
		}
		d := stripe(part)
		d.Line("rest", x.At(0), 0, x.At(0), 20)
		d.Rect("beam", x.At(math.Min(0, i.Loss)), 2, math.Abs(x.At(i.Loss)-x.At(0)), 16)
		d.Line("halo", math.Max(x.At(l), 0), 10, x.At(h), 10)
		d.Line("whisker", math.Max(x.At(l), 0), 10, x.At(h), 10)
		fmt.Fprintf(&b, `<li class="%s" title="%s"><span class="name" dir="auto">%s</span>%s<span class="part">%s</span></li>`, class, escape(part), name, d.HTML(), escape(note))
	}
	b.WriteString("</ol>")
	return template.HTML(b.String())
}

// stripe begins a drawing of 100 × 20 that takes whatever width there is.
func stripe(label string) *Drawing {
	d := &Drawing{}
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" class="stripe" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label="%s">`, escape(label))
	return d
}

// span writes a range of shares: "20–55 %". The whole that they are parts of is an estimate too; what is beyond it is written as all.
func span(low, high float64) string {
	low, high = math.Max(low, 0), math.Min(high, 1)
	return fmt.Sprintf("%s–%s", strings.TrimSuffix(say.Percent(low), " %"), say.Percent(high))
}
