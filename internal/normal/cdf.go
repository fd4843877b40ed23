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

const (
	sqrt2Pi    = 2.5066282746310005024157652848110452530069867406099 // √(2π)
	invSqrt2Pi = 0.3989422804014326779399460599343818684758586311649 // 1/√(2π)
	logSqrt2Pi = 0.9189385332046727417803297364056176398613974736378 // log √(2π)
)

// PDF returns the standard normal density φ(x) = e^{−x²/2}/√(2π).
func PDF(x float64) float64 { return invSqrt2Pi * expHalfSquare(x) }

// LogPDF returns log φ(x) = −x²/2 − log √(2π).
func LogPDF(x float64) float64 { return -0.5*x*x - logSqrt2Pi }

// underflow is a bound beyond which e^{−x²/2} is below half the smallest float64: √(2·1075·log 2) = 38.6.
const underflow = 38.61

// expHalfSquare returns e^{−x²/2}. The rounding of x² alone would cost x²/2 units in the last place (700 near x = 38); a
// fused multiply-add recovers what was rounded off, and e^{−δ/2} = 1 − δ/2 puts it back. Relative error ≤ 4e-16.
func expHalfSquare(x float64) float64 {
	if math.Abs(x) > underflow {
		return 0
	}
	s := x * x
	lost := math.FMA(x, x, -s)
	e := math.Exp(-0.5 * s)
	return e - 0.5*lost*e
}

// Mills returns h(x) = φ(x)/Φ(x), the factor of Lemma 3.1 and Lemma B.1: E[X | X > −x] = h(x), and (log Φ)' = h.
//
//	h(x) = 1/R(−x)              for x ≤ 0; tends to −x,
//	h(x) = φ(x)/(1 − Φ(−x))     for x > 0.
//
// The quotient as written loses digits below x ≈ −37.5 and is 0/0 from −38.6; 1/R is good for every float64. (The name: h is the inverse Mills ratio of −x.)
func Mills(x float64) float64 {
	if x > 0 {
		p := PDF(x)
		return p / (1 - p*ratio(x))
	}
	return 1 / ratio(-x)
}

// MillsPrime returns h'(x) = −h(x)(h(x)+x) = (log Φ)″. It lies in (−1, 0); −h' is the γ by which observing X > −x shrinks a unit variance (App. A).
//
// For x ≤ 0 the sum h + x is a difference that loses x² units in the last place; there −h' = 1 − Var[X | X > −x], and the variance, at most 0.37, has its own
// fit (tail.go). For x > 0 both terms of h + x are positive, and h' keeps its relative accuracy as it vanishes.
func MillsPrime(x float64) float64 {
	if x > 0 {
		h := Mills(x)
		if h == 0 {
			return 0 // the limit; h·x is 0·Inf at +Inf
		}
		return -h * (h + x)
	}
	t, inv := tailMap(-x)
	return inv*inv*poly32(&variancePoly, t) - 1
}
