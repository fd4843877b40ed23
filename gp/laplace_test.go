package gp

import "testing"

func TestLaplaceReference(t *testing.T) {
	for _, c := range loadReference(t).Variational.Cases {
		t.Run(c.Name, func(t *testing.T) {
			p, err := Model{Inference: Laplace}.Condition(c.duels(t), c.hyper(), nil)
			if err != nil {
				t.Fatal(err)
			}
			checkPosterior(t, p, c.Test, c.Laplace.Mean, c.Laplace.Cov, 1e-8)
		})
	}
}
