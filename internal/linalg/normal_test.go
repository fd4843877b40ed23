package linalg

import (
	"math"
	"testing"
)

// TestLogCDFMills checks the formulas with a polynomial of its own, Σ (0.4 t)ⁱ, in place of Mills' ratio; package normal
// holds the kernels to the digits of log Φ.
func TestLogCDFMills(t *testing.T) {
	var ratio [24]float64
	ratio[0] = 1
	for i := 1; i < len(ratio); i++ {
		ratio[i] = 0.4 * ratio[i-1]
	}
	formulas := func(x float64) (logcdf, mills float64) {
		d := math.Abs(x) + 4
		u := 0.4 * (1 - 8/d)
		r := (1 - math.Pow(u, 24)) / (1 - u) / d
		if x <= 0 {
			return math.Log(r/math.Sqrt(2*math.Pi)) - x*x/2, 1 / r
		}
		phi := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
		return math.Log1p(-phi * r), phi / (1 - phi*r)
	}
	eachPath(t, func(t *testing.T) {
		for _, n := range lengths() {
			rng := newRand(uint64(n))
			x, logcdf, mills := vector(rng, n), newMatrix(1, n, 0), newMatrix(1, n, 0)
			for i := range x.a {
				x.a[i] *= 3
			}
			if done := LogCDFMills(logcdf.a, mills.a, x.a, &ratio); done != (Active() != Generic) {
				t.Fatalf("LogCDFMills returned %v", done)
			}
			logcdf.check(t, whole)
			mills.check(t, whole)
			if Active() == Generic {
				logcdf.check(t, func(i, j int) bool { return false })
				mills.check(t, func(i, j int) bool { return false })
				continue
			}
			for i, v := range x.a {
				// The exponential of the reference magnifies the rounding of x²/2.
				tol := (8 + v*v/2) * eps
				l, h := formulas(v)
				if math.Abs(logcdf.a[i]-l) > tol*math.Abs(l) || math.Abs(mills.a[i]-h) > tol*h {
					t.Fatalf("n=%d x=%v: got %v, %v, want %v, %v", n, v, logcdf.a[i], mills.a[i], l, h)
				}
			}
		}
	})
	x := make([]float64, 3)
	wantPanic(t, "logcdf", func() { LogCDFMills(x[:2], x, x, &ratio) })
	wantPanic(t, "mills", func() { LogCDFMills(x, x[:2], x, &ratio) })
}
