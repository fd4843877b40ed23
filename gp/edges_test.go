package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var allInferences = []Inference{EP, Variational, Laplace, Sparse}

// win builds duels in one dimension, each won by the first point.
func win(pairs ...[2]float64) *Duels {
	ds := &Duels{Dim: 1}
	for _, p := range pairs {
		if err := ds.Add([]float64{p[0]}, []float64{p[1]}, 1); err != nil {
			panic(err)
		}
	}
	return ds
}

func condition(t *testing.T, inf Inference, ds *Duels, h Hyper) *Posterior {
	t.Helper()
	// A vanishing jitter, so that Sparse is held to the same exactness as the others.
	p, err := Model{Inference: inf, SparseOptions: SparseOptions{Nodes: -1, Jitter: 1e-10}}.Condition(ds, h, nil)
	if err != nil {
		t.Fatalf("%v: %v", inf, err)
	}
	if w := p.Warnings(); len(w) > 0 {
		t.Errorf("%v: %v", inf, w)
	}
	return p
}

func hyper1(l, s float64) Hyper {
	return Hyper{Kernel: Kernel{Lengthscale: []float64{l}, Outputscale: s}, Cuts: Cuts{0}}
}

func TestNoDuels(t *testing.T) {
	for _, inf := range allInferences {
		p, err := Model{Inference: inf, Tolerance: 1e-5}.Fit(context.Background(), &Duels{Dim: 2}, nil)
		if err != nil {
			t.Fatal(err)
		}
		h := p.Hyper()
		x := []float64{0.3, 0.4}
		near(t, "mean", p.Mean(x), 0, 0)
		near(t, "variance", p.Variance(x), h.Kernel.Outputscale, 1e-12)
		near(t, "evidence", p.Evidence(), 0, 1e-12)
		// With nothing but the priors the fit finds their modes, (A−1)/B.
		near(t, "lengthscale", h.Kernel.Lengthscale[0], 2.0/6, 1e-4)
		near(t, "outputscale", h.Kernel.Outputscale, 1/0.15, 1e-4)
	}
}

// TestFewDuels: one and two duels by every inference, against one-dimensional integrals.
func TestFewDuels(t *testing.T) {
	for _, inf := range allInferences {
		p := condition(t, inf, win([2]float64{0.2, 0.7}), hyper1(0.3, 4))
		if got := p.Prob([]float64{0.2}, []float64{0.7}, 1); got <= 0.5 {
			t.Errorf("%v: Pr of the winner = %g", inf, got)
		}
		two := condition(t, inf, win([2]float64{0.2, 0.7}, [2]float64{0.2, 0.9}), hyper1(0.3, 4))
		if p2 := two.Prob([]float64{0.2}, []float64{0.7}, 1); p2 <= 0.5 {
			t.Errorf("%v: after two duels Pr of the winner = %g", inf, p2)
		}
	}
	near(t, "evidence of one fair duel", condition(t, EP, win([2]float64{0.2, 0.7}), hyper1(0.3, 4)).Evidence(), -math.Ln2, 1e-14)
}

// TestContradiction: a ≻ b and b ≻ a leave both equal, by symmetry exactly.
func TestContradiction(t *testing.T) {
	for _, inf := range allInferences {
		for _, scale := range []float64{1, 100, 1e4} {
			p := condition(t, inf, win([2]float64{0.2, 0.7}, [2]float64{0.7, 0.2}), hyper1(0.3, scale))
			near(t, fmt.Sprintf("%v: Pr", inf), p.Prob([]float64{0.2}, []float64{0.7}, 1), 0.5, 1e-7)
			if v := p.Variance([]float64{0.2}); !(v > 0) || v > scale {
				t.Errorf("%v: variance %g at outputscale %g", inf, v, scale)
			}
		}
	}
}

// TestUnanimous: hundreds of copies of one duel, against the exact one-dimensional posterior
// N(d; 0, v)·Φ(d)^n. EP and Variational come close to its mean; all stay finite and settle.
func TestUnanimous(t *testing.T) {
	for _, copies := range []int{30, 300} {
		ds := &Duels{Dim: 1}
		for range copies {
			if err := ds.Add([]float64{0.2}, []float64{0.7}, 1); err != nil {
				t.Fatal(err)
			}
		}
		h := hyper1(0.3, 10)
		v := 2 * (10 - h.Kernel.At([]float64{0.2}, []float64{0.7}))
		var z, z1 float64
		for i := -20000; i <= 20000; i++ {
			x := 10 * float64(i) / 20000
			w := math.Exp(-x*x/2 + float64(copies)*(Interval{0, math.Inf(1)}).LogLik(x*math.Sqrt(v), 1).Value)
			z, z1 = z+w, z1+w*x*math.Sqrt(v)
		}
		for _, inf := range allInferences {
			p := condition(t, inf, ds, h)
			got := p.Mean([]float64{0.2}) - p.Mean([]float64{0.7})
			tol := map[Inference]float64{EP: 0.03, Variational: 0.06, Sparse: 0.06, Laplace: 0.4}[inf]
			near(t, fmt.Sprintf("%d copies, %v: mean difference", copies, inf), got/(z1/z), 1, tol)
		}
	}
}

