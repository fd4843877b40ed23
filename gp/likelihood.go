package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/normal"
)

// LogLik is the log likelihood of one answer as a function of the true difference d, with its first three derivatives in d.
type LogLik struct {
	Value, D1, D2, D3 float64
}

// LogLik returns log Pr(g ∈ iv | d) for g = d + ε, ε ~ N(0, σ²), and its derivatives.
//
//	ℓ(d) = log[Φ((hi−d)/σ) − Φ((lo−d)/σ)]
//	ℓ'   = r/σ,   ℓ'' = −γ/σ² = (Var − 1)/σ²,   ℓ''' = κ₃/σ³
//
// r, Var and κ₃ are the mean, variance and third central moment of the standard normal restricted to ((lo−d)/σ, (hi−d)/σ): shifting d tilts that restricted
// density exponentially, so log Z is its cumulant generating function up to −d²/2σ². With lo = 0, hi = ∞ this is Eq. 2 of the paper. The moments come from
// normal.Truncate, which forms no 0/0 in the tails.
func (iv Interval) LogLik(d, sigma float64) LogLik {
	t := normal.Truncate((iv.Lo-d)/sigma, (iv.Hi-d)/sigma)
	return LogLik{t.LogZ, t.Mean / sigma, -t.Shrink / (sigma * sigma), t.Third / (sigma * sigma * sigma)}
}

// ends holds the partial derivatives of ℓ, ℓ' and ℓ” in the two ends of the interval: what the gradient of an evidence in the cuts is made of.
type ends struct {
	lo, hi [3]float64
}

// logLikEnds is LogLik with the partials in lo and hi. With a = (lo−d)/σ and A = φ(a)/Z,
//
//	∂ℓ/∂lo = −A/σ,   ∂ℓ'/∂lo = −A(a−r)/σ²,   ∂ℓ''/∂lo = −A[(a−r)² − Var]/σ³,
//
// and the same with opposite sign for hi, because dA/dd = A(a−r)/σ and dr/dd = −γ/σ.
func (iv Interval) logLikEnds(d, sigma float64) (LogLik, ends) {
	a, b := (iv.Lo-d)/sigma, (iv.Hi-d)/sigma
	t := normal.Truncate(a, b)
	l := LogLik{t.LogZ, t.Mean / sigma, -t.Shrink / (sigma * sigma), t.Third / (sigma * sigma * sigma)}
	one := func(at, z float64) [3]float64 {
		if math.IsInf(z, 0) {
			return [3]float64{}
		}
		e := z - t.Mean
		return [3]float64{at / sigma, at * e / (sigma * sigma), at * (e*e - t.Variance) / (sigma * sigma * sigma)}
	}
	e := ends{lo: one(t.AtA, a), hi: one(t.AtB, b)}
	for i := range e.lo {
		e.lo[i] = -e.lo[i]
	}
	return l, e
}

// logLikSpread returns the derivatives of ℓ, ℓ' and ℓ” in log σ at fixed d and ends. ℓ⁽ᵏ⁾ is homogeneous of degree
// −k in (d, lo, hi, σ), so by Euler's theorem
//
//	σ ∂ℓ⁽ᵏ⁾/∂σ = −k ℓ⁽ᵏ⁾ − (d ℓ⁽ᵏ⁺¹⁾ + lo ∂ℓ⁽ᵏ⁾/∂lo + hi ∂ℓ⁽ᵏ⁾/∂hi).
func (iv Interval) logLikSpread(d, sigma float64) [3]float64 {
	l, e := iv.logLikEnds(d, sigma)
	return [3]float64{
		-(d*l.D1 + iv.dot(e.lo[0], e.hi[0])),
		-l.D1 - (d*l.D2 + iv.dot(e.lo[1], e.hi[1])),
		-2*l.D2 - (d*l.D3 + iv.dot(e.lo[2], e.hi[2])),
	}
}

// dot returns lo·dlo + hi·dhi; an infinite end, of which nothing depends, counts zero.
func (iv Interval) dot(dlo, dhi float64) float64 {
	var sum float64
	if !math.IsInf(iv.Lo, 0) {
		sum += iv.Lo * dlo
	}
	if !math.IsInf(iv.Hi, 0) {
		sum += iv.Hi * dhi
	}
	return sum
}

