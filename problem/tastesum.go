package problem

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Sum returns the taste
//
//	Σᵢ wᵢ (fᵢ − mean fᵢ) / spread fᵢ
//
// of tastes about the same parameters: what people have in common and what is their own, or what is best for several. One
// to whom all options are alike adds nothing. (A sum in it is taken as centred: it is but for the options it was measured by,
// which moves all utilities by the same.) The seed draws the options by which the sum is measured, and its best one is
// searched for.
func Sum(seed uint64, of []*Taste, weights []float64) (*Taste, error) {
	if len(of) == 0 || len(of) != len(weights) {
		return nil, fmt.Errorf("problem: a sum of %d tastes with %d weights, want as many, and one at least", len(of), len(weights))
	}
	t := &Taste{Family: "sum", Kind: of[0].Kind, Shape: of[0].Shape, Parts: of[0].Parts}
	var terms []term
	var hints [][]float64
	for i, a := range of {
		switch {
		case a.Items != nil:
			return nil, errors.New("problem: a sum of tastes about a list, want them about parameters")
		case !slices.Equal(a.Parts, t.Parts):
			return nil, fmt.Errorf("problem: taste %d of a sum is about %v, the first about %v", i, a.Parts, t.Parts)
		case a.Kind == ruggedFamilies:
			t.Kind = ruggedFamilies
		}
		hints = append(hints, a.At)
		if a.Spread > 0 {
			terms = a.addTo(terms, weights[i]/a.Spread)
		}
	}
	t.terms, t.f = terms, func(x []float64) float64 {
		s := 0.0
		for _, m := range terms {
			s += m.weight * (m.of.f(x) - m.of.Mean)
		}
		return s
	}
	var key [32]byte
	copy(key[:8], "sum/1")
	binary.LittleEndian.PutUint64(key[8:], seed)
	rng := rand.New(rand.NewChaCha8(key))
	t.measure(rng, tasteSample)
	t.Max, t.At = t.search(rng, hints)
	return t, nil
}

// term is a taste in a sum: weight·(f − mean f).
type term struct {
	of     *Taste
	weight float64
}

// addTo adds a taste to a sum. Of a sum its own terms are added, so that what many have in common is computed once.
func (t *Taste) addTo(sum []term, weight float64) []term {
	own := t.terms
	if own == nil {
		own = []term{{t, 1}}
	}
	for _, m := range own {
		if i := slices.IndexFunc(sum, func(s term) bool { return s.of == m.of }); i >= 0 {
			sum[i].weight += weight * m.weight
		} else {
			sum = append(sum, term{m.of, weight * m.weight})
		}
	}
	return sum
}
