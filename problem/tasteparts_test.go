package problem

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCircles: a taste on circles has no ends, its maximum is the best of many options, wherever it lies, and what is no circle is as in
// the taste of the same seed without.
func TestCircles(t *testing.T) {
	closed, seam := 0, 0
	for i := range 12 {
		o := TasteOptions{Dim: 3, Shape: []Shape{Box, Mixed}[i%2], Circles: 2, Family: smoothFamilies}
		taste, err := NewTaste(5, i, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Circles = 0
		plain, err := NewTaste(5, i, o)
		if err != nil {
			t.Fatal(err)
		}
		if taste.Family != plain.Family {
			t.Errorf("taste %d is %s on circles and %s without", i, taste.Family, plain.Family)
		}
		left := 2
		for j, p := range plain.Parts {
			if p.Kind == Continuous && left > 0 {
				p.Kind = Circular
				left--
			}
			if taste.Parts[j] != p {
				t.Errorf("part %d of taste %d is %v, want %v", j, i, taste.Parts[j], p)
			}
		}
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		for range 2000 {
			x := taste.Random(rng)
			if f := taste.Utility(x); f > taste.Max+1e-9 {
				t.Errorf("taste %d, %s: %g at %v, said to be at most %g at %v", i, taste.Family, f, x, taste.Max, taste.At)
			}
		}
		for j, p := range taste.Parts {
			if p.Kind != Circular {
				continue
			}
			closed++
			low := taste.Random(rng)
			high := slices.Clone(low)
			low[j], high[j] = 0, 1
			if a, b := taste.Utility(low), taste.Utility(high); math.Abs(a-b) > 1e-9 {
				t.Errorf("taste %d: %g before the seam, %g behind it", i, a, b)
			}
			if at := taste.At[j]; !(at >= 0 && at <= 1) {
				t.Errorf("the best of taste %d has %g at part %d", i, at, j)
			} else if at < 0.1 || at > 0.9 {
				seam++
			}
		}
	}
	if closed < 18 || seam == 0 || seam > closed/2 {
		t.Errorf("%d circles, of which %d have their best near the seam", closed, seam)
	}
}
