package problem

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSum: a sum of sums is the sum of all their terms, standardised each; its maximum is the best of many options and of its
// terms' own; and it is correlated with a term by that term's weight, in the mean of independent ones whose squares add up to 1.
func TestSum(t *testing.T) {
	var shared, n float64
	for i := range 6 {
		o := TasteOptions{Dim: 3, Shape: []Shape{Box, Mixed}[i%2]}
		g, err := NewTaste(11, 3*i, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Parts = g.Parts
		h, err := NewTaste(11, 3*i+1, o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Sum(1, []*Taste{g, h}, []float64{0.8, 0.6})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Sum(2, []*Taste{a, g}, []float64{1, -2})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(i), 3))
		var worths [2][]float64
		for range 2000 {
			x := a.Random(rng)
			z, y := (g.Utility(x)-g.Mean)/g.Spread, (h.Utility(x)-h.Mean)/h.Spread
			f, want := a.Utility(x), 0.8*z+0.6*y
			if math.Abs(f-want) > 1e-12 || f > a.Max {
				t.Fatalf("sum %d at %v: %g, want %g and at most %g", i, x, f, want, a.Max)
			}
			if f, want := b.Utility(x), want/a.Spread-2*z; math.Abs(f-want) > 1e-12 {
				t.Fatalf("sum of a sum %d at %v: %g, want %g", i, x, f, want)
			}
			worths[0], worths[1] = append(worths[0], f), append(worths[1], z)
		}
		if f := max(a.Utility(g.At), a.Utility(h.At)); f > a.Max+1e-9 {
			t.Errorf("sum %d: the best of a term has %g, the maximum is %g", i, f, a.Max)
		}
		mean, sd := moments(worths[0])
		mz, sz := moments(worths[1])
		r := 0.0
		for k, f := range worths[0] {
			r += (f - mean) * (worths[1][k] - mz) / sd / sz / 2000
		}
		shared += r
		n++
	}
	if shared /= n; math.Abs(shared-0.8) > 0.12 {
		t.Errorf("a sum is correlated by %.2f with what has 0.64 of its variance, want about 0.8", shared)
	}
}

// TestSumRefused: what has no sum says why.
func TestSumRefused(t *testing.T) {
	one, _ := NewTaste(1, 0, TasteOptions{Shape: Box, Dim: 1})
	two, _ := NewTaste(1, 0, TasteOptions{Shape: Box, Dim: 2})
	list, _ := NewTaste(1, 0, TasteOptions{Shape: List, Dim: 2})
	for want, of := range map[string][]*Taste{"taste 1 of a sum is about": {one, two}, "about a list": {list, list}, "one at least": nil} {
		if _, err := Sum(0, of, make([]float64, len(of))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := NewTaste(1, 0, TasteOptions{Shape: List, Parts: one.Parts}); err == nil || !strings.Contains(err.Error(), "want them of a box") {
		t.Errorf("parts of a list: %v", err)
	}
}
