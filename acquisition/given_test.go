package acquisition

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestGivenReference: the other stack's one-shot maximum, less its highest mean, is the value of that question.
func TestGivenReference(t *testing.T) {
	for _, c := range loadReference(t).Variational.Cases {
		duels := &gp.Duels{Dim: len(c.Lengthscale)}
		for i := range c.Win {
			if err := duels.Add(c.Win[i], c.Lose[i], 1); err != nil {
				t.Fatal(err)
			}
		}
		model := gp.Model{Inference: gp.Sparse, SparseOptions: gp.SparseOptions{Points: flatRows(c.Z)}}
		h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: c.Lengthscale, Outputscale: c.Outputscale}, Cuts: gp.Cuts{0}}
		post, err := model.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := NewGiven(t.Context(), Task{Posterior: post, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		want := c.Acquisition
		agree(t, c.Name+" highest mean", g.Best().Mean, want.MaxMean, 1e-8)
		v, _ := g.At(t.Context(), flatRows(want.KGArgmax[:2]), nil)
		agree(t, c.Name+" value", v, want.KGMax-want.MaxMean, 1e-8)
	}
}

// TestGivenGradient holds the gradient against central differences, and the value against the look-ahead itself.
func TestGivenGradient(t *testing.T) {
	p := testPosterior(t)
	g, err := NewGiven(t.Context(), Task{Posterior: p, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]float64{{0.3, 0.7, 0.55, 0.35}, {0.9, 0.1, 0.2, 0.8}, {0.5, 0.5, 0.5, 0.5}} {
		grad := make([]float64, 4)
		v, fantasy := g.At(t.Context(), x, grad)
		if v < -1e-12 || len(fantasy) != 2*len(p.Answers().Outcomes()) {
			t.Errorf("at %v: gain %g with the fantasy points %v", x, v, fantasy)
		}
		sum := 0.0
		for i, o := range p.Answers().Outcomes() {
			after := p.Condition(x[:2], x[2:], o)
			sum += p.Prob(x[:2], x[2:], o) * (after.Mean(fantasy[2*i:2*i+2]) - g.Best().Mean)
		}
		agree(t, "gain by outcomes", v, sum, 1e-10)
		for i := range x {
			at := x[i]
			const h = 1e-5
			x[i] = at + h
			up, _ := g.At(t.Context(), x, nil)
			x[i] = at - h
			down, _ := g.At(t.Context(), x, nil)
			x[i] = at
			if fd := (up - down) / (2 * h); math.Abs(fd-grad[i]) > 1e-6 {
				t.Errorf("at %v: ∂/∂x[%d] = %g, central difference %g", x, i, grad[i], fd)
			}
		}
	}
}

// TestGivenIsWhatTheSearchSays: the value of the question that the search chose is the one it gave.
func TestGivenIsWhatTheSearchSays(t *testing.T) {
	p := testPosterior(t)
	c, err := Ask(t.Context(), "kg", Task{Posterior: p, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGiven(t.Context(), Task{Posterior: p, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	questions := [][]float64{append(clone(c.A), c.B...), {0.3, 0.7, 0.55, 0.35}, {1, 0, 0.2, 0.8}}
	worth, err := Worth(t.Context(), "kg", Task{Posterior: p, Seed: 5}, questions)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range questions {
		v, _ := g.At(t.Context(), x, nil)
		agree(t, "the value, beside Worth's", v, worth[i], 1e-9)
		if i == 0 && math.Abs(v/c.Value-1) > 1e-4 {
			t.Errorf("the search says %g, the question is worth %g", c.Value, v)
		}
	}
}

// BenchmarkGiven is one question on Hartmann-6 after 61 answers, gradient included.
func BenchmarkGiven(b *testing.B) {
	study := freezeUnder(b, asking()["plain"], "hartmann6", 7, 37)
	g, err := NewGiven(b.Context(), study[0].task)
	if err != nil {
		b.Fatal(err)
	}
	x, grad := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}, make([]float64, 12)
	for b.Loop() {
		g.At(b.Context(), x, grad)
	}
}
