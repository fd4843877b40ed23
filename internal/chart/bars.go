package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/sentence"
)

// Bars are what each parameter is worth, most important first: the part it has in all that is lost by setting parameters at random,
// and where that lies with nine chances in ten, Loss ± 1.645 SD. The loss is linear in f, so its spread is the posterior's own.
type Bars struct {
	List  []prefer.Importance
	Href  func(string) string // where a parameter's name leads; nil for nowhere
	Label string              // what it shows, in words
}

// HTML is a list: a name, a bar and the part.
func (c Bars) HTML() template.HTML {
	total, low, high := 0.0, 0.0, 0.0
	for _, i := range c.List {
		total += math.Max(0, i.Loss)
	}
	total = cmp.Or(total, 1)
	for _, i := range c.List {
		l, h := NineInTen(i.Loss, i.SD)
		low, high = math.Min(low, l), math.Max(high, h)
	}
	x := NewScale(math.Max(low, -high/6), high, 0, 100) // that a parameter may not matter at all needs no more room
	var b strings.Builder
	fmt.Fprintf(&b, `<ol class="bars" aria-label="%s">`, escape(c.Label))
	for _, i := range c.List {
		l, h := NineInTen(i.Loss, i.SD)
		part := fmt.Sprintf("%s (%s)", sentence.Percent(i.Loss/total), span(l/total, h/total))
		name := escape(i.Parameter)
		if c.Href != nil {
			name = fmt.Sprintf(`<a href="%s">%s</a>`, escape(c.Href(i.Parameter)), name)
		}
		d := stripe(part)
		d.Line("rest", x.At(0), 0, x.At(0), 20)
		d.Rect("beam", x.At(math.Min(0, i.Loss)), 2, math.Abs(x.At(i.Loss)-x.At(0)), 16)
		d.Line("halo", math.Max(x.At(l), 0), 10, x.At(h), 10)
		d.Line("whisker", math.Max(x.At(l), 0), 10, x.At(h), 10)
		fmt.Fprintf(&b, `<li title="%s"><span class="name" dir="auto">%s</span>%s<span class="part">%s</span></li>`, escape(part), name, d.HTML(), escape(sentence.Percent(i.Share)))
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

// span writes a range of shares: "20–55%". The whole that they are parts of is an estimate too; what is beyond it is written as all.
func span(low, high float64) string {
	low, high = math.Max(low, 0), math.Min(high, 1)
	return fmt.Sprintf("%s–%s", strings.TrimSuffix(sentence.Percent(low), "%"), sentence.Percent(high))
}

// Share is a share with its interval from 0 to 1, and a mark where it should be.
func Share(s prefer.Share, ideal float64, label string) template.HTML {
	d := stripe(label)
	d.Line("rest", 0, 10, 100, 10)
	d.Line("ideal", 100*ideal, 2, 100*ideal, 18)
	d.Line("whisker", 100*s.Low, 10, 100*s.High, 10)
	d.tap("dot", 100*float64(s.Count)/float64(s.Of))
	return d.HTML()
}

// Places is the range of places that an item of a list may have, of so many, and its place by what is expected.
func Places(place, low, high, of int, label string) template.HTML {
	x := NewScale(0.5, float64(of)+0.5, 0, 100) // half a place of room at either end
	d := stripe(label)
	d.Line("rest", 0, 10, 100, 10)
	d.Line("range", x.At(float64(low)-0.35), 10, x.At(float64(high)+0.35), 10)
	d.tap("at", x.At(float64(min(max(place, low), high))))
	return d.HTML()
}

// tap is a dot in a stripe, which is as wide as it may be: a line of no length with round ends.
func (d *Drawing) tap(class string, x float64) {
	fmt.Fprintf(&d.b, `<line class="tap %s" x1="%s" y1="10" x2="%s" y2="10"/>`, class, px(x), px(x))
}

// Agreement is a table of how far each two people agree: the correlation of their tastes with its interval of 95%, as prefer.Group has it.
// Heads have the people's favourites, cells a disc as large as the agreement and as full as it is sure.
type Agreement struct {
	Names           []string
	Pictures        []template.HTML // of favourites; fewer than names, or empty ones, leave a head without
	Mean, Low, High [][]float64
	Label           string // what it shows, in words
}

// known reports whether anything is known of how far two agree: not where it may be either way, and by much.
func (a Agreement) known(i, j int) bool {
	low, high := a.Low[i][j], a.High[i][j]
	return low > 0 || high < 0 || high-low <= vague
}

const vague = 0.5 // the width of an interval around 0 beyond which nothing is known

// HTML is a table that scrolls by itself where there is no room. A cell of which nothing is known is empty; nothing is drawn where all are.
func (a Agreement) HTML() template.HTML {
	var b strings.Builder
	any := false
	for i := range a.Names {
		for j := range i {
			any = any || a.known(i, j)
		}
	}
	if !any {
		return ""
	}
	picture := func(i int) string {
		if i >= len(a.Pictures) || a.Pictures[i] == "" {
			return ""
		}
		return `<span class="portrait">` + string(a.Pictures[i]) + `</span>`
	}
	fmt.Fprintf(&b, `<div class="agree" tabindex="0" role="region" aria-label="%s"><table><thead><tr><td></td>`, escape(a.Label))
	for i, name := range a.Names {
		fmt.Fprintf(&b, `<th scope="col" title="%s"><span class="who" dir="auto">%s</span>%s</th>`, escape(name), escape(name), picture(i))
	}
	b.WriteString("</tr></thead><tbody>")
	for i, name := range a.Names {
		fmt.Fprintf(&b, `<tr><th scope="row" title="%s"><span class="head">%s<span class="who" dir="auto">%s</span></span></th>`, escape(name), picture(i), escape(name))
		for j, other := range a.Names {
			if i == j {
				b.WriteString("<td>–</td>")
				continue
			}
			disc := template.HTML("")
			if a.known(i, j) {
				disc = a.disc(i, j)
			}
			fmt.Fprintf(&b, `<td title="%s">%s</td>`, escape(name+" · "+other+": "+a.say(i, j)), disc)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table></div>")
	return template.HTML(b.String())
}

func (a Agreement) say(i, j int) string {
	return fmt.Sprintf("%s (%s … %s)", correlation(a.Mean[i][j]), correlation(a.Low[i][j]), correlation(a.High[i][j]))
}

// disc is as large as the agreement, and as full as its interval keeps away from 0.
func (a Agreement) disc(i, j int) template.HTML {
	r := a.Mean[i][j]
	class, sure := "with", math.Max(0, a.Low[i][j])
	if r < 0 {
		class, sure = "against", math.Max(0, -a.High[i][j])
	}
	d := New("chart disc", 44, 44, a.say(i, j))
	fmt.Fprintf(&d.b, `<circle class="%s" cx="22" cy="22" r="%s" fill-opacity="%.2f"/>`, class, px(7+14*math.Min(math.Abs(r), 1)), 0.14+0.28*math.Min(sure, 1))
	d.Text("label", "middle", 22, 26, correlation(r))
	return d.HTML()
}

// correlation writes one to a tenth, with a minus that is as wide as a plus.
func correlation(r float64) string {
	tenths := math.Round(10*r) + 0 // no minus before a zero
	return strings.Replace(strconv.FormatFloat(tenths/10, 'f', 1, 64), "-", "−", 1)
}
