package normal

import (
	"math"
	"testing"
)

func TestCDF(t *testing.T) {
	cdf, log := track(t, "CDF", sharp), track(t, "LogCDF", sharp)
	for _, r := range golden(t, "scalar.json") {
		x := r["x"]
		cdf.rel(CDF(x), r["cdf"], x)
		log.rel(LogCDF(x), r["logcdf"], x)
	}
}

// Values in 30-digit arithmetic, computed apart from testdata.
func TestLogCDFFixtures(t *testing.T) {
	log, mills := track(t, "LogCDF fixtures", sharp), track(t, "Mills fixtures", sharp)
	for _, c := range [][3]float64{
		{5, -2.86651612963763593e-7, 1.48671994090490571e-6},
		{0, -0.693147180559945309, 0.797884560802865356},
		{-1, -1.84102164500926351, 1.52513527616098121},
		{-5, -15.0649983939887257, 5.18650396712584212},
		{-10, -53.2312851505124706, 10.098093233962512},
		{-20, -203.917155371097264, 20.0497530685278505},
		{-38, -726.55721601882013, 38.026279466575869},
		{-100, -5005.52420869420509, 100.009998000999261},
		{-1000, -500007.826694812184, 1000.00099999800001},
		{-1e6, -500000000014.734449, 1000000.000001},
	} {
		log.rel(LogCDF(c[0]), c[1], c[0])
		mills.rel(Mills(c[0]), c[2], c[0])
	}
}

func TestCDFLimits(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name string
		got  float64
		want float64
	}{
		{"CDF(-Inf)", CDF(-inf), 0}, {"CDF(Inf)", CDF(inf), 1}, {"CDF(-1e6)", CDF(-1e6), 0},
		{"LogCDF(-Inf)", LogCDF(-inf), -inf}, {"LogCDF(Inf)", LogCDF(inf), 0}, {"LogCDF(-1e200)", LogCDF(-1e200), -inf},
		{"Mills(-Inf)", Mills(-inf), inf}, {"Mills(Inf)", Mills(inf), 0},
		{"MillsPrime(-Inf)", MillsPrime(-inf), -1}, {"MillsPrime(Inf)", MillsPrime(inf), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	track(t, "Mills, far left", sharp).rel(Mills(-1e300), 1e300, -1e300)
	for _, f := range []func(float64) float64{PDF, LogPDF, CDF, LogCDF, Mills, MillsPrime, Erfcx, Quantile, LogQuantile} {
		if !math.IsNaN(f(nan)) {
			t.Error("a function of NaN is not NaN")
		}
	}
}

// Φ(x) + Φ(−x) = 1, and Φ does not decrease from one float64 to the next, across the change of form at 0 in particular.
func TestCDFShape(t *testing.T) {
	for i := -400; i <= 400; i++ {
		x := float64(i) / 40
		if d := math.Abs(CDF(x) + CDF(-x) - 1); d > 2.3e-16 {
			t.Errorf("CDF(%v) + CDF(%v) is off 1 by %v", x, -x, d)
		}
		if a, b := CDF(x), CDF(x+1./1024); b < a {
			t.Errorf("CDF decreases at %v", x)
		}
	}
	if a, b, c := CDF(-1e-300), CDF(0), CDF(1e-300); a != 0.5 || b != 0.5 || c != 0.5 {
		t.Errorf("CDF around 0: %v, %v, %v, want ½ exactly", a, b, c)
	}
}

func TestLogCDFMills(t *testing.T) {
	rows := golden(t, "scalar.json")
	x := make([]float64, 0, len(rows)+3)
	for _, r := range rows {
		x = append(x, r["x"])
	}
	x = append(x, math.Inf(-1), math.Inf(1), 0)
	logcdf, mills := make([]float64, len(x)), make([]float64, len(x))
	if n := testing.AllocsPerRun(3, func() { LogCDFMills(logcdf, mills, x) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for i, v := range x {
		if logcdf[i] != LogCDF(v) || mills[i] != Mills(v) {
			t.Errorf("at %v: (%v, %v), one by one (%v, %v)", v, logcdf[i], mills[i], LogCDF(v), Mills(v))
		}
	}
	LogCDFMills(x, mills, x)
	if x[0] != logcdf[0] || x[len(x)-1] != logcdf[len(x)-1] {
		t.Error("in place: different values")
	}
	defer func() {
		if recover() == nil {
			t.Error("slices of different lengths: no panic")
		}
	}()
	LogCDFMills(logcdf, mills[1:], x)
}