// TestCoincident: an option against itself says nothing and costs log ½ of evidence.
func TestCoincident(t *testing.T) {
	h := hyper1(0.3, 4)
	for _, inf := range allInferences {
		without := condition(t, inf, win([2]float64{0.2, 0.7}), h)
		with := condition(t, inf, win([2]float64{0.2, 0.7}, [2]float64{0.5, 0.5}), h)
		tol := 1e-9
		if inf == Sparse {
			tol = 1e-6 // the extra inducing point and its jitter
		}
		for _, x := range []float64{0, 0.2, 0.5, 0.9} {
			near(t, fmt.Sprintf("%v: mean", inf), with.Mean([]float64{x}), without.Mean([]float64{x}), tol)
			near(t, fmt.Sprintf("%v: variance", inf), with.Variance([]float64{x}), without.Variance([]float64{x}), tol)
		}
		near(t, fmt.Sprintf("%v: evidence", inf), with.Evidence()-without.Evidence(), -math.Ln2, tol)
	}
}

// TestDisconnected: duels that share nothing, in correlation either, do not disturb each other.
func TestDisconnected(t *testing.T) {
	h := hyper1(0.01, 4)
	for _, inf := range allInferences {
		one := condition(t, inf, win([2]float64{0.0, 0.02}), h)
		both := condition(t, inf, win([2]float64{0.0, 0.02}, [2]float64{1, 0.97}), h)
		near(t, fmt.Sprintf("%v: mean", inf), both.Mean([]float64{0.01}), one.Mean([]float64{0.01}), 1e-6)
		near(t, fmt.Sprintf("%v: variance", inf), both.Variance([]float64{0.01}), one.Variance([]float64{0.01}), 1e-6)
	}
}

// TestHyperAtBounds: every corner of the box of hyper-parameters gives finite answers.
func TestHyperAtBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 4))
	a := Answers{Ties: true, Grades: 1}
	duels := randomDuels(rng, 25, 2, a, Cuts{0.4, 1})
	x := []float64{0.3, 0.6}
	for _, inf := range allInferences {
		for _, l := range []float64{minLengthscale, maxLengthscale} {
			for _, s := range []float64{minOutputscale, maxOutputscale} {
				for _, gap := range []float64{minGap, maxGap} {
					m := Model{Inference: inf, Answers: a}
					h := Hyper{Kernel: Kernel{Lengthscale: []float64{l, l}, Outputscale: s}, Cuts: Cuts{gap, 2 * gap}}
					p, err := m.Condition(duels, h, nil)
					if err != nil {
						t.Errorf("%v at ℓ %g, s %g, gap %g: %v", inf, l, s, gap, err)
						continue
					}
					if w := p.Warnings(); len(w) > 0 {
						t.Errorf("%v at ℓ %g, s %g, gap %g: %v", inf, l, s, gap, w)
					}
					if mean, v := p.Mean(x), p.Variance(x); math.IsNaN(mean) || math.IsInf(mean, 0) || !(v > -1e-9*s) || v > s*(1+1e-9) {
						t.Errorf("%v at ℓ %g, s %g, gap %g: mean %g, variance %g", inf, l, s, gap, mean, v)
					}
				}
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	good := win([2]float64{0.2, 0.7})
	cases := map[string]func() error{
		"outcome not on offer": func() error {
			ds := win([2]float64{0.2, 0.7})
			ds.Outcome[0] = 0
			_, err := Model{}.Condition(ds, hyper1(0.3, 4), nil)
			return err
		},
		"NaN coordinate":  func() error { return (&Duels{Dim: 1}).Add([]float64{math.NaN()}, []float64{0}, 1) },
		"short point":     func() error { return (&Duels{Dim: 2}).Add([]float64{1}, []float64{0, 1}, 1) },
		"negative scale":  func() error { _, err := Model{}.Condition(good, hyper1(0.3, -4), nil); return err },
		"NaN lengthscale": func() error { _, err := Model{}.Condition(good, hyper1(math.NaN(), 4), nil); return err },
		"wrong dimension": func() error {
			_, err := Model{}.Condition(good, Hyper{Kernel: Kernel{Lengthscale: []float64{1, 1}, Outputscale: 1}, Cuts: Cuts{0}}, nil)
			return err
		},
		"missing cut": func() error {
			_, err := Model{Answers: Answers{Ties: true}}.Condition(good, hyper1(0.3, 4), nil)
			return err
		},
		"negative noise":    func() error { _, err := Model{Noise: -1}.Condition(good, hyper1(0.3, 4), nil); return err },
		"bad prior":         func() error { return Model{Lengthscale: Gamma(-1, 2)}.Validate() },
		"unknown inference": func() error { _, err := ParseInference("magic"); return err },
		"negative grades":   func() error { return Model{Answers: Answers{Grades: -1}}.Validate() },
		"ragged inducing set": func() error {
			_, err := Model{Inference: Sparse, SparseOptions: SparseOptions{Points: []float64{1, 2, 3}}}.Condition(
				randomDuels(rand.New(rand.NewPCG(1, 1)), 3, 2, Answers{}, Cuts{0}), Hyper{Kernel: Kernel{Lengthscale: []float64{1, 1}, Outputscale: 1}, Cuts: Cuts{0}}, nil)
			return err
		},
	}
	for name, f := range cases {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
