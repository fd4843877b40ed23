package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
)

// importanceBars draws what each parameter is worth, most important first, with one standard deviation.
func importanceBars(list []prefer.Importance) template.HTML {
	const width, row, left, right = 480, 30, 130, 62
	lo, hi := 0.0, 0.0
	var words []string
	for _, i := range list {
		lo, hi = math.Min(lo, i.Loss-i.SD), math.Max(hi, i.Loss+i.SD)
		words = append(words, fmt.Sprintf("%s %s ± %s", i.Parameter, decimal(i.Loss), decimal(i.SD)))
	}
	height := float64(row*len(list) + 8)
	d := newDrawing(width, height, "Utility lost by setting a parameter at random: "+strings.Join(words, "; "))
	x := newScale(math.Max(lo, -hi/4), hi, left, width-right)
	for k, i := range list {
		y := float64(row*k) + row/2 + 4
		from, to := math.Min(x.at(0), x.at(i.Loss)), math.Max(x.at(0), x.at(i.Loss))
		d.text("label", "end", left-10, y+4, clip(i.Parameter, 17))
		d.rect("bar", from, y-7, to-from, 14)
		d.line("halo", math.Max(x.at(i.Loss-i.SD), x.from), y, x.at(i.Loss+i.SD), y)
		d.line("whisker", math.Max(x.at(i.Loss-i.SD), x.from), y, x.at(i.Loss+i.SD), y)
		d.text("soft", "end", width, y+4, decimal(i.Loss))
	}
	d.line("axis", x.at(0), 2, x.at(0), height-2)
	return d.done()
}

// sentences says what mattered in words. A name at the beginning stays as its owner writes it.
func sentences(list []prefer.Importance) []string {
	out := make([]string, len(list))
	for i, imp := range list {
		if out[i] = sentence(imp.Sentence); strings.HasPrefix(imp.Sentence, imp.Parameter) {
			out[i] = imp.Sentence + "."
		}
	}
	return out
}

// sentence gives words a capital and a full stop.
func sentence(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:] + "."
}

// sliceSteps is the number of points of a slice along a number.
const sliceSteps = 41

// sliceCharts draws the utility along every parameter, or feature, through the pick, all on one scale of utility, so that flat
// curves are parameters that hardly matter.
func sliceCharts(b *prefer.Belief, w shower, shown []prefer.Option, order []string) ([]template.HTML, error) {
	var all [][]prefer.SlicePoint
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, name := range order {
		points, err := b.Slice(name, sliceSteps)
		if err != nil {
			return nil, err
		}
		for _, p := range points {
			lo, hi = math.Min(lo, p.Mean-p.SD), math.Max(hi, p.Mean+p.SD)
		}
		all = append(all, points)
	}
	var out []template.HTML
	for i, name := range order {
		c := sliceChart{name: name, points: all[i], lo: lo, hi: hi, best: w.setting(b.Best(), name)}
		for _, p := range w.space.Parameters {
			c.log = c.log || p.Name == name && p.Log
		}
		for _, o := range shown {
			c.shown = append(c.shown, w.setting(o, name))
		}
		out = append(out, c.draw())
	}
	return out, nil
}

// setting returns the value of a parameter, or of the feature of an item.
func (w shower) setting(o prefer.Option, name string) prefer.Value {
	if it, ok := w.items[o.Item()]; ok {
		return it.Features[name]
	}
	return o[name]
}

// sliceChart is the utility along one parameter.
type sliceChart struct {
	name   string
	points []prefer.SlicePoint
	lo, hi float64 // of utility
	log    bool
	best   prefer.Value
	shown  []prefer.Value
}

// room of a slice.
const (
	sliceWidth, sliceHeight         = 340, 216
	sliceLeft, sliceRight           = 40, 12
	sliceTop, sliceBottom   float64 = 30, 42
)

