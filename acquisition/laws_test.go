package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// TestKGTower: with one fantasy point for all outcomes the answer cannot matter: kg = μ(x).
func TestKGTower(t *testing.T) {
	for _, n := range outcomeCounts {
		a, c := scale(n)
		k := NewKG(a, c, 0.7)
		for seed := range uint64(20) {
			list := randomMoments(rand.New(rand.NewPCG(seed, 82)), 3)
			at := []int{0, 1}
			for range n {
				at = append(at, 2)
			}
			agree(t, "kg", k.Value(momentsAt(list, at), nil), list.Mean[2], 1e-14)
		}
	}
}

// TestKGLaws checks the inequalities of the exact knowledge gradient on finite lists, where the inner
// maxima are exact: information never hurts; it is worth at least the expected utility of the option
// that wins the (noisy) duel; and without noise at least EUBO, with the same maximum.
func TestKGLaws(t *testing.T) {
	const n, slack = 6, 1e-13
	for seed := range uint64(50) {
		l := randomMoments(rand.New(rand.NewPCG(seed, 83)), n)
		top := math.Inf(-1)
		for _, mu := range l.Mean {
			top = math.Max(top, mu)
		}
		bestKG, bestEUBO := math.Inf(-1), math.Inf(-1)
		for i := range n {
			for j := range n {
				eubo := EUBO{}.Value(momentsAt(l, []int{i, j}), nil)
				for _, sigma := range []float64{0, 0.1, 1, 10} {
					for _, outcomes := range outcomeCounts {
						a, c := scale(outcomes)
						kg := NewKG(a, c, sigma).Discrete(l.Mean, l.Cov, i, j, nil)
						if kg < top-slack || i == j && math.Abs(kg-top) > slack {
							t.Errorf("seed %d, (%d,%d), σ=%g, %d outcomes: kg = %.17g, max μ = %.17g", seed, i, j, sigma, outcomes, kg, top)
						}
					}
					kg := KG{Edges: []float64{0}, Sigma: sigma}.Discrete(l.Mean, l.Cov, i, j, nil)
					if noisy := noisyEUBO(l, i, j, sigma); kg < noisy-slack {
						t.Errorf("seed %d, (%d,%d), σ=%g: kg = %.17g below noisy EUBO %.17g", seed, i, j, sigma, kg, noisy)
					}
					if sigma > 0 {
						continue
					}
					if kg < eubo-slack {
						t.Errorf("seed %d, (%d,%d): noiseless kg = %.17g below EUBO %.17g", seed, i, j, kg, eubo)
					}
					bestKG, bestEUBO = math.Max(bestKG, kg), math.Max(bestEUBO, eubo)
				}
			}
		}
		agree(t, fmt.Sprintf("seed %d: max of noiseless kg", seed), bestKG, bestEUBO, slack)
	}
}

// noisyEUBO is the expected utility of the duel's winner, Φ(τ)μ₁ + Φ(−τ)μ₂ + φ(τ)v/s.
func noisyEUBO(l *gp.Moments, i, j int, sigma float64) float64 {
	m, v := momentsAt(l, []int{i, j}).Difference(0, 1)
	s := math.Sqrt(v + sigma*sigma)
	if s == 0 {
		return l.Mean[i]
	}
	tau := m / s
	return normal.CDF(tau)*l.Mean[i] + normal.CDF(-tau)*l.Mean[j] + normal.PDF(tau)*v/s
}

// TestEUBOIsNoLowerBound: the paper's remark (§2.2) that EUBO bounds the knowledge gradient from
// below does not hold under noise. Two independent N(0, 1) options and no others are enough.
func TestEUBOIsNoLowerBound(t *testing.T) {
	mean, cov := []float64{0, 0}, []float64{1, 0, 0, 1}
	kg := KG{Edges: []float64{0}, Sigma: 1}.Discrete(mean, cov, 0, 1, nil)
	m := gp.NewMoments(2)
	copy(m.Cov, cov)
	eubo := EUBO{}.Value(m, nil)
	agree(t, "kg", kg, 0.460659, 1e-6)
	agree(t, "eubo", eubo, 0.564190, 1e-6)
	if kg >= eubo {
		t.Errorf("kg = %g, eubo = %g", kg, eubo)
	}
}

// TestKGLimit: as σ → 0, with the options themselves as fantasy points, kg is EUBO.
func TestKGLimit(t *testing.T) {
	for seed := range uint64(20) {
		l := randomMoments(rand.New(rand.NewPCG(seed, 84)), 2)
		m := momentsAt(l, []int{0, 1, 1, 0})
		eubo := EUBO{}.Value(l, nil)
		agree(t, "kg at σ=0", KG{Edges: []float64{0}}.Value(m, nil), eubo, 1e-14)
		agree(t, "kg at σ=1e-6", KG{Edges: []float64{0}, Sigma: 1e-6}.Value(m, nil), eubo, 1e-10)
	}
}
