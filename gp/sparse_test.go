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
			h := Hyper{Kernel{[]float64{0.4, 0.7}, 5}, cuts}
			ev, err := newSparse(m, duels, h, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkEvidenceGradient(t, m, ev, h)
		})
	}
}
