package chart

import (
	"math"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/space"
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

// TestAxis: ticks are where people count: whole numbers, quarters of a circle, 1, 2, 5 of decades; and At and Of are inverse.
func TestAxis(t *testing.T) {
	for _, c := range []struct {
		p    space.Parameter
		want []float64
	}{
		{space.Int("n", 1, 3), []float64{1, 2, 3}}, {space.Circle("hue", 0, 360), []float64{0, 90, 180, 270, 360}},
		{space.LogFloat("k", 0.9, 60), []float64{1, 2, 5, 10, 20, 50}}, {space.LogFloat("ms", 1, 1000), []float64{1, 10, 100, 1000}},
	} {
		s := Axis(c.p, c.p.Low, c.p.High, 10, 110)
		if got := s.Ticks(4); !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("ticks of %s are %v, want %v", c.p.Name, got, c.want)
		}
		for _, v := range c.want {
			if back := s.Of(s.At(v)); math.Abs(back-v) > 1e-9*v {
				t.Errorf("%s: %g is drawn where %g is", c.p.Name, v, back)
			}
		}
	}
	if at := Axis(space.LogFloat("k", 1, 100), 1, 100, 0, 100).At(10); math.Abs(at-50) > 1e-9 {
		t.Errorf("10 is at %g between 1 and 100, want the middle of ratios", at)
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
