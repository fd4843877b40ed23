package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/timeline"
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
		class, note, part := "known", sentence.Percent(i.Share), fmt.Sprintf("%s (%s)", sentence.Percent(i.Loss/total), span(l/total, h/total))
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
	return fmt.Sprintf("%s–%s", strings.TrimSuffix(sentence.Percent(low), " %"), sentence.Percent(high))
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

// Sureness is how sure a study was after each answer, and where it may be called done.
type Sureness struct {
	List   []timeline.Moment
	Target float64
	Axis   string                       // what is counted: "answers"
	Say    func(timeline.Moment) string // of a moment, under the pointer
	Label  string                       // what it shows, in words
}

// HTML draws a line through the moments.
func (s Sureness) HTML() template.HTML {
	const width, height, left, right, top, foot = 440.0, 220.0, 46.0, 428.0, 26.0, 176.0
	d := New("chart sureness", width, height, s.Label)
	x := NewScale(0, float64(s.List[len(s.List)-1].Answers), left, right)
	x.Whole = true
	y := NewScale(0, 1, foot, top)
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		d.Line("grid", left, y.At(v), right, y.At(v))
		d.Text("tick", "end", left-6, y.At(v)+4, sentence.Percent(v))
	}
	for _, v := range x.Ticks(6) {
		d.Line("axis", x.At(v), foot, x.At(v), foot+4)
		d.Text("tick", "middle", x.At(v), foot+18, Tick(v))
	}
	d.Text("tick", "middle", (left+right)/2, height-6, s.Axis)
	d.Line("mark", left, y.At(s.Target), right, y.At(s.Target))
	var line [][2]float64
	for _, r := range s.List {
		line = append(line, [2]float64{x.At(float64(r.Answers)), y.At(r.Confidence)})
	}
	d.Path("curve", false, line)
	for i, p := range line {
		d.Dot("dot small", p[0], p[1], 3, "")
		from, to := (line[max(i-1, 0)][0]+p[0])/2, (line[min(i+1, len(line)-1)][0]+p[0])/2
		d.Spot(from, top-14, to-from, foot-top+14, p, foot, left, right, 14, s.Say(s.List[i]))
	}
	return d.HTML()
}
