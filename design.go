package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
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
func (cfg *Config) designPair(v view, r rules) ([]float64, error) {
	pairs := v.code.Pairs(cfg.Seed)
	tries := designTries
	if len(v.code.Constraints) > 0 || r.allowed != nil {
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
		options := v.code.Scarce(r.fixed, r.allowed, splitmix.At(cfg.Seed, uint64(v.design)))
		for i, a := range options {
			for _, b := range options[:i] {
				if a, b := slices.Clone(a), slices.Clone(b); good(i, a, b) {
					return slices.Concat(a, b), nil
				}
			}
		}
	}
	if first == nil {
		return nil, coding.Refuse("option", "none of %d pairs of options tried satisfies the constraints and conditions", tries)
	}
	return first, nil
}

// designPairs returns the pairs of the sequence that come after the next one.
func (cfg *Config) designPairs(v view, n int) (out [][]float64, err error) {
	rules, err := cfg.rules(v, Request{})
	for range n {
		v.design++
		var x []float64
		if err == nil {
			x, err = cfg.designPair(v, rules)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}
