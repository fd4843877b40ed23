package normal

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// CDF returns the standard normal distribution function
//
//	Φ(x) = ½ erfc(−x/√2) = φ(x) R(−x)       for x ≤ 0,
//	Φ(x) = 1 − φ(x) R(x)                    for x > 0,
//
// with Mills' ratio R = (1−Φ)/φ. The left tail keeps full relative accuracy down to underflow at x ≈ −38.5. For the right
// tail ask for CDF(−x) rather than 1 − CDF(x).
func CDF(x float64) float64 {
	q := PDF(x) * ratio(math.Abs(x))
	if x > 0 {
		return 1 - q
	}
	return q
}

// LogCDF returns log Φ(x), accurate relative to itself in both tails:
//
//	−x²/2 + log(R(−x)/√(2π))     for x ≤ 0: nothing underflows, Φ(−1e6) included,
//	log1p(−Φ(−x))                for x > 0: tends to −Φ(−x), where log of a rounded Φ is 0 from x ≈ 8.3 on.
func LogCDF(x float64) float64 {
	if x > 0 {
		return math.Log1p(-PDF(x) * ratio(x))
	}
	return math.Log(invSqrt2Pi*ratio(-x)) - 0.5*x*x
}

// LogCDFMills stores log Φ(x[i]) in logcdf[i] and h(x[i]) = φ(x[i])/Φ(x[i]), its derivative, in mills[i]. Doing both shares
// the one polynomial. It does not allocate. The slices have one length; logcdf or mills may be x.
//
// With vector instructions (see [linalg.Active]) the formulas of [LogCDF] and [Mills] run on several x at once, and a value may differ from theirs by 2e-15,
// relative; it depends on its x alone, not on its place in the slice. Without, the values are theirs.
func LogCDFMills(logcdf, mills, x []float64) {
	if len(logcdf) != len(x) || len(mills) != len(x) {
		panic("normal: LogCDFMills: slices of different lengths")
	}
	if linalg.LogCDFMills(logcdf, mills, x, &ratioPoly) {
		return
	}
	for i, v := range x {
		r := ratio(math.Abs(v))
		if v > 0 {
			p := PDF(v)
			q := p * r
			logcdf[i], mills[i] = math.Log1p(-q), p/(1-q)
		} else {
			logcdf[i], mills[i] = math.Log(invSqrt2Pi*r)-0.5*v*v, 1/r
		}
	}
}

// Halves stores Φ(z[i]) in below[i], Φ(−z[i]) in above[i] and φ(z[i]) in density[i]. The smaller of the two halves is accurate relative to itself, the larger
// one is 1 less it. It does not allocate. The slices have one length and are apart from each other. Its last digits are those of [LogCDFMills].
func Halves(below, above, density, z []float64) {
	if len(above) != len(z) || len(density) != len(z) {
		panic("normal: Halves: slices of different lengths")
	}
	for i, v := range z {
		density[i] = -math.Abs(v)
	}
	LogCDFMills(above, density, density)
	linalg.Exp(above, above)
	for i, v := range z {
		tail := above[i]
		if tail == 0 {
			density[i] = 0 // Mills' ratio of a tail that is none may be infinite
		} else {
			density[i] *= tail
		}
		if v > 0 {
			below[i] = 1 - tail
		} else {
			below[i], above[i] = tail, 1-tail
		}
	}
}
