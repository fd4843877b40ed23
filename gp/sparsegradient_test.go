package gp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSparseTrend: with the options of all duels as inducing points, sparse inference with a trend is the variational Gaussian with one, whatever the trend is
// made of and in both algebras; and with fewer points its bound has the gradient that the search uses.
func TestSparseTrend(t *testing.T) {
	a := Answers{Ties: true}
	for _, effects := range allEffects {
		for _, n := range []int{6, 40} {
			t.Run(fmt.Sprintf("%v/%d", effects, n), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(effects)))
				h := trendHyper(2, a)
				h.Kernel.Effects, h.Position = effects, 0.8
				duels := sidedDuels(rng, n, 2, a, h.Cuts, [3]float64{1, -1, 0})
				m := Model{Inference: Sparse, Answers: a, Trend: Gamma(2, 0.15), Effects: effects, Position: DefaultPosition(),
					SparseOptions: SparseOptions{Inducing: 14, Sobol: -1, Nodes: -1, Jitter: 1e-9}}.WithDefaults()
				ev, err := newSparse(m, duels, h, nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, few := ev.sparseAlgebra.(*sparseDuels); few != (n == 6) {
					t.Fatalf("algebra %T", ev.sparseAlgebra)
				}
				checkEvidenceGradient(t, m, ev, h)

				m.SparseOptions.Points = slices.Concat(duels.A, duels.B)
				got, err := m.Condition(duels, h, nil)
				if err != nil {
					t.Fatal(err)
				}
				m.Inference = Variational
				want, err := m.Condition(duels, h, nil)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "bound", got.Evidence(), want.Evidence(), 1e-6)
				p, q := NewMoments(3), NewMoments(3)
				for range 10 {
					x := make([]float64, 6)
					for i := range x {
						x[i] = rng.Float64()
					}
					got.Moments(p, x)
					want.Moments(q, x)
					for i := range p.Mean {
						near(t, "mean", p.Mean[i], q.Mean[i], 2e-5)
					}
					for i := range p.Cov {
						near(t, "covariance", p.Cov[i], q.Cov[i], 2e-5)
					}
				}
			})
		}
	}
}
