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

func TestLogQuantile(t *testing.T) {
	q := track(t, "LogQuantile", sharp)
	for _, r := range golden(t, "logquantile.json") {
		q.check(LogQuantile(r["logp"]), r["x"], math.Max(1, math.Abs(r["x"])), r["logp"])
	}
}

func TestQuantileLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Quantile(0)", Quantile(0), -inf}, {"Quantile(1)", Quantile(1), inf}, {"Quantile(½)", Quantile(0.5), 0},
		{"LogQuantile(-Inf)", LogQuantile(-inf), -inf}, {"LogQuantile(0)", LogQuantile(0), inf},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	track(t, "LogQuantile, far left", sharp).rel(LogQuantile(-5e299), -1e150, -5e299)
	for _, p := range []float64{-1e-300, 1 + 1e-15, inf} {
		if got := Quantile(p); !math.IsNaN(got) {
			t.Errorf("Quantile(%v) = %v, want NaN", p, got)
		}
	}
	if got := LogQuantile(1e-300); !math.IsNaN(got) {
		t.Errorf("LogQuantile(1e-300) = %v, want NaN", got)
	}
}

// LogQuantile undoes LogCDF. The change of x that a rounding of LogCDF causes is LogCDF/h ulps.
func TestLogQuantileInvertsLogCDF(t *testing.T) {
	w := track(t, "LogQuantile∘LogCDF", 4e-15)
	for i := -4000; i <= 160; i++ {
		x := float64(i) / 20
		lc := LogCDF(x)
		w.check(LogQuantile(lc), x, math.Max(1, math.Abs(x))+math.Abs(lc)/Mills(x), x)
	}
}
