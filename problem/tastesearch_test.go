package problem

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMaximum searches by another road: uniform options, and from the best of them and from the maximum said normal steps that
// shrink.
func TestMaximum(t *testing.T) {
	points := 20000
	if !soak {
		points = 4000
	}
	rng := rand.New(rand.NewPCG(4, 4))
	all := slices.Concat(forty(t), tastes(t, 18, 20, TasteOptions{Family: ruggedFamilies, Shape: Box}))
	for i, a := range all {
		if got := a.Utility(a.At); got != a.Max {
			t.Fatalf("taste %d, %s: utility %g where the maximum %g is", i, a.Family, got, a.Max)
		}
		type found struct {
			x []float64
			f float64
		}
		pool := make([]found, points)
		for k := range pool {
			x := a.Random(rng)
			pool[k] = found{x, a.Utility(x)}
		}
		slices.SortFunc(pool, func(x, y found) int { return cmp.Compare(y.f, x.f) })
		best := pool[0].f
		for _, s := range append(pool[:10:10], found{a.At, a.Max}) {
			for step := 0.1; step > 1e-5 && a.Items == nil; step *= 0.98 {
				x := slices.Clone(s.x)
				for j, p := range a.Parts {
					if p.Kind == Continuous {
						x[j] = min(1, max(0, x[j]+step*rng.NormFloat64()))
					} else if rng.IntN(4) == 0 {
						x[j] = float64(rng.IntN(p.Levels))
					}
				}
				if f := a.Utility(x); f > s.f {
					s = found{x, f}
				}
			}
			best = max(best, s.f)
		}
		if best > a.Max+1e-3*a.Tolerance(0) {
			t.Errorf("taste %d, %s in %d: maximum %g, but there is %g; mean %g, spread %g", i, a.Family, len(a.Parts), a.Max, best, a.Mean, a.Spread)
		}
	}
}

// TestKnownMaximum: a window on a function of the catalogue has its optimum.
func TestKnownMaximum(t *testing.T) {
	for _, c := range []struct {
		family  string
		dim     int
		optimum float64
	}{
		{"quadratic", 5, 0}, {"branin", 2, Branin().Optimum}, {"branin", 4, Branin().Optimum}, {"hartmann3", 3, Hartmann3().Optimum},
		{"hartmann6", 6, Hartmann6().Optimum}, {"styblinski", 3, StyblinskiTang(3).Optimum}, {"rosenbrock", 3, 0}, {"ackley", 6, 0},
		{"alpine", 7, 0}, {"levy", 8, 0}, {"griewank", 4, 0},
	} {
		for _, a := range tastes(t, 19, 3, TasteOptions{Family: c.family, Dim: c.dim, Shape: Box}) {
			if math.Abs(a.Max-c.optimum) > 1e-9*max(1, a.Spread) {
				t.Errorf("%s%d: maximum %g, want %g", c.family, c.dim, a.Max, c.optimum)
			}
		}
	}
}

func TestAllOptions(t *testing.T) {
	a := Taste{Parts: []Part{{Ordered, 3}, {Unordered, 4}, {Ordered, 5}}}
	all, ok := a.all()
	slices.SortFunc(all, slices.Compare)
	if all = slices.CompactFunc(all, slices.Equal); !ok || len(all) != 60 {
		t.Errorf("%d different options, want 60", len(all))
	}
	if _, ok := (&Taste{Parts: []Part{{Ordered, 3}, {}}}).all(); ok {
		t.Error("a continuous part has a list of values")
	}
}
