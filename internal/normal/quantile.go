package normal

import "math"

// Quantile returns Φ⁻¹(p): −Inf at 0, +Inf at 1, NaN outside [0, 1].
//
// In the middle it solves Φ(x) − ½ = p − ½, a difference that is exact in float64, by Halley's iteration; in the tails it
// solves log Φ(x) = log p, or the mirror image with 1 − p, exact as well. Relative error ≤ 1e-15, also as x → 0 at p → ½.
func Quantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p < 0x1p-1022: // subnormal, for which math.Log is wrong on amd64
		return lowerQuantile(math.Log(p*0x1p52) - 52*math.Ln2)
	case p < 0.25:
		return lowerQuantile(math.Log(p))
	case p > 0.75:
		return -lowerQuantile(math.Log(1 - p))
	}
	return centralQuantile(p - 0.5)
}

// centralQuantile solves f(x) = Φ(x) − ½ − q = 0 for |q| ≤ ¼. The start is the Taylor series of Φ⁻¹ about ½, good to
// 2e-4; each Halley step, here with f″/f' = −x, cubes the error.
func centralQuantile(q float64) float64 {
	z := sqrt2Pi * q
	z2 := z * z
	x := z * (1 + z2*(1./6+z2*(7./120+z2*(127./5040))))
	for range 2 {
		f := 0.5*math.Erf(x/math.Sqrt2) - q
		step := f / PDF(x)
		x -= step / (1 + 0.5*x*step)
	}
	return x
}

// lowerQuantile solves f(x) = log Φ(x) − logp = 0 for logp ≤ log ¼, by two Halley steps with f' = h, f″/f' = −(h+x).
// The start is a least squares fit over 1.6 ≤ s ≤ 40, good to 1e-4; the smallest float64 has s = 38.6.
func lowerQuantile(logp float64) float64 {
	if math.IsInf(logp, -1) {
		return logp
	}
	s := math.Sqrt2 * math.Sqrt(-logp)
	x := (2.5297+s*(1.1141+s*0.035398))/(1+s*(1.5929+s*(0.30596+s*0.0054054))) - s
	for range 2 {
		r := ratio(-x)
		step := (math.Log(invSqrt2Pi*r) - 0.5*x*x - logp) * r
		x -= step / (1 + 0.5*(1/r+x)*step)
	}
	return x
}
