package figure

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// texts returns the labels of the major ticks, and the number of minor ones.
func texts(ticks []tick) (major string, minor int) {
	var out []string
	for _, t := range ticks {
		if t.text == "" {
			minor++
		} else {
			out = append(out, t.text)
		}
	}
	return strings.Join(out, " "), minor
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		s     scale
		count int
		major string
		minor int
	}{
		{scale{lo: 0, hi: 108}, 4, "0 50 100", 0},
		{scale{lo: -1, hi: 1}, 4, "−1.0 −0.5 0.0 0.5 1.0", 0},
		{scale{lo: -1, hi: 1}, 2, "−1 0 1", 0},
		{scale{lo: 8, hi: 10}, 4, "8.0 8.5 9.0 9.5 10.0", 0},
		{scale{lo: 8, hi: 10, whole: true}, 4, "8 9 10", 0},
		{scale{lo: 0, hi: 0.65}, 4, "0.0 0.2 0.4 0.6", 0},
		// Decades, with their multiples 2 … 9 as minor ticks.
		{scale{lo: 1e-3, hi: 10, log: true}, 6, "10^{−3} 10^{−2} 10^{−1} 10^{0} 10^{1}", 4 * 8},
		{scale{lo: 0.05, hi: 30, log: true}, 5, "10^{−1} 10^{0} 10^{1}", 5 + 8 + 8 + 2},
		// Too many to label: every third, the others minor.
		{scale{lo: 1e-12, hi: 1, log: true}, 5, "10^{−12} 10^{−9} 10^{−6} 10^{−3} 10^{0}", 8},
		// Too few to read a scale from.
		{scale{lo: 0.15, hi: 0.7, log: true}, 5, "0.2 0.5", 4},
		{scale{lo: 0.3, hi: 3, log: true}, 5, "0.5 1 2", 7},
		{scale{lo: 5, hi: 30, log: true}, 5, "5 10 20", 5},
		{scale{lo: 1.5e-5, hi: 7e-5, log: true}, 5, "2·10^{−5} 5·10^{−5}", 4},
	} {
		ticks := c.s.ticks(c.count)
		if major, minor := texts(ticks); major != c.major || minor != c.minor {
			t.Errorf("%+v has ticks %q and %d more, want %q and %d", c.s, major, minor, c.major, c.minor)
		}
		if !slices.IsSortedFunc(ticks, func(a, b tick) int { return int(math.Copysign(1, a.at-b.at)) }) {
			t.Errorf("%+v has ticks out of order: %v", c.s, ticks)
		}
		for _, k := range ticks {
			if u := c.s.unit(k.at); u < -1e-6 || u > 1+1e-6 {
				t.Errorf("%+v has a tick at %g outside", c.s, k.at)
			}
		}
	}
}

func TestUnit(t *testing.T) {
	linear, log := scale{lo: -1, hi: 3}, scale{lo: 1e-4, hi: 1, log: true}
	if linear.unit(0) != 0.25 || math.Abs(log.unit(1e-3)-0.25) > 1e-15 {
		t.Errorf("a quarter is at %g and %g", linear.unit(0), log.unit(1e-3))
	}
	if !slices.Equal(log.clip([]float64{-5, 7, 0.5}), []float64{1e-4, 1, 0.5}) {
		t.Error("clip leaves the scale or moves what is on it")
	}
	if s := (scale{lo: -10, hi: 10}); s.along(0, 81) != -10 || s.along(80, 81) != 10 || s.along(40, 81) != 0 {
		t.Error("along misses the ends or the middle")
	}
}