func (c sliceChart) draw() template.HTML {
	top := c.points[0]
	for _, p := range c.points {
		if p.Mean > top.Mean {
			top = p
		}
	}
	first, last := c.points[0], c.points[len(c.points)-1]
	d := newDrawing(sliceWidth, sliceHeight, fmt.Sprintf("Utility along %s, the rest as in the pick: %s ± %s at %s, %s ± %s at %s; highest at %s; the pick has %s",
		c.name, decimal(first.Mean), decimal(first.SD), value(first.Value), decimal(last.Mean), decimal(last.SD), value(last.Value), value(top.Value), value(c.best)))
	d.text("name", "start", 4, 16, clip(c.name, 40))
	y := newScale(c.lo, c.hi, sliceHeight-sliceBottom, sliceTop)
	for _, v := range y.ticks(4) {
		d.line("grid", sliceLeft, y.at(v), sliceWidth-sliceRight, y.at(v))
		d.text("tick", "end", sliceLeft-6, y.at(v)+4, tick(math.Round(1e6*v)/1e6))
	}
	if !math.IsNaN(first.Value.Float()) && len(c.points) > 1 {
		c.curve(d, y)
	} else {
		c.choices(d, y)
	}
	return d.done()
}

// curve draws a number: a line in a band of one standard deviation, where the questions were, and the pick.
func (c sliceChart) curve(d *drawing, y scale) {
	along := func(v float64) float64 { return v }
	if c.log {
		along = math.Log
	}
	lo, hi := c.points[0].Value.Float(), c.points[len(c.points)-1].Value.Float()
	x := newScale(along(lo), along(hi), sliceLeft, sliceWidth-sliceRight)
	var line, band [][2]float64
	for _, p := range c.points {
		at := x.at(along(p.Value.Float()))
		line = append(line, [2]float64{at, y.at(p.Mean)})
		band = append(band, [2]float64{at, y.at(p.Mean + p.SD)})
	}
	for i := len(c.points) - 1; i >= 0; i-- {
		p := c.points[i]
		band = append(band, [2]float64{x.at(along(p.Value.Float())), y.at(p.Mean - p.SD)})
	}
	d.path("band", true, band)
	for _, v := range c.shown {
		if at := x.at(along(v.Float())); at >= sliceLeft-1 && at <= sliceWidth-sliceRight+1 { // items that joined may lie outside
			d.line("rug", at, sliceHeight-sliceBottom+1, at, sliceHeight-sliceBottom+7)
		}
	}
	d.path("curve", false, line)
	at := x.at(along(c.best.Float()))
	d.line("mark", at, sliceTop-4, at, sliceHeight-sliceBottom)
	base := sliceHeight - 20.0
	if at-sliceLeft > 60 {
		d.text("tick", "start", sliceLeft, base, tick(lo))
	}
	if sliceWidth-sliceRight-at > 60 {
		d.text("tick", "end", sliceWidth-sliceRight, base, tick(hi))
	}
	d.text("picked", "middle", math.Min(math.Max(at, sliceLeft+16), sliceWidth-sliceRight-16), base, value(c.best))
}

// maxChoices is how many choices have room for a name.
const maxChoices = 8

// choices draws categories as dots with whiskers.
func (c sliceChart) choices(d *drawing, y scale) {
	x := newScale(-0.5, float64(len(c.points))-0.5, sliceLeft, sliceWidth-sliceRight)
	room := int(float64(sliceWidth-sliceLeft-sliceRight) / float64(len(c.points)) / 6.4)
	for i, p := range c.points {
		at := x.at(float64(i))
		class, label := "dot", "tick"
		if p.Value == c.best {
			class, label = "dot best", "picked"
		}
		d.line("whisker", at, y.at(p.Mean-p.SD), at, y.at(p.Mean+p.SD))
		d.dot(class, at, y.at(p.Mean), 5, fmt.Sprintf("%s: %s ± %s", value(p.Value), decimal(p.Mean), decimal(p.SD)))
		if len(c.points) <= maxChoices || p.Value == c.best {
			d.text(label, "middle", at, sliceHeight-20, clip(value(p.Value), max(4, room)))
		}
	}
}
