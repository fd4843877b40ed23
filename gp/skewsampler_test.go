package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/internal/normal"
)

// TestExactOneDuel: with one duel the truncated normal is one-dimensional and predictions are known
// in closed form up to a one-dimensional integral.
func TestExactOneDuel(t *testing.T) {
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4}, Outputscale: 9}, Cuts: Cuts{0}}
	ds := &Duels{Dim: 1}
	if err := ds.Add([]float64{0.2}, []float64{0.7}, 1); err != nil {
		t.Fatal(err)
	}
	e, err := Model{}.SkewSampler(ds, h, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	p, se := e.WinProbabilities([]float64{0.2}, []float64{0.7}, 100, 60000)
	// Pr(g' > 0 | g > 0) for two noisy looks at the same difference of variance v.
	v := 2 * (9 - h.Kernel.At([]float64{0.2}, []float64{0.7}))
	var num float64
	const n, reach = 20000, 9
	for i := -n; i <= n; i++ {
		x := reach * float64(i) / n
		c := normal.CDF(x * math.Sqrt(v))
		num += normal.PDF(x) * c * c * reach / n
	}
	if want := num / 0.5; math.Abs(p[0]-want) > 4*se[0] || se[0] > 1e-3 {
		t.Errorf("Pr = %g ± %g, want %g", p[0], se[0], want)
	}
}

// exactSets are the data sets on which the approximations are measured against the truth.
func exactSets() map[string]struct {
	model Model
	duels *Duels
} {
	type set = struct {
		model Model
		duels *Duels
	}
	ties := Answers{Ties: true}
	near := &Duels{Dim: 3} // questions that close in on the optimum, as a study's do
	rng := rand.New(rand.NewPCG(31, 3))
	spread := 0.5
	for near.Len() < 40 {
		one := randomDuels(rng, 1, 3, Answers{}, Cuts{0})
		for j := range 3 {
			one.A[j] = 0.4 + spread*(one.A[j]-0.5)
			one.B[j] = 0.4 + spread*(one.B[j]-0.5)
		}
		g := -20*sq(one.A, 0.4) + 20*sq(one.B, 0.4) + rng.NormFloat64()
		o := Outcome(1)
		if g < 0 {
			o = -1
		}
		if err := near.Add(one.A, one.B, o); err != nil {
			panic(err)
		}
		spread = math.Max(0.15, spread*0.95)
	}
	return map[string]set{
		"random6": {Model{}, randomDuels(rand.New(rand.NewPCG(30, 3)), 40, 6, Answers{}, Cuts{0})},
		"closing": {Model{}, near},
		"ties2":   {Model{Answers: ties}, randomDuels(rand.New(rand.NewPCG(32, 3)), 40, 2, ties, Cuts{0.5})},
	}
}

func sq(x []float64, c float64) float64 {
	var s float64
	for _, v := range x {
		s += (v - c) * (v - c)
	}
	return s
}

// TestInferenceAgainstExact measures win probabilities of 200 random pairs against the exact
// sampler, at fitted hyper-parameters and at outputscale 200. The limits for Variational and Laplace
// record what they reach; a change that moves any of them is a change of the mathematics.
func TestInferenceAgainstExact(t *testing.T) {
	if testing.Short() {
		t.Skip("the sampler takes seconds; the full suite runs it")
	}
	type limit struct{ rms, worst float64 }
	limits := map[Inference][2]limit{ // at the fitted outputscale, at 200
		EP:          {{0.003, 0.005}, {0.012, 0.07}},
		Variational: {{0.01, 0.03}, {0.04, 0.08}},
		Laplace:     {{0.12, 0.20}, {0.22, 0.40}},
	}
	for name, set := range exactSets() {
		fitted, err := set.model.Fit(context.Background(), set.duels, nil)
		if err != nil {
			t.Fatal(err)
		}
		for at, scale := range []float64{0, 200} {
			h := fitted.Hyper()
			if scale > 0 {
				h.Kernel.Outputscale = scale
			}
			rng := rand.New(rand.NewPCG(40, uint64(at)))
			d := set.duels.Dim
			const pairs = 200
			x, y := make([]float64, pairs*d), make([]float64, pairs*d)
			for i := range x {
				x[i], y[i] = rng.Float64(), rng.Float64()
			}
			e, err := set.model.SkewSampler(set.duels, h, rng)
			if err != nil {
				t.Fatal(err)
			}
			truth, se := e.WinProbabilities(x, y, 2000, 60000)
			own := rms(se)
			if want := [2]float64{0.01, 0.02}[at] / 4; own > want {
				t.Errorf("%s/%g: the sampler's own error is %.2g, want at most %.2g", name, scale, own, want)
			}
			for inf, lim := range limits {
				m := set.model
				m.Inference = inf
				p, err := m.Condition(set.duels, h, nil)
				if err != nil {
					t.Fatal(err)
				}
				off := make([]float64, pairs)
				var worst float64
				for i := range off {
					ms := NewMoments(2)
					p.Moments(ms, append(append([]float64(nil), x[i*d:(i+1)*d]...), y[i*d:(i+1)*d]...))
					mean, v := ms.Difference(0, 1)
					off[i] = normal.CDF(mean/math.Sqrt(1+v)) - truth[i]
					worst = math.Max(worst, math.Abs(off[i]))
				}
				t.Logf("%-8s outputscale %6.1f %-11v rms %.4f max %.4f (sampler ±%.4f)", name, h.Kernel.Outputscale, inf, rms(off), worst, own)
				if rms(off) > lim[at].rms || worst > lim[at].worst {
					t.Errorf("%s/%g/%v: rms %.4f, max %.4f, want at most %.4f, %.4f", name, scale, inf, rms(off), worst, lim[at].rms, lim[at].worst)
				}
			}
		}
	}
}

func rms(x []float64) float64 {
	var s float64
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s / float64(len(x)))
}
