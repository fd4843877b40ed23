package normal

import (
	"math"
	"math/rand/v2"
)

// SampleTruncated draws from a standard normal restricted to [a, b], a ≤ b; the ends may be infinite. It returns a if a = b, NaN if a > b or an end is NaN.
//
// The draw is exact, by rejection, up to the resolution of rng's own NormFloat64 and ExpFloat64. Nothing underflows: a = 40
// and a = 1e6 are drawn like a = 4. The acceptance rate is at least 0.49 for every interval.
func SampleTruncated(rng *rand.Rand, a, b float64) float64 {
	lo, hi, mirrored := lean(a, b)
	var x float64
	switch {
	case !(lo <= hi):
		return math.NaN()
	case lo == hi:
		x = lo
	case lo < 0:
		x = sampleAcross(rng, lo, hi)
	default:
		x = lo + sampleExcess(rng, lo, hi)
	}
	// a + y with y ≤ b − a can round to the float64 above b; the draw belongs to [a, b].
	x = min(x, hi)
	if mirrored {
		return -x
	}
	return x
}

// sampleAcross draws from [a, b] with a < 0 < b, −a ≤ b: the normal itself if the interval is wide, else a uniform x
// accepted with probability e^{−x²/2}. The two rates agree, near ½, at the width √(2π).
func sampleAcross(rng *rand.Rand, a, b float64) float64 {
	if b-a >= sqrt2Pi {
		for {
			if x := rng.NormFloat64(); a <= x && x <= b {
				return x
			}
		}
	}
	for {
		x := a + (b-a)*rng.Float64()
		if rng.ExpFloat64() >= 0.5*x*x {
			return x
		}
	}
}

// sampleExcess draws y = x − a for x in [a, b], 0 ≤ a < b, whose density is proportional to e^{−ay−y²/2}.
//
// Over a drop T = log φ(a)/φ(b) ≤ 1 a uniform y is accepted with probability e^{−ay−y²/2} ≥ 1/e. Otherwise the proposal is
// exponential with rate α = (a+√(a²+4))/2, the rate (not the scale) that Robert (1995, Prop. 2.3) finds best for the half line,
// and the acceptance probability e^{−(y−(α−a))²/2}; note α − a = 1/α. Proposals beyond b are redrawn.
func sampleExcess(rng *rand.Rand, a, b float64) float64 {
	w := b - a
	if 0.5*w*(a+b) <= 1 {
		for {
			y := w * rng.Float64()
			if rng.ExpFloat64() >= y*(a+0.5*y) {
				return y
			}
		}
	}
	rate := 0.5 * (a + math.Sqrt(a*a+4))
	for {
		y := rng.ExpFloat64() / rate
		if d := y - 1/rate; y <= w && 2*rng.ExpFloat64() >= d*d {
			return y
		}
	}
}
