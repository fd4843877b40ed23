package prefer

import (
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
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
	seq := newPairs(v.code, s.cfg.Seed)
	tries := designTries
	if len(v.code.constraints) > 0 || r.allowed != nil {
		tries = constrainedTries
	}
	var first []float64
	for i := range tries {
		a, b := seq.at(uint64(v.design + i))
		r.fixed(a)
		r.fixed(b)
		if r.hold != nil {
			copy(a, r.hold)
		}
		if !r.usable(v.code, a, b) {
			continue
		}
		if (r.accept == nil || r.accept(a, b)) && (i == 0 && r.accept == nil || !clash(v.past, a, b, sameQuestion)) {
			return slices.Concat(a, b), nil
		}
		if first == nil {
			first = slices.Concat(a, b)
		}
	}
	if first == nil {
		return nil, fmt.Errorf("prefer: none of %d pairs of options tried satisfies the constraints and conditions: %w", tries, ErrOption)
	}
	return first, nil
}

// pairs is the quasi-random sequence of pairs of a space.
type pairs struct {
	code *coding
	seq  *sobol.Sequence
	u    []float64
}

func newPairs(c *coding, seed uint64) *pairs {
	d := len(c.axes)
	if c.items != nil {
		d = 1
	}
	return &pairs{code: c, seq: sobol.Scrambled(2*d, seed), u: make([]float64, 2*d)}
}

// at returns pair number i.
func (p *pairs) at(i uint64) (a, b []float64) {
	p.seq.At(i, p.u)
	if t := p.code.items; t != nil {
		row := func(u float64) []float64 { return t.point(t.at[min(int(u*float64(len(t.at))), len(t.at)-1)]) }
		return row(p.u[0]), row(p.u[1])
	}
	d := len(p.code.axes)
	a, b = make([]float64, p.code.dim), make([]float64, p.code.dim)
	p.code.spread(a, p.u[:d])
	p.code.spread(b, p.u[d:])
	return a, b
}