// Tilted holds what expectation propagation needs of one answer under a Gaussian cavity: the
// normaliser of the tilted distribution and the site that reproduces its first two moments.
type Tilted struct {
	LogZ     float64 // log E_{N(m,v)}[Pr(iv | d)]
	Alpha    float64 // ∂ log Z/∂m
	Beta     float64 // −∂² log Z/∂m², in [0, 1/σ²]
	Lambda   float64 // site precision, ≥ 0 and finite also at v = 0
	Nu       float64 // site shift (precision × mean)
	dLo, dHi float64 // ∂ log Z/∂lo, ∂ log Z/∂hi
}

// Tilt returns the moments of N(d; m, v)·Pr(iv | d) in closed form: the exact look-ahead of Lemma 3.1 for one variable, generalised from half-lines to
// intervals. With s² = v + σ² and r, γ the moments of the standard normal restricted to ((lo−m)/s, (hi−m)/s),
//
//	α = r/s,  β = γ/s²,  mean = m + vα,  variance = v − v²β
//	λ = β/(1 − βv) = γ/(σ² + v·Var),   ν = λm + α(1 + λv)
//
// The site is written through derivatives of log Z instead of as a difference of precisions, so it stays finite and exact at v = 0 (a duel of an option with
// itself) and needs no floor; γ and Var = 1 − γ are each accurate when tiny, so nothing cancels.
func (iv Interval) Tilt(m, v, sigma float64) Tilted {
	s := math.Sqrt(v + sigma*sigma)
	return iv.tilted(m, v, sigma, normal.Truncate((iv.Lo-m)/s, (iv.Hi-m)/s))
}

// tilted is Tilt with the moments of the restricted normal at hand.
func (iv Interval) tilted(m, v, sigma float64, t normal.Truncated) Tilted {
	s2 := v + sigma*sigma
	s := math.Sqrt(s2)
	alpha := t.Mean / s
	beta := t.Shrink / s2
	lambda := t.Shrink / (sigma*sigma + v*t.Variance)
	return Tilted{
		LogZ: t.LogZ, Alpha: alpha, Beta: beta,
		Lambda: lambda, Nu: lambda*m + alpha*(1+lambda*v),
		dLo: -t.AtA / s, dHi: t.AtB / s,
	}
}

// oneSided returns the z for which the predictive probability of the answer is Φ(z), and the sign of the shift of its mean; 0 and 0 for an interval with two ends.
func (iv Interval) oneSided(m, s float64) (z, sign float64) {
	switch {
	case math.IsInf(iv.Hi, 1) && !math.IsInf(iv.Lo, -1):
		return (m - iv.Lo) / s, 1
	case math.IsInf(iv.Lo, -1) && !math.IsInf(iv.Hi, 1):
		return (iv.Hi - m) / s, -1
	}
	return 0, 0
}

// surprising is the z below which h(z)(h(z) + z), a difference there, has lost two digits, and Tilt takes over.
const surprising = -4

// tiltAt is Tilt, given log Φ(z) and h(z) = φ(z)/Φ(z) at the z of oneSided, which many answers compute at once.
func (iv Interval) tiltAt(m, v, sigma, logZ, h float64) Tilted {
	z, sign := iv.oneSided(m, math.Sqrt(v+sigma*sigma))
	if sign == 0 || !(z > surprising) {
		return iv.Tilt(m, v, sigma)
	}
	shrink := h * (h + z)
	t := normal.Truncated{LogZ: logZ, Mean: sign * h, Shrink: shrink, Variance: 1 - shrink}
	if sign > 0 {
		t.AtA = h
	} else {
		t.AtB = h
	}
	return iv.tilted(m, v, sigma, t)
}

// Prob returns the predictive probability of the answer when d ~ N(m, v).
func (iv Interval) Prob(m, v, sigma float64) float64 {
	s := math.Sqrt(v + sigma*sigma)
	return normal.Interval((iv.Lo-m)/s, (iv.Hi-m)/s)
}
