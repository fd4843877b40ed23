package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

func lawModel(inf Inference) Model {
	return Model{Inference: inf, Answers: Answers{Ties: true}, SparseOptions: SparseOptions{Nodes: -1, Inducing: 500}}
}

func lawData(seed uint64) *Duels {
	return randomDuels(rand.New(rand.NewPCG(seed, 77)), 20, 2, Answers{Ties: true}, Cuts{0.4})
}

// TestPermutation: the order of the duels changes nothing.
func TestPermutation(t *testing.T) {
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.6}, Outputscale: 8}, Cuts: Cuts{0.4}}
	for _, inf := range allInferences {
		a := lawData(1)
		b := &Duels{Dim: 2}
		for _, i := range rand.New(rand.NewPCG(2, 2)).Perm(a.Len()) {
			if err := b.Add(a.A[2*i:2*i+2], a.B[2*i:2*i+2], a.Outcome[i]); err != nil {
				t.Fatal(err)
			}
		}
		same(t, inf, h, a, h, b, 1)
	}
}

// TestSwappingSides: (a, b) with outcome o and (b, a) with −o are the same answer.
func TestSwappingSides(t *testing.T) {
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.6}, Outputscale: 8}, Cuts: Cuts{0.4}}
	for _, inf := range allInferences {
		a := lawData(3)
		b := &Duels{Dim: 2, A: a.B, B: a.A}
		for _, o := range a.Outcome {
			b.Outcome = append(b.Outcome, -o)
		}
		same(t, inf, h, a, h, b, 1)
	}
}

// TestScaling: f, σ and all cuts scaled together scale the posterior.
func TestScaling(t *testing.T) {
	const c = 3.7
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.6}, Outputscale: 8}, Cuts: Cuts{0.4}}
	big := Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.6}, Outputscale: 8 * c * c}, Cuts: Cuts{0.4}} // cuts are in units of σ
	for _, inf := range allInferences {
		a := lawData(4)
		same(t, inf, h, a, big, a, c)
	}
}

// same checks that (hb, b) under noise c gives the posterior of (ha, a) under noise 1, scaled by c.
func same(t *testing.T, inf Inference, ha Hyper, a *Duels, hb Hyper, b *Duels, c float64) {
	t.Helper()
	ma, mb := lawModel(inf), lawModel(inf)
	mb.Noise = c
	if inf == Sparse {
		ma.SparseOptions.Jitter, mb.SparseOptions.Jitter = 1e-6, 1e-6*c*c
	}
	p, err := ma.Condition(a, ha, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := mb.Condition(b, hb, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, inf.String()+" evidence", q.Evidence(), p.Evidence(), 1e-9)
	for _, x := range [][]float64{{0, 0}, {0.3, 0.8}, {1, 0.5}} {
		near(t, inf.String()+" mean", q.Mean(x)/c, p.Mean(x), 1e-9)
		near(t, inf.String()+" variance", q.Variance(x)/(c*c), p.Variance(x), 1e-9)
	}
}

// TestFitIsAFunctionOfItsInput: bit for bit the same on a second run, and looking at a posterior
// changes nothing.
func TestFitIsAFunctionOfItsInput(t *testing.T) {
	for _, inf := range allInferences {
		a := lawData(5)
		p, err := lawModel(inf).Fit(context.Background(), a, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Mean([]float64{0.1, 0.2})
		p.Functions(rand.New(rand.NewPCG(1, 1)), 2)
		q, err := lawModel(inf).Fit(context.Background(), a, nil)
		if err != nil {
			t.Fatal(err)
		}
		hp, hq := p.Hyper(), q.Hyper()
		if math.Float64bits(hp.Kernel.Outputscale) != math.Float64bits(hq.Kernel.Outputscale) ||
			math.Float64bits(p.Evidence()) != math.Float64bits(q.Evidence()) ||
			math.Float64bits(p.Mean([]float64{0.3, 0.9})) != math.Float64bits(q.Mean([]float64{0.3, 0.9})) {
			t.Errorf("%v: two fits of the same duels differ", inf)
		}
	}
}

// TestWarmStart: a fit continued from yesterday's posterior ends where a fit from scratch does.
func TestWarmStart(t *testing.T) {
	for _, inf := range allInferences {
		a := lawData(6)
		m := lawModel(inf)
		m.Tolerance = 1e-4 // tight: the log posterior is flat in the outputscale
		head := &Duels{Dim: 2, A: a.A[:2*15], B: a.B[:2*15], Outcome: a.Outcome[:15]}
		from, err := m.Fit(context.Background(), head, nil)
		if err != nil {
			t.Fatal(err)
		}
		warm, err := m.Fit(context.Background(), a, from)
		if err != nil {
			t.Fatal(err)
		}
		cold, err := m.Fit(context.Background(), a, nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, inf.String()+" objective", warm.Evidence()+warm.LogPrior(), cold.Evidence()+cold.LogPrior(), 1e-7)
		near(t, inf.String()+" outputscale", warm.Hyper().Kernel.Outputscale/cold.Hyper().Kernel.Outputscale, 1, 1e-2)
	}
}
