package rehearse

import (
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
)

// layout is the space in the coordinates of the study's model, so that the prior drawn from is the study's own:
// numbers by their place in the range, choices without order by indicators that share a lengthscale, items by their
// features, or each on its own without any. TestLayout holds it against a study's belief.
type layout struct {
	axes   []axis
	dim    int
	scales []int // gp.Model.Scales
	items  map[string]prefer.Item
	single bool           // items without features
	place  map[string]int // of such an item
}

// axis is a parameter, or a feature of items.
type axis struct {
	name      string
	at, width int
	low, high float64
	log       bool
	values    []prefer.Value // nil for a real number
	level     map[prefer.Value]int
	ordered   bool
}

func newLayout(s prefer.Space) *layout {
	l := &layout{}
	if len(s.Items) > 0 {
		l.addItems(s.Items)
		return l
	}
	for _, p := range s.Parameters {
		a := axis{name: p.Name, low: p.Low, high: p.High, log: p.Log, ordered: true}
		switch p.Type {
		case "int":
			step := p.Step
			if step == 0 {
				step = 1
			}
			for i := range int(math.Round((p.High-p.Low)/step)) + 1 {
				a.values = append(a.values, prefer.Number(p.Low+float64(i)*step))
			}
		case "bool":
			a.values = []prefer.Value{prefer.Bool(false), prefer.Bool(true)}
		case "ordinal", "categorical":
			a.values, a.ordered = p.Choices, p.Type == "ordinal"
		}
		l.add(a)
	}
	return l
}

func (l *layout) addItems(items []prefer.Item) {
	l.items, l.place = map[string]prefer.Item{}, map[string]int{}
	for i, it := range items {
		l.items[it.ID], l.place[it.ID] = it, i
	}
	for _, name := range slices.Sorted(maps.Keys(items[0].Features)) {
		a := axis{name: name, low: math.Inf(1), high: math.Inf(-1)}
		seen := map[prefer.Value]bool{}
		for _, it := range items {
			v := it.Features[name]
			if v.IsNumber() {
				a.low, a.high = min(a.low, v.Float()), max(a.high, v.Float())
			} else if !seen[v] {
				seen[v] = true
				a.values = append(a.values, v)
			}
		}
		if seen[prefer.Bool(true)] || seen[prefer.Bool(false)] {
			a.values = []prefer.Value{prefer.Bool(false), prefer.Bool(true)}
		}
		l.add(a)
	}
	if len(l.axes) == 0 {
		l.single, l.dim, l.scales = true, 1, []int{-1}
	}
}

func (l *layout) add(a axis) {
	a.at, a.width = l.dim, 1
	if len(a.values) > 2 && !a.ordered {
		a.width = len(a.values)
	}
	a.level = make(map[prefer.Value]int, len(a.values))
	for i, v := range a.values {
		a.level[v] = i
	}
	l.axes = append(l.axes, a)
	l.dim += a.width
	for range a.width {
		l.scales = append(l.scales, len(l.axes)-1)
	}
}

// point returns the coordinates of an option of the space.
func (l *layout) point(o prefer.Option) []float64 {
	x := make([]float64, l.dim)
	if l.single {
		x[0] = float64(l.place[o.Item()])
		return x
	}
	values := map[string]prefer.Value(o)
	if l.items != nil {
		values = l.items[o.Item()].Features
	}
	for _, a := range l.axes {
		v := values[a.name]
		switch {
		case a.width > 1:
			x[a.at+a.level[v]] = math.Sqrt2 / 2
		case v.IsNumber() && a.high > a.low: // floats, ints and features
			x[a.at] = a.position(v.Float())
		default:
			x[a.at] = float64(a.level[v]) / float64(max(1, len(a.values)-1))
		}
	}
	return x
}

func (a axis) position(v float64) float64 {
	if a.log {
		return min(math.Log(v/a.low)/math.Log(a.high/a.low), 1)
	}
	return (v - a.low) / (a.high - a.low)
}

// option returns the option at u, one number of [0, 1] per parameter; every choice has the same share.
func (l *layout) option(u []float64) prefer.Option {
	o := make(prefer.Option, len(l.axes))
	for j, a := range l.axes {
		switch {
		case a.values != nil:
			o[a.name] = a.values[min(int(u[j]*float64(len(a.values))), len(a.values)-1)]
		case a.log:
			o[a.name] = prefer.Number(min(max(a.low*math.Pow(a.high/a.low, u[j]), a.low), a.high))
		default:
			o[a.name] = prefer.Number(min(max(a.low+u[j]*(a.high-a.low), a.low), a.high))
		}
	}
	return o
}
