package figure

import (
	"math"
	"testing"
)

func gaps(name string, y ...float64) Curve {
	c := Curve{Method: name, Median: y}
	for i := range y {
		c.X = append(c.X, float64(i+1))
	}
	return c
}

func TestUpwards(t *testing.T) {
	banded := func(lower, upper float64) Curve {
		c := gaps("kg", 1, 0.1)
		c.Lower, c.Upper = []float64{1, lower}, []float64{1, upper}
		return c
	}
	for _, c := range []struct {
		name   string
		curves []Curve
		lo, hi float64
		low    bool
	}{
		{"medians", []Curve{gaps("kg", 10, 0.01)}, 0.01 / headroom, 10 * headroom, false},
		{"zero", []Curve{gaps("kg", 10, 0.01, 0)}, 0.01 / headroom, 10 * headroom, true},
		{"below zero", []Curve{gaps("kg", 10, -1e-13, 0.01)}, 0.01 / headroom, 10 * headroom, true},
		{"nothing positive", []Curve{gaps("kg", 0, 0)}, 0.1 / headroom, headroom, true},
		{"band", []Curve{banded(0.05, 3)}, 0.05 / headroom, 3 * headroom, false},
		{"band down to nothing", []Curve{banded(0, 3)}, 0.1 / headroom, 3 * headroom, true},
		{"band far down", []Curve{banded(1e-15, 3)}, 0.1 / bandReach / headroom, 3 * headroom, true},
		{"one value", []Curve{gaps("kg", 2)}, 2 / math.Sqrt(5), 2 * math.Sqrt(5), false},
		{"none", nil, 0.1 / headroom, headroom, false},
	} {
		s, low := Panel{Curves: c.curves}.upwards()
		if math.Abs(s.Low/c.lo-1) > 1e-12 || math.Abs(s.High/c.hi-1) > 1e-12 || low != c.low || !s.Log {
			t.Errorf("%s: scale %+v, low %v; want %g to %g, %v", c.name, s, low, c.lo, c.hi, c.low)
		}
	}
}

func TestAcross(t *testing.T) {
	c := gaps("kg", 1, 1, 1, 1, 1)
	for _, v := range []struct {
		p      Panel
		lo, hi float64
	}{
		{Panel{Curves: []Curve{c}}, 0, 5},
		{Panel{Curves: []Curve{{X: []float64{80, 100}, Median: []float64{1, 1}}}}, 80, 100},
		{Panel{Curves: []Curve{{X: []float64{8}, Median: []float64{1}}}}, 7, 9},
		{Panel{Curves: []Curve{c}, Start: 8}, 0, 8},
		{Panel{}, 0, 1},
	} {
		if s := v.p.across(); s.Low != v.lo || s.High != v.hi || s.Log {
			t.Errorf("scale %+v, want %g to %g", s, v.lo, v.hi)
		}
	}
}
