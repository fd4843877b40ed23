package normal

import (
	"math"
	"testing"
)

func TestQuantile(t *testing.T) {
	q := track(t, "Quantile", sharp)
	for _, r := range golden(t, "quantile.json") {
		q.rel(Quantile(r["p"]), r["x"], r["p"])
	}
}

func TestQuantileLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Quantile(0)", Quantile(0), -inf}, {"Quantile(1)", Quantile(1), inf}, {"Quantile(½)", Quantile(0.5), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	for _, p := range []float64{-1e-300, 1 + 1e-15, inf} {
		if got := Quantile(p); !math.IsNaN(got) {
			t.Errorf("Quantile(%v) = %v, want NaN", p, got)
		}
	}
}

// Quantile undoes CDF. The change of x that a rounding of CDF causes is an ulp/h.
func TestQuantileInvertsCDF(t *testing.T) {
	w := track(t, "Quantile∘CDF", 4e-15)
	for i := -750; i <= 0; i++ {
		x := float64(i) / 20
		w.check(Quantile(CDF(x)), x, math.Max(1, math.Abs(x)), x)
	}
}

// The smallest probabilities there are, by mpmath in 50 digits.
func TestQuantileSubnormal(t *testing.T) {
	w := track(t, "Quantile, subnormal", sharp)
	w.rel(Quantile(0x1p-1074), -38.467405617144346250784, 0x1p-1074)
	w.rel(Quantile(0x1p-1040), -37.850225772271682998515, 0x1p-1040)
}
