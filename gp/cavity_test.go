package gp

import (
	"math"
	"testing"
)

// TestCavity: the short formula and that by the marginal are one, also beside level duels, and both are the posterior of the other answers as far as
// their sites do not know the one that is left out.
func TestCavity(t *testing.T) {
	m := Model{Noise: 1}.WithDefaults()
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.5}, Outputscale: 4}, Cuts: Cuts{0}}
	for _, level := range []bool{false, true} {
		all, rest := &Duels{Dim: 1}, &Duels{Dim: 1}
		for _, d := range []*Duels{all, rest} {
			for i, x := range []float64{0.9, 0.7, 0.6} {
				if level && i == 1 {
					if err := d.AddBelow([]float64{0.2}, 0); err != nil {
						t.Fatal(err)
					}
				}
				if err := d.Add([]float64{x}, []float64{x / 3}, 1); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := all.Add([]float64{0.8}, []float64{0.1}, 1); err != nil {
			t.Fatal(err)
		}
		p, err := m.Condition(all, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		i := all.Len() - 1
		mean, v := p.Cavity(all, i)
		mo := NewMoments(2)
		p.Moments(mo, []float64{0.8, 0.1})
		at, vrc := mo.Difference(0, 1)
		l, nu := p.sites.Lambda[i], p.sites.Nu[i]
		vc := vrc / (1 - l*vrc)
		if mc := at + vc*(l*at-nu); math.Abs(mean-mc) > 1e-9 || math.Abs(v-vc) > 1e-9 {
			t.Errorf("level duels %v: N(%g, %g) by R, N(%g, %g) by the marginal", level, mean, v, mc, vc)
		}
		q, err := m.Condition(rest, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Moments(mo, []float64{0.8, 0.1})
		if at, vrc = mo.Difference(0, 1); math.Abs(mean-at) > 0.1 || math.Abs(v-vrc) > 0.2 {
			t.Errorf("level duels %v: N(%g, %g) without the answer, N(%g, %g) never told it", level, mean, v, at, vrc)
		}
	}
}
