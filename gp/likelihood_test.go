package gp

import (
	"fmt"
	"math"
	"testing"
)

// intervalKinds are the shapes of answers in the tests: half-lines, ties from narrow to wide, and a
// grade away from zero.
var intervalKinds = []Interval{
	{0, math.Inf(1)}, {math.Inf(-1), 0}, {0.4, math.Inf(1)},
	{-0.3, 0.3}, {-0.001, 0.001}, {-4, 4}, {0.5, 1.7},
}

func TestLogLikDerivatives(t *testing.T) {
	for _, iv := range intervalKinds {
		for _, sigma := range []float64{0.5, 1, 2} {
			for _, d := range []float64{-9, -2, -0.1, 0, 0.7, 3, 12} {
				l, e := iv.logLikEnds(d, sigma)
				f := func(h float64) LogLik { return iv.LogLik(d+h, sigma) }
				const h = 1e-5
				near(t, "ℓ'", l.D1, slope(func(h float64) float64 { return f(h).Value }, h), 1e-7)
				near(t, "ℓ''", l.D2, slope(func(h float64) float64 { return f(h).D1 }, h), 1e-7)
				near(t, "ℓ'''", l.D3, slope(func(h float64) float64 { return f(h).D2 }, h), 1e-7)
				if l.D2 > 0 {
					t.Errorf("%v at d = %g: ℓ'' = %g > 0, not log-concave", iv, d, l.D2)
				}
				width := math.Min(1, iv.Hi-iv.Lo)
				for end, got := range map[string][3]float64{"lo": e.lo, "hi": e.hi} {
					if math.IsInf(iv.Lo, 0) && end == "lo" || math.IsInf(iv.Hi, 0) && end == "hi" {
						continue
					}
					move := func(h float64) LogLik {
						j := iv
						if end == "lo" {
							j.Lo += h
						} else {
							j.Hi += h
						}
						return j.LogLik(d, sigma)
					}
					// Derivatives in an end grow like 1/width.
					s, tol := 1e-4*width, 1e-6/width
					near(t, "∂ℓ/∂"+end, got[0], slope(func(h float64) float64 { return move(h).Value }, s), tol)
					near(t, "∂ℓ'/∂"+end, got[1], slope(func(h float64) float64 { return move(h).D1 }, s), tol)
					near(t, "∂ℓ''/∂"+end, got[2], slope(func(h float64) float64 { return move(h).D2 }, s), tol)
				}
			}
		}
	}
}

// TestTilt compares the closed form with brute-force integration of N(d; m, v)·Pr(answer | d).
func TestTilt(t *testing.T) {
	for _, iv := range intervalKinds {
		for _, c := range [][3]float64{{0, 1, 1}, {1.5, 4, 1}, {-3, 0.2, 1}, {0.4, 30, 1}, {2, 1, 0.3}, {0.1, 1e-8, 1}} {
			m, v, sigma := c[0], c[1], c[2]
			t.Run(fmt.Sprintf("%v/%v", iv, c), func(t *testing.T) {
				got := iv.Tilt(m, v, sigma)
				var z, z1, z2 float64
				const n, reach = 40000, 12
				s := math.Sqrt(v)
				for i := -n; i <= n; i++ {
					x := reach * float64(i) / n
					w := math.Exp(-x*x/2+iv.LogLik(m+s*x, sigma).Value) * reach / n / math.Sqrt(2*math.Pi)
					z, z1, z2 = z+w, z1+w*x, z2+w*x*x
				}
				mean := z1 / z
				vrc := z2/z - mean*mean
				near(t, "log Z", got.LogZ, math.Log(z), 1e-10)
				near(t, "tilted mean", s*got.Alpha, mean, 1e-9)
				near(t, "tilted variance", 1-v*got.Beta, vrc, 1e-9)
				// The site turns the cavity into the tilted Gaussian.
				near(t, "site precision", v*vrc*(1/v+got.Lambda), 1, 1e-9)
				near(t, "site shift", (m+s*mean)*(1/v+got.Lambda), m/v+got.Nu, 1e-9)
			})
		}
	}
}

func TestTiltAtZeroVariance(t *testing.T) {
	for _, iv := range intervalKinds {
		at := iv.Tilt(0, 0, 1)
		near0 := iv.Tilt(0, 1e-13, 1)
		l := iv.LogLik(0, 1)
		near(t, "λ", at.Lambda, -l.D2, 1e-12)
		near(t, "ν", at.Nu, l.D1, 1e-12)
		near(t, "λ is continuous", near0.Lambda, at.Lambda, 1e-9)
	}
}

func TestTiltFarTails(t *testing.T) {
	win := Interval{0, math.Inf(1)}
	for _, m := range []float64{-1e6, -1e3, -40, 40, 1e3, 1e6} {
		got := win.Tilt(m, 2, 1)
		for name, v := range map[string]float64{"log Z": got.LogZ, "λ": got.Lambda, "ν": got.Nu, "α": got.Alpha, "β": got.Beta} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("m = %g: %s = %g", m, name, v)
			}
		}
	}
	// A surprise of 40 sd is met half-way in proportion to prior and noise variance.
	near(t, "mean after a surprise", 1+2*win.Tilt(-1e6, 2, 1).Alpha/-1e6, 1.0/3, 1e-6)
}

func TestOutcomesPartitionTheLine(t *testing.T) {
	for kind, a := range answerKinds {
		cuts := testCuts(a)
		at := math.Inf(-1)
		var sum float64
		for _, o := range a.Outcomes() {
			iv := cuts.Interval(o, 1.5)
			if iv.Lo != at || !(iv.Hi > iv.Lo) {
				t.Errorf("%s: outcome %d is (%g, %g), want it to start at %g", kind, o, iv.Lo, iv.Hi, at)
			}
			at = iv.Hi
			sum += iv.Prob(0.3, 2, 1.5)
			mirror := cuts.Interval(-o, 1.5)
			if mirror.Lo != -iv.Hi || mirror.Hi != -iv.Lo {
				t.Errorf("%s: outcome %d is not the mirror of %d", kind, o, -o)
			}
		}
		if !math.IsInf(at, 1) {
			t.Errorf("%s: the outcomes end at %g", kind, at)
		}
		near(t, kind+": total probability", sum, 1, 1e-14)
	}
}
