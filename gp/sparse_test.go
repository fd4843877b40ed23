package gp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestSparseReference(t *testing.T) {
	for _, c := range loadReference(t).Variational.Cases {
		for nodes, want := range map[int]gaussianAnswer{20: c.Nodes20, 100: c.Nodes100} {
			t.Run(fmt.Sprintf("%s/%d", c.Name, nodes), func(t *testing.T) {
				m := Model{Inference: Sparse, SparseOptions: SparseOptions{Points: flatten(c.Z), Nodes: nodes}}
				p, err := m.Condition(c.duels(t), c.hyper(), nil)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "ELBO", p.Evidence(), want.ELBO, 1e-8)
				ev, err := newSparse(m.WithDefaults(), c.duels(t), c.hyper(), nil)
				if err != nil {
					t.Fatal(err)
				}
				z, ok := ev.evaluate(c.hyper(), 1e-12, nil)
				if !ok {
					t.Error("not settled")
				}
				near(t, "KL", ev.divergence(), want.KL, 1e-7)
				near(t, "expected log likelihood", z+ev.divergence(), want.Expected, 1e-7)
				checkPosterior(t, p, c.Test, want.Mean, want.Cov, 1e-6)
			})
		}
	}
}

func TestSparseMAPReference(t *testing.T) {
	for _, c := range loadReference(t).Variational.Cases {
		t.Run(c.Name, func(t *testing.T) {
			m := Model{Inference: Sparse, Tolerance: 1e-5, SparseOptions: SparseOptions{Points: flatten(c.Z)}}
			p, err := m.Fit(context.Background(), c.duels(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			if w := p.Warnings(); len(w) > 0 {
				t.Error(w)
			}
			h := p.Hyper()
			for j, l := range h.Kernel.Lengthscale {
				near(t, "lengthscale", l/c.MAP.Lengthscale[j], 1, 1e-4)
			}
			near(t, "outputscale", h.Kernel.Outputscale/c.MAP.Outputscale, 1, 1e-4)
			near(t, "objective", p.Evidence()+p.LogPrior(), c.MAP.Objective, 1e-8)
			checkPosterior(t, p, c.Test, c.MAP.Mean, nil, 2e-4)
		})
	}
}

func TestSparseEvidenceGradient(t *testing.T) {
	for kind, a := range answerKinds {
		t.Run(kind, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, uint64(len(kind))))
			cuts := testCuts(a)
			duels := randomDuels(rng, 30, 2, a, cuts)
			m := Model{Inference: Sparse, Answers: a, SparseOptions: SparseOptions{Inducing: 25, Sobol: 20, Nodes: -1}}.WithDefaults()
			h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 5}, Cuts: cuts}
			ev, err := newSparse(m, duels, h, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkEvidenceGradient(t, m, ev, h)
		})
	}
}

// TestSparseSpaces: the algebra over duels and the one over inducing points are the same q, with fewer
// duels than inducing points, as many, and more; and both have the gradient of their bound.
func TestSparseSpaces(t *testing.T) {
	const tol = 1e-9
	for kind, a := range answerKinds {
		for _, n := range []int{1, 12, 40, 70} {
			t.Run(fmt.Sprintf("%s/%d", kind, n), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(len(kind))))
				cuts := testCuts(a)
				duels := randomDuels(rng, n, 2, a, cuts)
				m := Model{Inference: Sparse, Answers: a, SparseOptions: SparseOptions{Inducing: 40, Sobol: 50}}.WithDefaults()
				h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.5}, Outputscale: 5}, Cuts: cuts}
				var (
					bound, kl [2]float64
					grad      [2][]float64
					post      [2]*Posterior
				)
				for i := range 2 {
					ev, err := newSparse(m, duels, h, nil)
					if err != nil {
						t.Fatal(err)
					}
					if ev.m != 40 {
						t.Fatalf("%d inducing points", ev.m)
					}
					if _, few := ev.sparseAlgebra.(*sparseDuels); few != (n < 40) {
						t.Errorf("algebra %T", ev.sparseAlgebra)
					}
					if ev.sparseAlgebra = newSparseDuels(ev); i == 1 {
						ev.sparseAlgebra = newSparseInducing(ev)
					}
					grad[i] = make([]float64, 3+a.free())
					var ok bool
					if bound[i], ok = ev.evaluate(h, 1e-11, grad[i]); !ok {
						t.Error("not settled")
					}
					kl[i] = ev.divergence()
					post[i] = ev.posterior(h)
					if n == 12 || n == 70 {
						checkEvidenceGradient(t, m, ev, h)
					}
				}
				near(t, "bound", bound[0], bound[1], tol)
				near(t, "divergence", kl[0], kl[1], tol)
				for i, g := range grad[0] {
					near(t, fmt.Sprintf("gradient[%d]", i), g, grad[1][i], tol)
				}
				p, q := NewMoments(3), NewMoments(3)
				x := make([]float64, 6)
				for range 20 {
					for i := range x {
						x[i] = rng.Float64()
					}
					post[0].Moments(p, x)
					post[1].Moments(q, x)
					for i := range p.Mean {
						near(t, "mean", p.Mean[i], q.Mean[i], tol)
					}
					for i := range p.Cov {
						near(t, "covariance", p.Cov[i], q.Cov[i], tol)
					}
				}
			})
		}
	}
}
