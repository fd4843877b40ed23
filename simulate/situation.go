package simulate

import (
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/space"
)

// Settings of the contexts under which simulated people are asked in turn: all of them up to maxSettings, as prefer.Study.Contexts has it; of more, or of
// a context that is real, a quasi-random few.
const (
	maxSettings  = 24
	someSettings = 6
)

// heldPlaces returns the settings of the contexts as places of their axes, by number; none without contexts.
func heldPlaces(s space.Space, l coding.Layout) []map[int]float64 {
	var axes []int
	for j, p := range s.Parameters {
		if p.Context {
			axes = append(axes, j+len(l.Levels)-len(s.Parameters)) // beside items the first axis is the item
		}
	}
	if len(axes) == 0 {
		return nil
	}
	all := []map[int]float64{{}}
	for _, j := range axes {
		n := l.Levels[j]
		if n == 0 || len(all)*n > maxSettings {
			return somePlaces(axes)
		}
		var more []map[int]float64
		for _, held := range all {
			for i := range n {
				each := map[int]float64{j: (float64(i) + 0.5) / float64(n)}
				for k, u := range held {
					each[k] = u
				}
				more = append(more, each)
			}
		}
		all = more
	}
	return all
}

// somePlaces returns quasi-random settings of the contexts.
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

// situations returns the landscapes under the settings of the contexts, those left aside that the constraints rule out.
func situations(s space.Space, layout coding.Layout) (out []*landscape, err error) {
	for _, held := range heldPlaces(s, layout) {
		l := &landscape{layout: layout, held: held}
		if l.spread(); len(l.options) == 0 {
			continue
		}
		l.fixed = s.Context(l.options[0])
		if slices.ContainsFunc(out, func(o *landscape) bool { return o.fixed.String() == l.fixed.String() }) {
			continue
		}
		if len(l.options) < topOptions {
			return nil, fmt.Errorf("simulate: only %d of %d quasi-random options under {%v} satisfy the constraints %q: too few to know where the best is", len(l.options), landscapeTries, l.fixed, s.Constraints)
		}
		out = append(out, l)
	}
	return out, nil
}
