package normal

import "math"

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
