package report

import (
	"fmt"
	"html/template"
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
)

// sliceSteps is the number of points of a slice along a number.
const sliceSteps = 41

// sliceCharts draws the utility along every parameter, or feature, through the pick, all on one scale of utility, so that flat
// curves are parameters that hardly matter.
func sliceCharts(b *prefer.Belief, w presenter, shown []prefer.Option, order []string) ([]template.HTML, error) {
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
		parameters := w.space.Parameters
		if period, ok := w.space.Circular[name]; ok {
			parameters = []prefer.Parameter{prefer.Circle(name, 0, period)}
		}
		for _, p := range parameters {
			c.log = c.log || p.Name == name && p.Log
			if p.Name == name && p.Circular {
				c.points = append(c.points, prefer.SlicePoint{Value: prefer.ValueOf(p.High), Mean: all[i][0].Mean, SD: all[i][0].SD}) // the circle is closed
			}
		}
		for _, o := range shown {
			c.shown = append(c.shown, w.setting(o, name))
		}
		out = append(out, c.draw())
	}
	return out, nil
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
	d := chart.New("", sliceWidth, sliceHeight, fmt.Sprintf(
		"Utility along %s, the rest as in the pick: %s ± %s at %s, %s ± %s at %s; highest at %s; the pick has %s", c.name,
		decimal(first.Mean), decimal(first.SD), value(first.Value), decimal(last.Mean), decimal(last.SD), value(last.Value),
		value(top.Value), value(c.best)))
	d.Text("name", "start", 4, 16, chart.Clip(c.name, 40))
	y := chart.NewScale(c.lo, c.hi, sliceHeight-sliceBottom, sliceTop)
	for _, v := range y.Ticks(4) {
		d.Line("grid", sliceLeft, y.At(v), sliceWidth-sliceRight, y.At(v))
		d.Text("tick", "end", sliceLeft-6, y.At(v)+4, tick(math.Round(1e6*v)/1e6))
	}
	if !math.IsNaN(first.Value.Float()) && len(c.points) > 1 {
		c.curve(d, y)
	} else {
		c.choices(d, y)
	}
	return d.HTML()
}

// curve draws a number: a line in a band of one standard deviation, where the questions were, and the pick.
func (c sliceChart) curve(d *chart.Drawing, y chart.Scale) {
	along := func(v float64) float64 { return v }
	if c.log {
		along = math.Log
	}
	lo, hi := c.points[0].Value.Float(), c.points[len(c.points)-1].Value.Float()
	x := chart.NewScale(along(lo), along(hi), sliceLeft, sliceWidth-sliceRight)
	var line, band [][2]float64
	for _, p := range c.points {
		at := x.At(along(p.Value.Float()))
		line = append(line, [2]float64{at, y.At(p.Mean)})
		band = append(band, [2]float64{at, y.At(p.Mean + p.SD)})
	}
	for i := len(c.points) - 1; i >= 0; i-- {
		p := c.points[i]
		band = append(band, [2]float64{x.At(along(p.Value.Float())), y.At(p.Mean - p.SD)})
	}
	d.Path("band", true, band)
	for _, v := range c.shown {
		if at := x.At(along(v.Float())); at >= sliceLeft-1 && at <= sliceWidth-sliceRight+1 { // items that joined may lie outside
			d.Line("rug", at, sliceHeight-sliceBottom+1, at, sliceHeight-sliceBottom+7)
		}
	}
	d.Path("curve", false, line)
	at := x.At(along(c.best.Float()))
	d.Line("mark", at, sliceTop-4, at, sliceHeight-sliceBottom)
	base := sliceHeight - 20.0
	if at-sliceLeft > 60 {
		d.Text("tick", "start", sliceLeft, base, tick(lo))
	}
	if sliceWidth-sliceRight-at > 60 {
		d.Text("tick", "end", sliceWidth-sliceRight, base, tick(hi))
	}
	d.Text("picked", "middle", math.Min(math.Max(at, sliceLeft+16), sliceWidth-sliceRight-16), base, value(c.best))
}

// maxChoices is how many choices have room for a name.
const maxChoices = 8

// choices draws categories as dots with whiskers.
func (c sliceChart) choices(d *chart.Drawing, y chart.Scale) {
	x := chart.NewScale(-0.5, float64(len(c.points))-0.5, sliceLeft, sliceWidth-sliceRight)
	room := int(float64(sliceWidth-sliceLeft-sliceRight) / float64(len(c.points)) / 6.4)
	for i, p := range c.points {
		at := x.At(float64(i))
		class, label := "dot", "tick"
		if p.Value == c.best {
			class, label = "dot best", "picked"
		}
		d.Line("whisker", at, y.At(p.Mean-p.SD), at, y.At(p.Mean+p.SD))
		d.Dot(class, at, y.At(p.Mean), 5, fmt.Sprintf("%s: %s ± %s", value(p.Value), decimal(p.Mean), decimal(p.SD)))
		if len(c.points) <= maxChoices || p.Value == c.best {
			d.Text(label, "middle", at, sliceHeight-20, chart.Clip(value(p.Value), max(4, room)))
		}
	}
}
