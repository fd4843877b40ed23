package normal

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/linalg"
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
	for _, f := range []func(float64) float64{PDF, LogPDF, CDF, LogCDF, Mills, MillsPrime, Quantile} {
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

// eachPath runs f along every path of the vector kernels on this machine.
func eachPath(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, p := range linalg.Available() {
		t.Run(p.String(), func(t *testing.T) {
			restore, err := linalg.Force(p)
			if err != nil {
				t.Fatal(err)
			}
			defer restore()
			f(t)
		})
	}
}

// The array version against the same 30 digits as the scalars, and where it promises them against the scalars.
func TestLogCDFMills(t *testing.T) {
	rows := golden(t, "scalar.json")
	eachPath(t, func(t *testing.T) {
		x := make([]float64, len(rows))
		for i, r := range rows {
			x[i] = r["x"]
		}
		logcdf, mills := make([]float64, len(x)), make([]float64, len(x))
		if n := testing.AllocsPerRun(3, func() { LogCDFMills(logcdf, mills, x) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
		log, h := track(t, "LogCDFMills, log", sharp), track(t, "LogCDFMills, mills", sharp)
		for i, r := range rows {
			log.rel(logcdf[i], r["logcdf"], x[i])
			h.rel(mills[i], r["mills"], x[i])
			if linalg.Active() == linalg.Generic && (logcdf[i] != LogCDF(x[i]) || mills[i] != Mills(x[i])) {
				t.Errorf("at %v: (%v, %v), one by one (%v, %v)", x[i], logcdf[i], mills[i], LogCDF(x[i]), Mills(x[i]))
			}
		}
	})
	x := make([]float64, 3)
	for _, f := range []func(){
		func() { LogCDFMills(x, x[1:], x) },
		func() { LogCDFMills(x[1:], x, x) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("slices of different lengths: no panic")
				}
			}()
			f()
		}()
	}
}

// All of [−45, 45] and the far tails at random against the scalars: the golden file has a thousand points, and a lane or
// a power of two that goes wrong may hide between them. Differences are relative, as both sides are.
func TestLogCDFMillsDense(t *testing.T) {
	n := 50000
	if testing.Short() {
		n = 20000
	}
	rng := rand.New(rand.NewPCG(5, 6))
	var x []float64
	for range n {
		x = append(x, 90*rng.Float64()-45, rng.NormFloat64(), -math.Exp(700*rng.Float64()-350), math.Exp(40*rng.Float64()-36))
	}
	// The change of form at 0, and that of the logarithm where Φ passes √½.
	for _, at := range []float64{0, 0.544951580457567} {
		below, above := at, at
		for range 50 {
			below, above = math.Nextafter(below, -1), math.Nextafter(above, 1)
			x = append(x, below, above)
		}
	}
	eachPath(t, func(t *testing.T) {
		logcdf, mills := make([]float64, len(x)), make([]float64, len(x))
		LogCDFMills(logcdf, mills, x)
		log, h := track(t, "log against scalar", 2*sharp), track(t, "mills against scalar", 2*sharp)
		for i, v := range x {
			log.rel(logcdf[i], LogCDF(v), v)
			h.rel(mills[i], Mills(v), v)
		}
	})
}

func TestLogCDFMillsLimits(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	cases := []struct{ x, logcdf, mills float64 }{
		{-inf, -inf, inf}, {inf, 0, 0}, {nan, nan, nan}, {math.Copysign(nan, -1), nan, nan},
		{0, -math.Ln2, 2 * invSqrt2Pi}, {math.Copysign(0, -1), -math.Ln2, 2 * invSqrt2Pi},
		{5e-324, -math.Ln2, 2 * invSqrt2Pi}, {-5e-324, -math.Ln2, 2 * invSqrt2Pi},
		{40, 0, 0}, {1e6, 0, 0}, {math.MaxFloat64, 0, 0},
		{-1e6, -500000000014.734449, 1000000.000001}, {-1e153, -5e305, 1e153}, {-1e160, -inf, 1e160},
		{-1e308, -inf, 1e308}, {-40, -804.608442013753788, 40.02496884720726},
	}
	eachPath(t, func(t *testing.T) {
		log, h := track(t, "LogCDFMills limits, log", sharp), track(t, "LogCDFMills limits, mills", sharp)
		same := func(w *worst, got, want, x float64) {
			if math.IsNaN(want) != math.IsNaN(got) {
				t.Errorf("%s(%v) = %v, want %v", w.name, x, got, want)
			} else if !math.IsNaN(want) {
				w.rel(got, want, x)
			}
		}
		for pad := range 9 { // at every position of a vector and of its tail
			x := make([]float64, pad+len(cases))
			for i, c := range cases {
				x[pad+i] = c.x
			}
			logcdf, mills := make([]float64, len(x)), make([]float64, len(x))
			LogCDFMills(logcdf, mills, x)
			for i, c := range cases {
				same(log, logcdf[pad+i], c.logcdf, c.x)
				same(h, mills[pad+i], c.mills, c.x)
			}
		}
		// Where φ is subnormal the result has fewer digits, but the smallest number stays the unit.
		for x := 37.5; x < 38.7; x += 1. / 64 {
			logcdf, mills := []float64{x}, []float64{x}
			LogCDFMills(logcdf, mills, []float64{x})
			if math.Abs(logcdf[0]-LogCDF(x)) > 1.5e-323 || math.Abs(mills[0]-Mills(x)) > 1.5e-323+1e-14*Mills(x) {
				t.Errorf("at %v: (%v, %v), one by one (%v, %v)", x, logcdf[0], mills[0], LogCDF(x), Mills(x))
			}
		}
	})
}

// A value depends on its x alone: in any length, at any place, in place or not, the bits are the same, and nothing
// outside the slices is touched.
func TestLogCDFMillsLengths(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		all := spread()
		wantLog, wantMills := make([]float64, len(all)), make([]float64, len(all))
		LogCDFMills(wantLog, wantMills, all)
		const guard, margin = 7.25, 16
		guarded := func(v []float64) (full, inner []float64) {
			full = slices.Repeat([]float64{guard}, len(v)+2*margin)
			inner = full[margin : margin+len(v) : margin+len(v)]
			copy(inner, v)
			return full, inner
		}
		for n := range 41 {
			x := all[n : 2*n]
			for _, alias := range []string{"none", "logcdf", "mills"} {
				fullX, in := guarded(x)
				fullLog, logcdf := guarded(x)
				fullMills, mills := guarded(x)
				switch alias {
				case "logcdf":
					logcdf = in
				case "mills":
					mills = in
				}
				LogCDFMills(logcdf, mills, in)
				for i := range x {
					if math.Float64bits(logcdf[i]) != math.Float64bits(wantLog[n+i]) || math.Float64bits(mills[i]) != math.Float64bits(wantMills[n+i]) {
						t.Fatalf("n=%d, x is %s: at %v (%v, %v), in a long slice (%v, %v)", n, alias, x[i], logcdf[i], mills[i], wantLog[n+i], wantMills[n+i])
					}
				}
				for _, full := range [][]float64{fullX, fullLog, fullMills} {
					for i, v := range full {
						if (i < margin || i >= margin+n) && v != guard {
							t.Fatalf("n=%d: wrote outside of a slice, at %d", n, i-margin)
						}
					}
				}
			}
		}
	})
}

// TestHalves: both halves and the density are those of the functions of one number, in the tails and beyond them.
func TestHalves(t *testing.T) {
	z := []float64{0, 1e-300, -1e-9, 0.3, -0.3, 2, -2, 7.5, -7.5, 20, -20, 37, -37, 60, -60, math.Inf(1), math.Inf(-1)}
	below, above, density := make([]float64, len(z)), make([]float64, len(z)), make([]float64, len(z))
	Halves(below, above, density, z)
	for i, v := range z {
		for _, c := range []struct{ got, want float64 }{{below[i], CDF(v)}, {above[i], CDF(-v)}, {density[i], PDF(v)}} {
			if !(math.Abs(c.got-c.want) <= 1e-13*c.want) {
				t.Errorf("at %v: %v, %v, %v, want %v, %v, %v", v, below[i], above[i], density[i], CDF(v), CDF(-v), PDF(v))
				break
			}
		}
	}
	nan := []float64{math.NaN()}
	if Halves(below[:1], above[:1], density[:1], nan); below[0] == below[0] || above[0] == above[0] || density[0] == density[0] {
		t.Errorf("at NaN: %v, %v, %v", below[0], above[0], density[0])
	}
}
