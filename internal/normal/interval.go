package normal

import "math"

// Interval returns Φ(b) − Φ(a), the probability of (a, b), for a ≤ b; the ends may be infinite. NaN if a > b.
//
// The interval is mirrored so that it leans to the right (a + b ≥ 0); then
//
//	a ≥ 0:      φ(a)·[R(a) − e^{−T} R(b)],  T = (b−a)(a+b)/2, so that e^{−T} = φ(b)/φ(a)
//	a < 0 < b:  1 − Φ(a) − Φ(−b)
//
// and where these would cancel (T ≤ ½; width below 1) φ(a) times the integral of e^{−ay−y²/2} over the width.
func Interval(a, b float64) float64 {
	a, b, _ = lean(a, b)
	switch {
	case !(a <= b):
		return math.NaN()
	case a == b:
		return 0
	case a >= 0:
		return PDF(a) * mass(a, b)
	case b-a < 1:
		return PDF(a) * narrowMass(a, b-a)
	}
	return 1 - (CDF(a) + CDF(-b))
}

// LogInterval returns log(Φ(b) − Φ(a)) by the forms of [Interval]; an interval beyond ±38 does not underflow. It is −Inf for a = b, NaN for a > b.
func LogInterval(a, b float64) float64 {
	a, b, _ = lean(a, b)
	switch {
	case !(a <= b):
		return math.NaN()
	case a == b:
		return math.Inf(-1)
	case a >= 0:
		return LogPDF(a) + math.Log(mass(a, b))
	case b-a < 1:
		return LogPDF(a) + math.Log(narrowMass(a, b-a))
	}
	return math.Log1p(-(CDF(a) + CDF(-b)))
}

// lean returns (a, b), or its mirror image (−b, −a) if that lies further to the right.
func lean(a, b float64) (lo, hi float64, mirrored bool) {
	if a < -b {
		return -b, -a, true
	}
	return a, b, false
}

// drop returns T = (b−a)(a+b)/2 = log φ(a)/φ(b) and e^{−T} = φ(b)/φ(a), for a ≤ b, a + b ≥ 0.
//
// Rounded naively T is wrong by up to 3 units in the last place and e^{−T} by 3T: 1e-13 near underflow. The rounding errors of the sum, the difference (Knuth's
// two-sum) and the product (fused multiply-add) are known exactly, so they go into the exponential to first order, as in expHalfSquare.
func drop(a, b float64) (t, e float64) {
	w, s := b-a, b+a
	t = 0.5 * w * s
	if t > dropUnderflow {
		return t, 0
	}
	lost := math.FMA(w, s, -w*s) + w*sumError(b, a, s) + s*sumError(b, -a, w)
	e = math.Exp(-t)
	return t, e - 0.5*lost*e
}

// dropUnderflow is a bound beyond which e^{−T} is below half the smallest float64, 1075·log 2.
const dropUnderflow = 745.2

// sumError returns x + y − s exactly, for s = x + y rounded.
func sumError(x, y, s float64) float64 {
	v := s - x
	return (x - (s - v)) + (y - v)
}

// mass returns (Φ(b)−Φ(a))/φ(a) for 0 ≤ a < b. Beyond T = ½ the difference costs less than three bits.
func mass(a, b float64) float64 {
	t, e := drop(a, b)
	if t <= narrow8Drop {
		return narrowMass(a, b-a)
	}
	return ratio(a) - e*ratio(b)
}

// Wilson returns the 95 % interval of Wilson for the share behind count out of n: where |p̂ − p| ≤ z √(p(1−p)/n), the score
// test solved for p. Of nothing nothing is known: [0, 1].
func Wilson(count, n int) (low, high float64) { return WilsonHalves(2*count, n) }

// WilsonHalves is Wilson for a count in halves, as where a tie is half a win. A half has less variance than the whole wins
// and losses the formula takes it for, so the interval is rather too wide than too narrow.
func WilsonHalves(halves, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959963984540054
	of, p := float64(n), float64(halves)/float64(2*n)
	mid := (p + z*z/(2*of)) / (1 + z*z/of)
	half := z / (1 + z*z/of) * math.Sqrt(p*(1-p)/of+z*z/(4*of*of))
	return math.Max(0, mid-half), math.Min(1, mid+half)
}
