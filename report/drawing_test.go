package report

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
		got := newScale(c.lo, c.hi, 0, 1).ticks(4)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("ticks from %g to %g are %v, want %v", c.lo, c.hi, got, c.want)
		}
	}
}

// TestScale: ends map to ends, and a single value has a place.
func TestScale(t *testing.T) {
	s := newScale(2, 4, 100, 0)
	if s.at(2) != 100 || s.at(4) != 0 || s.at(3) != 50 {
		t.Errorf("2, 3, 4 are at %g, %g, %g", s.at(2), s.at(3), s.at(4))
	}
	if at := newScale(3, 3, 0, 10).at(3); at != 5 {
		t.Errorf("the only value is at %g, want the middle", at)
	}
}

func TestClip(t *testing.T) {
	for text, want := range map[string]string{"short": "short", "exactly ten": "exactly t…", "été en été": "été en été"} {
		if got := clip(text, 10); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
