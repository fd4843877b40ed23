package problem

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestConjointOptimum: the best option of a sum of part-worths is found part by part, on a grid.
func TestConjointOptimum(t *testing.T) {
	for _, family := range []string{"part-worths", "threshold", "dominant", indifferent} {
		edges, inside := 0, 0
		for _, a := range tastes(t, 31, 6, TasteOptions{Family: family, Shape: Box, Dim: 4}) {
			x, best := make([]float64, 4), make([]float64, 4)
			for j := range x {
				at := a.Utility(x)
				for i := range 2001 {
					x[j] = float64(i) / 2000
					if f := a.Utility(x); f > at {
						at, best[j] = f, x[j]
					}
				}
				x[j] = 0
				if best[j] == 0 || best[j] == 1 {
					edges++
				} else {
					inside++
				}
			}
			if f := a.Utility(best); f > a.Max+1e-9*a.Spread || f < a.Max-1e-3*a.Spread {
				t.Errorf("%s: maximum %.9g, part by part %.9g", family, a.Max, f)
			}
		}
		if edges < 6 || inside < 2 {
			t.Errorf("%s: of 24 parts %d are best at an end, %d inside", family, edges, inside)
		}
	}
}

// TestConjointSums: second differences across two parts are zero, but for those that count together.
func TestConjointSums(t *testing.T) {
	cross := func(f func([]float64) float64) float64 {
		return f([]float64{0.2, 0.3}) - f([]float64{0.9, 0.3}) - f([]float64{0.2, 0.8}) + f([]float64{0.9, 0.8})
	}
	rng := rand.New(rand.NewPCG(8, 8))
	for range 20 {
		if c := cross(threshold(rng, 2).f); math.Abs(c) > 1e-12 {
			t.Errorf("two parts of a sum interact by %g", c)
		}
		if c := cross(together(rng, 2).f); math.Abs(c) < 0.02 {
			t.Errorf("two parts that count together interact by %g", c)
		}
	}
}

// TestDominant: along the part that dominates the utility changes by twice what it does along all others together, at least: an
// ideal value near the middle loses at its ends a third of what an even part does.
func TestDominant(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 10 {
		land := dominant(rng, 3)
		var span [3]float64
		for j := range span {
			x := make([]float64, 3)
			lo, hi := land.f(x), land.f(x)
			for i := range 101 {
				x[j] = float64(i) / 100
				lo, hi = min(lo, land.f(x)), max(hi, land.f(x))
			}
			span[j] = hi - lo
		}
		if top := max(span[0], span[1], span[2]); top < 2*(span[0]+span[1]+span[2]-top) {
			t.Errorf("parts change the utility by %v", span)
		}
	}
}

// TestIndifferent: of an ordinary rater three answers in ten about random options are wrong.
func TestIndifferent(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	for _, a := range tastes(t, 33, 6, TasteOptions{Family: indifferent}) {
		r, err := a.Rater("ordinary")
		if err != nil {
			t.Fatal(err)
		}
		if e := wrongAnswers(a, r, 4000, func() float64 { return a.Utility(a.Random(rng)) }); math.Abs(e-0.3) > 0.04 {
			t.Errorf("%v: %.3f of the answers are wrong", a.Shape, e)
		}
	}
}

// TestNamedFamilies: a family by name has a taste of it, whatever the shape that is drawn.
func TestNamedFamilies(t *testing.T) {
	for _, family := range []string{"linear", conjointFamilies, plainOwn} {
		for _, a := range tastes(t, 35, 30, TasteOptions{Family: family}) {
			if a.Family != family && a.Kind != family || a.Shape == PlainList && family != plainOwn {
				t.Errorf("%s: got %s, %v", family, a.Family, a.Shape)
			}
		}
	}
}
