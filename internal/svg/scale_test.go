package svg

import (
	"math"
	"slices"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   []float64
	}{{0, 1, []float64{0, 0.5, 1}}, {-7, 6, []float64{-5, 0, 5}}, {0.2, 0.9, []float64{0.2, 0.4, 0.6, 0.8}}, {0, 40, []float64{0, 10, 20, 30, 40}}} {
		got := NewScale(c.lo, c.hi, 0, 1).Ticks(4)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("ticks from %g to %g are %v, want %v", c.lo, c.hi, got, c.want)
		}
	}
}

// TestScale: ends map to ends, and a single value has a place.
func TestScale(t *testing.T) {
	s := NewScale(2, 4, 100, 0)
	if s.At(2) != 100 || s.At(4) != 0 || s.At(3) != 50 {
		t.Errorf("2, 3, 4 are at %g, %g, %g", s.At(2), s.At(3), s.At(4))
	}
	if at := NewScale(3, 3, 0, 10).At(3); at != 5 {
		t.Errorf("the only value is at %g, want the middle", at)
	}
}
