package acquisition

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// crossedPosterior is a posterior on n names and two amounts, after some duels.
func crossedPosterior(t testing.TB, n, duels int) *gp.Posterior {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, uint64(n)))
	d := &gp.Duels{Dim: 3}
	at := func() []float64 { return []float64{float64(rng.IntN(n)), rng.Float64(), rng.Float64()} }
	like := func(x []float64) float64 { return math.Sin(3*x[0]) - 3*(x[1]-0.4)*(x[1]-0.4) - x[2] }
	for range duels {
		a, b := at(), at()
		o := gp.Outcome(1)
		if like(a)+0.3*rng.NormFloat64() < like(b) {
			o = -1
		}
		d.A, d.B, d.Outcome = append(d.A, a...), append(d.B, b...), append(d.Outcome, o)
	}
	h := gp.Hyper{Cuts: gp.Cuts{0}, Kernel: gp.Kernel{Lengthscale: []float64{1.0 / 256, 0.4, 0.5}, Outputscale: 2, Trend: 3}}
	p, err := gp.Model{Trend: gp.Flat(), Scales: []int{-1, 0, 1}}.Condition(d, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// crossedDomain is that of n names and two amounts.
func crossedDomain(n int) *Domain {
	p := Part{Width: 1}
	for i := range n {
		p.Levels = append(p.Levels, float64(i))
	}
	return &Domain{Parts: []Part{p, {At: 1, Width: 1}, {At: 2, Width: 1}}}
}

// TestCrossedGradient: the derivatives of the knowledge gradient in the amounts of its points are those of finite differences, whichever items they
// are at.
func TestCrossedGradient(t *testing.T) {
	p := crossedPosterior(t, 12, 40)
	task := Task{Posterior: p, Domain: crossedDomain(12), Seed: 1}.withDefaults()
	e := task.knowledge().evaluator()
	rng := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		x := make([]float64, task.knowledge().points()*3)
		for i := range x {
			if x[i] = 0.1 + 0.8*rng.Float64(); i%3 == 0 {
				x[i] = float64(rng.IntN(12))
			}
		}
		grad := make([]float64, len(x))
		e.At(x, grad)
		for i := range x {
			if i%3 == 0 {
				continue
			}
			const h = 1e-5
			up, down := slices.Clone(x), slices.Clone(x)
			up[i], down[i] = x[i]+h, x[i]-h
			if want := (e.At(up, nil) - e.At(down, nil)) / (2 * h); math.Abs(grad[i]-want) > 1e-6*math.Max(1, math.Abs(want)) {
				t.Errorf("coordinate %d of %v: %g, by differences %g", i, x, grad[i], want)
			}
		}
	}
}

// TestCrossedHeld: items at one setting are a list, whether they are written as parts or as rows: the same question, value and pick to the last bit.
func TestCrossedHeld(t *testing.T) {
	p := crossedPosterior(t, 12, 40)
	parts, list := crossedDomain(12), &Domain{Dim: 3}
	parts.Parts[1].Levels, parts.Parts[2].Levels = []float64{0.4}, []float64{0.2}
	for i := range 12 {
		list.List = append(list.List, float64(i), 0.4, 0.2)
	}
	for _, method := range []string{"kg", "eubo", "bald", "thompson"} {
		var got []Choice
		for _, d := range []*Domain{parts, list} {
			c, err := Ask(t.Context(), method, Task{Posterior: p, Domain: d, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, c)
		}
		a, b := got[0], got[1]
		if !slices.Equal(a.A, b.A) || !slices.Equal(a.B, b.B) || a.Value != b.Value && !math.IsNaN(a.Value) || !slices.Equal(a.Best, b.Best) || a.Mean != b.Mean {
			t.Errorf("%s: %v of parts, %v of the list", method, a, b)
		}
	}
}

// TestPromising: of very many items climbs try a few, the pick of the mean among them, and the questions they find are worth as much as those found by
// trying all; x̂ is the best of all items in any case.
func TestPromising(t *testing.T) {
	const n = 300
	p := crossedPosterior(t, n, 60)
	task := Task{Posterior: p, Domain: crossedDomain(n), Seed: 2}
	few, err := Ask(t.Context(), "kg", task)
	if err != nil {
		t.Fatal(err)
	}
	top := math.Inf(-1)
	m := gp.NewMoments(1)
	for i := range n {
		for a := range 21 {
			for b := range 21 {
				top = math.Max(top, p.MeanGradient(m, []float64{float64(i), float64(a) / 20, float64(b) / 20}, nil))
			}
		}
	}
	if few.Mean < top-1e-9 {
		t.Errorf("the best has mean %g, on a grid there is %g", few.Mean, top)
	}
	r := newRegion(task.Domain, 3, 2)
	peaks := r.recommend(t.Context(), p, nil, nil, 2, 1)
	r.promising(p, peaks)
	levels := r.tried[0]
	if len(levels) > promisingEach*len(promisingDoubts)+candidatePeaks || !slices.Contains(levels, int(peaks[0].X[0])) || len(r.every[0]) != n {
		t.Errorf("%d of %d levels are tried: %v", len(levels), n, levels)
	}
	if short := newRegion(crossedDomain(promisingAll), 3, 2); true {
		if short.promising(p, peaks); len(short.tried[0]) != promisingAll {
			t.Errorf("%d of %d levels are tried", len(short.tried[0]), promisingAll)
		}
	}
}
