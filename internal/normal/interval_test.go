package normal

import (
	"math"
	"testing"
)

func TestInterval(t *testing.T) {
	z, log := track(t, "Interval", sharp), track(t, "LogInterval", sharp)
	for _, r := range golden(t, "truncated.json") {
		a, b := r["a"], r["b"]
		z.rel(Interval(a, b), r["z"], a, b)
		log.rel(LogInterval(a, b), r["logz"], a, b)
	}
}

func TestIntervalLimits(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ a, b, want, log float64 }{
		{-inf, inf, 1, 0},
		{-inf, 0, 0.5, -math.Ln2},
		{0, inf, 0.5, -math.Ln2},
		{3, 3, 0, -inf},
		{inf, inf, 0, -inf},
		{-inf, -inf, 0, -inf},
		{2, 1, nan, nan},
		{nan, 1, nan, nan},
		{0, nan, nan, nan},
		{inf, -inf, nan, nan},
	} {
		got, log := Interval(c.a, c.b), LogInterval(c.a, c.b)
		same := func(x, y float64) bool { return x == y || math.Abs(x-y) < 1e-15 || math.IsNaN(x) && math.IsNaN(y) }
		if !same(got, c.want) || !same(log, c.log) {
			t.Errorf("(%v, %v): %v, log %v; want %v, %v", c.a, c.b, got, log, c.want, c.log)
		}
	}
}

// A partition of the line into outcomes: probabilities of neighbours add up, wherever the cuts are.
func TestIntervalAdds(t *testing.T) {
	w := track(t, "Interval additivity", 1e-14)
	cuts := []float64{math.Inf(-1), -1000, -40, -12, -3.0001, -3, -1, -0.4, -1e-9, 0, 1e-7, 0.6, 0.600001, 2, 7, 7.5, 39, math.Inf(1)}
	for i, a := range cuts {
		for j := i + 1; j < len(cuts); j++ {
			for _, c := range cuts[j+1:] {
				whole := LogInterval(a, c)
				parts := math.Exp(LogInterval(a, cuts[j])-whole) + math.Exp(LogInterval(cuts[j], c)-whole)
				// A logarithm of size |whole| is itself rounded, and exp turns that into a relative error.
				w.check(parts, 1, 1+math.Abs(whole), a, cuts[j], c)
			}
		}
	}
}
