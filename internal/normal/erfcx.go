package normal

import "math"

// erfcxOverflow lies between the x where 2e^{x²} and where e^{x²} overflow (−26.6287, −26.6415).
const erfcxOverflow = -26.635

// Erfcx returns the scaled complementary error function e^{x²} erfc(x).
//
// For x ≥ 0 it is √(2/π)·R(√2 x), one polynomial for the whole half line. For x < 0 it is 2e^{x²} − erfcx(−x), both
// terms well apart; it overflows to +Inf below x ≈ −26.63. Relative error ≤ 2e-15.
func Erfcx(x float64) float64 {
	e := 2 * invSqrt2Pi * ratio(math.Sqrt2*math.Abs(x))
	if x >= 0 || math.IsNaN(x) {
		return e
	}
	if x < erfcxOverflow {
		return math.Inf(1)
	}
	// e^{x²}, with the rounding error of x² put back as in expHalfSquare.
	s := x * x
	lost := math.FMA(x, x, -s)
	g := math.Exp(s)
	return 2*(g+lost*g) - e
}
