package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Slice is how often each value of a parameter would be taken over the pick's, all else as in the pick: with d = f(x̂) − f(x) of mean
// Below and standard deviation BelowSD in units of the noise,
//
//	curve E[Φ(−d)] = Φ(−Below/√(1 + BelowSD²)),   band Φ(−Below ± 1.645 BelowSD),
//
// what is expected of that chance and where it lies with nine chances in ten. So all slices have one scale, on which a flat one is a
// parameter that hardly matters.
type Slice struct {
	Parameter space.Parameter
	Points    []prefer.SlicePoint
	Best      space.Value
	Asked     []space.Value              // values that were shown
	Unit      string                     // of the values, "px"
	Paint     func(value float64) string // the colour a value stands for, as CSS; nil where it stands for none
	Name      func(space.Value) string   // of a choice; Number if nil
	Label     string                     // what it shows, in words
}

// Sizes of a slice.
const (
	sliceWidth, sliceHeight = 320.0, 196.0
	sliceLeft, sliceRight   = 40.0, 308.0
	sliceTop, sliceAxis     = 24.0, 152.0
	sliceRow, sliceNames    = 28.0, 112.0
	maxChoices              = 16 // rows of words
)

// HTML draws a number as a curve and words as rows.
func (s Slice) HTML() template.HTML {
	switch {
	case len(s.Points) == 0:
		return ""
	case s.Parameter.Type == "ordinal" || math.IsNaN(s.Points[0].Value.Float()) || len(s.Points) == 1:
		return s.rows()
	}
	return s.curve()
}

// chance is how often a point is taken over the pick, and between what that lies.
func chance(p prefer.SlicePoint) (mid, low, high float64) {
	far, near := NineInTen(p.Below, p.BelowSD)
	return taken(p.Below, p.BelowSD), taken(near, 0), taken(far, 0)
}

// pointLabel writes how often a point is taken over the pick, with its range.
func pointLabel(name string, p prefer.SlicePoint) string {
	mid, low, high := chance(p)
	return fmt.Sprintf("%s: %s (%.0f–%.0f)", name, sentence.Percent(mid), 100*low, 100*high)
}

func (s Slice) curve() template.HTML {
	points := s.Points
	if s.Parameter.Circular { // the circle is closed
		last := points[0]
		last.Value = space.ValueOf(s.Parameter.High)
		points = append(slices.Clip(points), last)
	}
	lo, hi := points[0].Value.Float(), points[len(points)-1].Value.Float()
	x := Axis(s.Parameter, lo, hi, sliceLeft, sliceRight)
	y := NewScale(0, 1, sliceAxis, sliceTop)
	d := New("chart slice", sliceWidth, sliceHeight, s.Label)
	for _, v := range []float64{0, 0.5, 1} {
		d.Line("grid", sliceLeft, y.At(v), sliceRight, y.At(v))
		d.Text("tick", "end", sliceLeft-6, y.At(v)+4, sentence.Percent(v))
	}
	var upper, lower, mid [][2]float64
	for _, p := range points {
		at := x.At(p.Value.Float())
		m, low, high := chance(p)
		upper, lower, mid = append(upper, [2]float64{at, y.At(high)}), append(lower, [2]float64{at, y.At(low)}), append(mid, [2]float64{at, y.At(m)})
	}
	slices.Reverse(lower)
	d.Path("band", true, append(upper, lower...))
	d.Path("curve", false, mid)
	foot := sliceAxis
	if s.Paint != nil {
		const parts = 72
		for i := range parts {
			from := sliceLeft + (sliceRight-sliceLeft)*float64(i)/parts
			d.Swatch(from, foot+1, (sliceRight-sliceLeft)/parts+0.3, 9, s.Paint(x.Of(from+(sliceRight-sliceLeft)/parts/2)))
		}
		foot += 10
	}
	for _, v := range s.Asked {
		if at := x.At(v.Float()); at >= sliceLeft-1 && at <= sliceRight+1 { // items that joined may lie outside
			d.Line("asked", at, sliceAxis-7, at, sliceAxis)
		}
	}
	d.Line("axis", sliceLeft, sliceAxis, sliceRight, sliceAxis)
	best := x.At(s.Best.Float())
	for i, v := range x.Ticks(4) {
		at := x.At(v)
		d.Line("axis", at, foot, at, foot+4)
		if math.Abs(at-best) > 30 {
			d.Text("tick", "middle", min(max(at, sliceLeft+4), sliceRight-8), foot+19, Tick(v)+first(i, s.Unit))
		}
	}
	d.Line("mark", best, y.At(0.5), best, foot+4)
	d.Dot("dot best", best, y.At(0.5), 5.5, "")
	d.Text("picked", "middle", min(max(best, sliceLeft+8), sliceRight-10), foot+19, Number(s.Best)+unitAfter(s.Unit))
	s.spots(d, points, mid)
	return d.HTML()
}

// spots are what is said under the pointer: for every point a column that has it.
func (s Slice) spots(d *Drawing, points []prefer.SlicePoint, mid [][2]float64) {
	for i, p := range points {
		from, to := mid[max(i-1, 0)][0], mid[min(i+1, len(mid)-1)][0]
		from, to = (from+mid[i][0])/2, (to+mid[i][0])/2
		d.Spot(from, sliceTop-16, to-from, sliceAxis-sliceTop+30, mid[i], sliceAxis, sliceLeft, sliceRight, 12, pointLabel(Number(p.Value)+unitAfter(s.Unit), p))
	}
}

func unitAfter(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit // a space that does not break
}

func (s Slice) rows() template.HTML {
	name := s.Name
	if name == nil {
		name = Number
	}
	points := s.Points
	if len(points) > maxChoices { // those that stand best, in their order
		below := xslices.Map(points, func(p prefer.SlicePoint) float64 { return p.Below })
		limit := slices.Sorted(slices.Values(below))[maxChoices-1]
		points = slices.DeleteFunc(slices.Clone(points), func(p prefer.SlicePoint) bool { return p.Below > limit })
	}
	height := sliceRow*float64(len(points)) + 34
	d := New("chart slice", sliceWidth, height, s.Label)
	x := NewScale(0, 1, sliceNames+8, sliceRight)
	foot := height - 24
	for _, v := range []float64{0, 0.5, 1} {
		d.Line("grid", x.At(v), 4, x.At(v), foot)
		d.Text("tick", "middle", min(x.At(v), sliceRight-10), foot+16, sentence.Percent(v))
	}
	for i, p := range points {
		y := sliceRow*(float64(i)+0.5) + 4
		mid, low, high := chance(p)
		class, label := "dot", "label"
		if p.Value == s.Best {
			class, label = "dot best", "picked"
		}
		d.TextTip(label, "end", sliceNames-4, y+4, Clip(name(p.Value), 16), name(p.Value))
		d.Line("whisker", x.At(low), y, x.At(high), y)
		d.Dot(class, x.At(mid), y, 5.5, pointLabel(name(p.Value), p))
	}
	return d.HTML()
}
