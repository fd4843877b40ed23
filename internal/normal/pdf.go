package normal

import "math"

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
