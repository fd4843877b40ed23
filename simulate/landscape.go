package simulate

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// landscape is where utilities are looked at under one setting of the contexts: all items of a list, or quasi-random options that satisfy the
// constraints, from the best of which the maximum is climbed to.
type landscape struct {
	code    *coding.Coding
	options []space.Option
	places  [][]float64 // of the options, one number per parameter; nil in a list

	fixed space.Option    // the contexts of all options; nil without any
	held  map[int]float64 // their places, by axis
}

const (
	landscapePoints = 2048    // options of a box
	landscapeTries  = 1 << 16 // until so many satisfy the constraints
	climbs          = 6       // from the best of them
	firstStep       = 0.1     // of the range
	lastStep        = 1e-3    // where a climb ends
)

// newLandscape returns the landscapes under the settings of the contexts, one in a study without. Those that the constraints rule out are left aside.
func newLandscape(s space.Space) (out []*landscape, err error) {
	code, err := coding.New(s)
	if err == nil {
		err = code.Costly
	}
	if err != nil {
		return nil, err
	}
	if len(s.Items) > 0 && !s.Crossed() {
		return []*landscape{{code: code, options: xslices.Map(s.Items, func(it space.Item) space.Option { return space.ItemOption(it.ID) })}}, nil
	}
	few := func(options int, under string) error {
		return fmt.Errorf("simulate: only %d of %d quasi-random options%s satisfy the constraints %q: too few to know where the best is",
			options, landscapeTries, under, s.Constraints)
	}
	for _, held := range heldPlaces(code) {
		l := &landscape{code: code, held: held}
		if l.spread(); len(l.options) == 0 {
			continue
		}
		under := ""
		if l.fixed = s.Context(l.options[0]); l.fixed != nil {
			under = fmt.Sprintf(" under {%v}", l.fixed)
		}
		if slices.ContainsFunc(out, func(o *landscape) bool { return o.fixed.String() == l.fixed.String() }) {
			continue
		}
		if len(l.options) < topOptions {
			return nil, few(len(l.options), under)
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		return nil, few(0, "")
	}
	return out, nil
}

func (l *landscape) spread() {
	seq := sobol.Scrambled(len(l.code.Axes), 1)
	for i := uint64(0); i < landscapeTries && len(l.options) < landscapePoints; i++ {
		u := make([]float64, len(l.code.Axes))
		seq.At(i, u)
		for j, at := range l.held {
			u[j] = at
		}
		if o, ok := l.code.At(u); ok {
			l.options, l.places = append(l.options, o), append(l.places, u)
		}
	}
}

// survey returns the utility at all options, and where it is largest with the utility there.
func (l *landscape) survey(f func(space.Option) float64) (values []float64, best space.Option, top float64, err error) {
	values = make([]float64, len(l.options))
	for i, o := range l.options {
		if values[i] = f(o); math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
			return nil, nil, 0, fmt.Errorf("simulate: the utility of %v is %g, want a finite number", o, values[i])
		}
	}
	top = slices.Max(values)
	best = l.options[slices.Index(values, top)]
	for _, i := range coding.ByScore(values)[:min(climbs, len(l.places))] { // a list has no places
		if u, value := l.climb(f, l.places[i], values[i]); value > top {
			best, _ = l.code.At(u)
			top = value
		}
	}
	return values, best, top, nil
}

// climb goes uphill from u parameter by parameter, in steps that shrink, to other choices too, and returns the place where it ends with the utility there.
func (l *landscape) climb(f func(space.Option) float64, u []float64, value float64) ([]float64, float64) {
	for step := firstStep; step >= lastStep; {
		moved := false
		for j := range u {
			for _, to := range l.steps(j, u[j], step) {
				trial := slices.Clone(u)
				trial[j] = to
				if o, ok := l.code.At(trial); ok {
					if v := f(o); v > value {
						u, value, moved = trial, v, true
					}
				}
			}
		}
		if !moved {
			step /= 2
		}
	}
	return u, value
}

// steps returns where a climb looks from u along parameter j: a step up and down, at least to the neighbouring choice, or all other
// choices where they have no order.
func (l *landscape) steps(j int, u, step float64) []float64 {
	a := l.code.Axes[j]
	n := len(a.Vals)
	if _, held := l.held[j]; held {
		return nil
	}
	if n > 0 && !a.Ordered() {
		return xslices.Times(n, func(i int) float64 { return (float64(i) + 0.5) / float64(n) })
	}
	if n > 0 {
		step = math.Max(step, 1/float64(n))
	}
	if a.Circular {
		up, down := u+step, u-step+1
		return []float64{up - math.Floor(up), down - math.Floor(down)}
	}
	return []float64{math.Min(u+step, 1), math.Max(u-step, 0)}
}

// Settings of the contexts under which simulated people are asked in turn: all of them up to maxSettings, as prefer.Study.Contexts has it; of more, or of
// a context that is real, a quasi-random few.
const (
	maxSettings  = 24
	someSettings = 6
)

// heldPlaces returns the settings of the contexts as places of their axes, by number; an empty one without contexts.
func heldPlaces(c *coding.Coding) []map[int]float64 {
	var axes []int
	for j, a := range c.Axes {
		if a.Context {
			axes = append(axes, j)
		}
	}
	all := []map[int]float64{{}}
	for _, j := range axes {
		n := len(c.Axes[j].Vals)
		if n == 0 || len(all)*n > maxSettings {
			return somePlaces(axes)
		}
		var more []map[int]float64
		for _, held := range all {
			for i := range n {
				each := maps.Clone(held)
				each[j] = (float64(i) + 0.5) / float64(n)
				more = append(more, each)
			}
		}
		all = more
	}
	return all
}

func somePlaces(axes []int) (out []map[int]float64) {
	seq, u := sobol.Scrambled(len(axes), 2), make([]float64, len(axes))
	for i := range uint64(someSettings) {
		seq.At(i, u)
		held := map[int]float64{}
		for k, j := range axes {
			held[j] = u[k]
		}
		out = append(out, held)
	}
	return out
}
