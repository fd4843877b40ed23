package prefer

import (
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/splitmix"
)

// designTries is the number of pairs of the sequence looked at for one that may be asked; under
// constraints and conditions, which can leave few, more.
const (
	designTries      = 256
	constrainedTries = 1 << 13
)

// designPair returns the next pair of the study's scrambled Sobol sequence that the rules let through
// and that was not asked before: a pair passed over shifts the sequence for later ones. If the rules
// leave hardly any pair, the next one that is a pair of different options of the space.
func (s *Study) designPair(v view, r rules) ([]float64, error) {
	pairs := v.code.pairs(s.cfg.Seed)
	tries := designTries
	if len(v.code.constraints) > 0 || r.allowed != nil {
		tries = constrainedTries
	}
	var first []float64
	good := func(i int, a, b []float64) bool {
		r.fixed(a)
		r.fixed(b)
		if r.hold != nil {
			copy(a, r.hold)
		}
		if !r.usable(v.code, a, b) {
			return false
		}
		if first == nil {
			first = slices.Concat(a, b)
		}
		return (r.accept == nil || r.accept(a, b)) && (i == 0 && r.accept == nil || !clash(v.code, v.past, a, b, sameQuestion))
	}
	for i := range tries {
		if a, b := pairs(uint64(v.design + i)); good(i, a, b) {
			return slices.Concat(a, b), nil
		}
	}
	if first == nil { // of a set that is a hundredth of the space pairs are a ten-thousandth
		options := v.code.scarce(r.fixed, r.allowed, splitmix.At(s.cfg.Seed, uint64(v.design)))
		for i, a := range options {
			for _, b := range options[:i] {
				if a, b := slices.Clone(a), slices.Clone(b); good(i, a, b) {
					return slices.Concat(a, b), nil
				}
			}
		}
	}
	if first == nil {
		return nil, fmt.Errorf("prefer: none of %d pairs of options tried satisfies the constraints and conditions: %w", tries, ErrOption)
	}
	return first, nil
}

// scarceOptions is how many options pairs are made of where the tries of the sequence found none.
const scarceOptions = 64

// scarce returns some options that pairs can be made of where hardly any may be asked: of items those that may, at most scarceOptions of them.
func (c *coding) scarce(fixed func(x []float64), allowed func(x []float64) bool, seed uint64) (out [][]float64) {
	points := slices.Collect(slices.Chunk(c.points(scarceOptions, seed), c.dim))
	t := c.table()
	if t == nil || allowed == nil || len(points) == 0 {
		return points
	}
	for i, row := range slices.Collect(slices.Chunk(t.rows, t.dim)) {
		x := slices.Concat(row, points[i%len(points)][t.dim:])
		if fixed(x); len(out) < scarceOptions && allowed(x) && c.contains(x) {
			out = append(out, x)
		}
	}
	return out
}

// designPairs returns the pairs of the sequence that come after the next one.
func (s *Study) designPairs(v view, n int) (out [][]float64, err error) {
	rules, err := s.rules(v, Request{})
	for range n {
		v.design++
		var x []float64
		if err == nil {
			x, err = s.designPair(v, rules)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// pairs returns the quasi-random sequence of pairs of a space.
func (c *coding) pairs(seed uint64) func(i uint64) (a, b []float64) {
	if t := c.items; t != nil {
		seq, u := sobol.Scrambled(2, seed), make([]float64, 2)
		row := func(u float64) []float64 { return t.point(t.at[min(int(u*float64(len(t.at))), len(t.at)-1)]) }
		return func(i uint64) (a, b []float64) {
			seq.At(i, u)
			return row(u[0]), row(u[1])
		}
	}
	d := len(c.axes)
	seq, u := sobol.Scrambled(2*d, seed), make([]float64, 2*d)
	return func(i uint64) (a, b []float64) {
		seq.At(i, u)
		a, b = make([]float64, c.dim), make([]float64, c.dim)
		c.spread(a, u[:d])
		c.spread(b, u[d:])
		return a, b
	}
}
