package normal

import "math"

// Truncated holds what one answer tells about its noisy difference: a standard normal X given a < X < b, with Z = Φ(b) − Φ(a).
//
// The fields are also the derivatives of a log likelihood. Let Z(t) = Pr(a < X+t < b) = Φ(b−t) − Φ(a−t). Completing the
// square, log Z(t) = log Z − t²/2 + log E[e^{tX} | a < X < b], so at t = 0
//
//	(log Z)' = Mean,   (log Z)″ = Variance − 1 = −Shrink,   (log Z)‴ = Third.
//
// With a = −τ, b = ∞ (the winner of a duel) Mean is φ(τ)/Φ(τ) of Lemma 3.1 and Shrink is h(h+τ), by which the variance of App. A falls.
type Truncated struct {
	LogZ     float64 // log Z
	Mean     float64 // r = (φ(a) − φ(b))/Z
	Variance float64 // 1 − γ, accurate even when tiny (narrow interval, far tail)
	Shrink   float64 // γ = r² − (aφ(a) − bφ(b))/Z, accurate even when tiny (wide interval)
	Third    float64 // E[(X − r)³ | a < X < b]
	AtA, AtB float64 // φ(a)/Z and φ(b)/Z, 0 at an infinite end
}

// Truncate returns the moments of a standard normal restricted to (a, b), a < b; the ends may be infinite.
//
// Errors, measured for |a|, |b| ≤ 1e6 and widths from 1e-12 to ∞: relative, 2e-15 for LogZ, Shrink, AtA and AtB, 1e-14 for Variance, 1e-14 for Third if one end
// is infinite. Mean crosses zero: 2e-15 of the standard deviation or of itself, whichever is larger (for a narrow interval the deviation is w/√12, and what
// limits Mean is its own last digit). Third crosses zero too: 3e-14 of its scale, the smaller of deviation³ (w³ for a narrow interval) and what the ends
// contribute, (1+a²)·AtA + (1+b²)·AtB.
//
// At a = b the result is the limit of a shrinking interval, the point mass at a: LogZ = −Inf, Mean = a, Variance = 0, Shrink = 1,
// Third = 0, AtA = AtB = +Inf. For a > b, and if a or b is NaN, every field is NaN. AtA and AtB overflow to +Inf for
// widths below 1e-308, Variance and Third underflow to 0 for widths or 1/|a| below 1e-154 and 1e-103.
func Truncate(a, b float64) Truncated {
	lo, hi, mirrored := lean(a, b)
	var t Truncated
	switch {
	case !(lo <= hi):
		nan := math.NaN()
		return Truncated{nan, nan, nan, nan, nan, nan, nan}
	case lo == hi:
		return Truncated{LogZ: math.Inf(-1), Mean: a, Shrink: 1, AtA: math.Inf(1), AtB: math.Inf(1)}
	case lo < 0 && hi-lo >= acrossWidth:
		t = truncateAcross(lo, hi)
	default:
		t = truncateTail(lo, hi)
	}
	if mirrored {
		t.Mean, t.Third = -t.Mean, -t.Third
		t.AtA, t.AtB = t.AtB, t.AtA
	}
	return t
}

// acrossWidth is the width from which an interval that contains 0 uses differences of Φ and φ at its ends. These lose about w⁻² in the variance and w⁻⁴ in the
// third moment: some 25 and 90 units in the last place here, three times as much at width 1.
const acrossWidth = 1.25

// truncateAcross handles a < 0 < b of width at least acrossWidth, b = ∞ included. With A = φ(a)/Z, B = φ(b)/Z, r = A − B and s = aA − bB,
//
//	γ = r² − s                          a sum of positive terms, since a < 0 < b
//	Third = (a²−1)A − (b²−1)B − 3rs + 2r³
//
// All terms carry A or B as a factor, so that γ and Third keep their relative accuracy as the interval grows.
func truncateAcross(a, b float64) Truncated {
	pa, pb := PDF(a), PDF(b)
	q := pa * ratio(-a) // 1 − Z
	if pb > 0 {
		q += pb * ratio(b)
	}
	z := 1 - q
	ha, hb := pa/z, pb/z
	r := ha - hb
	aha, bhb := edge(a, ha), edge(b, hb)
	s := aha - bhb
	shrink := r*r - s
	return Truncated{
		LogZ:     math.Log1p(-q),
		Mean:     r,
		Variance: 1 - shrink,
		Shrink:   shrink,
		Third:    edge(a, aha) - edge(b, bhb) - r*(1+3*s-2*r*r),
		AtA:      ha,
		AtB:      hb,
	}
}

// edge returns x·density, with its limit 0 where the density has underflowed and x may be infinite.
func edge(x, density float64) float64 {
	if density == 0 {
		return 0
	}
	return x * density
}

// onesidedDrop is the T = log φ(a)/φ(b) from which b might as well be infinite: cutting off what lies beyond it changes
// the third moment, the most sensitive, by a relative e^{−T}T³/2 < 1e-21.
const onesidedDrop = 60

// truncateTail handles 0 ≤ a < b, and narrow intervals across 0. Up to narrow16Drop it integrates. Otherwise it starts
// from the tail beyond a, whose moments have fits of their own, and takes away the tail beyond b: X | X > a is X | a < X < b
// with probability 1−p and X | X > b with probability p, hence with Δ the distance between two of the three means
//
//	mean(a,b) = mean(a) − p/(1−p)·(mean(b) − mean(a))
//	Var(a,b)  = (Var(a) − p Var(b))/(1−p) − p Δ²,            Δ = mean(b) − mean(a,b)
//
// and likewise for the third moment. For T ≥ 3 this subtracts at most a factor of 3.
func truncateTail(a, b float64) Truncated {
	t, e := drop(a, b)
	if t <= narrow16Drop {
		n := restrictNarrow(a, b-a, t)
		return Truncated{
			LogZ:     LogPDF(a) + math.Log(n.mass),
			Mean:     a + n.mean,
			Variance: n.variance,
			Shrink:   1 - n.variance,
			Third:    n.third,
			AtA:      1 / n.mass,
			AtB:      e / n.mass,
		}
	}
	at := upperTail(a)
	mass, mean := at.ratio, a+at.excess()
	if t < onesidedDrop {
		bt := upperTail(b)
		beyond := e * bt.ratio
		mass -= beyond
		odds, p := beyond/mass, beyond/at.ratio
		apart := b - a + bt.excess() - at.excess() // mean(b) − mean(a)
		shift := odds * apart                      // mean(a) − mean(a,b)
		gap := apart + shift                       // mean(b) − mean(a,b)
		mean = a + (at.excess() - shift)
		third := at.third + odds*(at.third-bt.third-apart*(3*bt.variance+apart*apart))
		at.variance += odds*(at.variance-bt.variance) - p*gap*gap
		at.third = third + shift*(3*at.variance+shift*shift)
	}
	return Truncated{
		LogZ:     LogPDF(a) + math.Log(mass),
		Mean:     mean,
		Variance: at.variance,
		Shrink:   1 - at.variance,
		Third:    at.third,
		AtA:      1 / mass,
		AtB:      e / mass,
	}
}
