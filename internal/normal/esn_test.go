package normal

import (
	"math"
	"math/rand/v2"
)

// ESN is the extended skew normal law ESN(ξ, ω², α, τ) of App. A, with density
//
//	p(x) = φ(z) Φ(τ√(1+α²) + αz) / (ω Φ(τ)),    z = (x−ξ)/ω.
//
// It is the law of ξ + ω(δU + √(1−δ²)V) for independent standard normal V and U, U restricted to (−τ, ∞), where δ = α/√(1+α²). Omega must be positive. Alpha
// may be ±Inf (δ = ±1): then it is ξ ± ωU, a truncated normal. Alpha = 0 is the normal, whatever τ.
type ESN struct{ Xi, Omega, Alpha, Tau float64 }

// ConditionalESN returns the law of x₁ given x₂ ≥ 0 (Lemma B.1) for (x₁, x₂) normal with means mu1, mu2, variances s11, s22 and covariance s12:
//
//	ξ = μ₁,  ω = √s₁₁,  α = s₁₂/√(s₁₁s₂₂ − s₁₂²),  τ = μ₂/√s₂₂.
//
// The lemma's α, s₂₁ s₁₁^{−½}/√(s₂₂ − s₂₁s₁₁⁻¹s₁₂), with the fraction expanded by √s₁₁; the determinant is computed with its rounding errors (Kahan), since it
// decides α when |correlation| is near 1. A determinant of 0 gives α = ±Inf, and so does one that is negative but above −singular·s₁₁s₂₂: the matrix is
// singular up to rounding. Below that it is no covariance matrix, and α is NaN. s11 and s22 must be positive.
func ConditionalESN(mu1, mu2, s11, s12, s22 float64) ESN {
	square := s12 * s12
	det := math.FMA(s11, s22, -square) + math.FMA(-s12, s12, square)
	if det < 0 && det >= -singular*s11*s22 {
		det = 0
	}
	alpha := s12 / math.Sqrt(det)
	if s12 == 0 {
		alpha = 0 // also for s11·s22 below the smallest float64
	}
	return ESN{Xi: mu1, Omega: math.Sqrt(s11), Alpha: alpha, Tau: mu2 / math.Sqrt(s22)}
}

// singular is what rounding in s11, s12, s22 can do to the determinant of a singular matrix: entries that are sums of
// some hundred products carry relative errors of order 1e-14 each.
const singular = 1e-12

// delta returns δ = α/√(1+α²) and √(1−δ²) = 1/√(1+α²).
func (e ESN) delta() (delta, rest float64) {
	if math.IsInf(e.Alpha, 0) {
		return math.Copysign(1, e.Alpha), 0
	}
	c := math.Hypot(1, e.Alpha)
	return e.Alpha / c, 1 / c
}

// Prob returns the density at x.
func (e ESN) Prob(x float64) float64 { return math.Exp(e.LogProb(x)) }

// LogProb returns the log density at x (App. A). With c = √(1+α²) and q = τc + αz there are three forms,
//
//	log φ(z) + log Φ(q) − log Φ(τ) − log ω                           τ ≥ 0
//	−(z−τ)(z+τ)/2 + log Φ(q) − log R(−τ) − log ω                     τ < 0 ≤ q
//	−(cz+ατ)²/2 − log √(2π) + log R(−q) − log R(−τ) − log ω          τ, q < 0
//
// the later two because −τ²/2, inside log Φ(τ), can be a huge number that cancels: z² + q² − τ² = (cz+ατ)². What remains is
// the conditioning of the density itself: the rounding of z, in a law of width ω/c about z = −ατ/c.
func (e ESN) LogProb(x float64) float64 {
	z := (x - e.Xi) / e.Omega
	if math.IsInf(e.Alpha, 0) {
		if z*math.Copysign(1, e.Alpha) < -e.Tau {
			return math.Inf(-1)
		}
		return LogPDF(z) - LogCDF(e.Tau) - math.Log(e.Omega)
	}
	c := math.Hypot(1, e.Alpha)
	q := math.FMA(e.Alpha, z, e.Tau*c)
	switch {
	case e.Tau >= 0:
		return LogPDF(z) + LogCDF(q) - LogCDF(e.Tau) - math.Log(e.Omega)
	case q >= 0:
		return LogCDF(q) - 0.5*(z-e.Tau)*(z+e.Tau) - math.Log(ratio(-e.Tau)*e.Omega)
	}
	return LogPDF(math.FMA(c, z, e.Alpha*e.Tau)) + math.Log(ratio(-q)/(ratio(-e.Tau)*e.Omega))
}

// MGF returns the moment-generating function E e^{tX} (App. A).
func (e ESN) MGF(t float64) float64 { return math.Exp(e.CGF(t)) }

// CGF returns the cumulant-generating function log E e^{tX} (App. A),
//
//	K(t) = ξt + ½ω²t² + log Φ(τ+δωt) − log Φ(τ).
//
// The difference of logarithms is taken as a function of the step δωt, so K stays accurate as t → 0.
func (e ESN) CGF(t float64) float64 {
	delta, _ := e.delta()
	return t*(e.Xi+0.5*e.Omega*e.Omega*t) + logCDFStep(e.Tau, delta*e.Omega*t)
}

// logCDFStep returns log Φ(x+d) − log Φ(x). For a small step
//
//	Φ(x+d) − Φ(x) = φ(x) ∫₀ᵈ e^{−xy−y²/2} dy,
//
// an integral proportional to d, which x + d would round off; over Φ(x) its factor is h(x). For a larger step in the left tail −x²/2 cancels, and is left out.
func logCDFStep(x, d float64) float64 {
	if math.Abs(d) <= 1 && math.Abs(d*(x+0.5*d)) <= narrow8Drop {
		return math.Log1p(Mills(x) * narrowMass(x, d))
	}
	if x < 0 && x+d < 0 {
		return math.Log(ratio(-(x+d))/ratio(-x)) - d*(x+0.5*d)
	}
	return LogCDF(x+d) - LogCDF(x)
}

// Mean returns κ₁ = ξ + ωδ φ(τ)/Φ(τ), the conditional mean of Lemma B.1.
func (e ESN) Mean() float64 {
	delta, _ := e.delta()
	return e.Xi + e.Omega*delta*Mills(e.Tau)
}

// Variance returns κ₂ = ω²(1 − δ²γ), γ = h(h+τ), in the form of [ESN.Cumulants].
func (e ESN) Variance() float64 {
	delta, rest := e.delta()
	return e.Omega * e.Omega * (rest*rest + delta*delta*Truncate(-e.Tau, math.Inf(1)).Variance)
}

// Cumulants returns κ₁, …, κ₄: the derivatives of K at 0. Those of log Φ are the cumulants of U | U > −τ, less 1 in second
// place, hence with u₁, …, u₄ the latter
//
//	κ₁ = ξ + ωδu₁,   κ₂ = ω²((1−δ²) + δ²u₂),   κ₃ = ω³δ³u₃,   κ₄ = ω⁴δ⁴u₄.
//
// κ₂ is a sum of positive terms, where 1 − δ²γ cancels for α large and τ ≪ 0. Relative error ≤ 1e-14 (κ₁: of the larger of |κ₁| and |ξ|) for |τ| ≤ 30 and |α| ≤
// 1e3, the tested range; nothing in the formulas ends there. κ₄ changes sign at a τ > 0, and on that side is good to 1e-14 of ω⁴δ⁴h(τ)(1+τ)³.
func (e ESN) Cumulants() [4]float64 {
	delta, rest := e.delta()
	u := Truncate(-e.Tau, math.Inf(1))
	s := e.Omega * delta
	return [4]float64{
		e.Xi + s*u.Mean,
		e.Omega * e.Omega * (rest*rest + delta*delta*u.Variance),
		s * s * s * u.Third,
		s * s * s * s * fourthCumulant(e.Tau),
	}
}

// fourthCumulant returns (log Φ)⁗(τ) = h‴(τ), the fourth cumulant of U | U > −τ. From h' = −hd with d = h + τ, d' = 1 − hd, twice by the product rule:
//
//	h″ = hk,  k = d(h+d) − 1;    h‴ = h[(1−hd)(h+d) + d(1−2hd) − dk].
func fourthCumulant(tau float64) float64 {
	if tau <= 0 {
		return fourth(-tau)
	}
	h := Mills(tau)
	if h == 0 {
		return 0
	}
	d := h + tau
	k := d*(h+d) - 1
	return h * ((1-h*d)*(h+d) + d*(1-2*h*d) - d*k)
}

// Skewness returns κ₃/κ₂^{3/2}.
func (e ESN) Skewness() float64 {
	k := e.Cumulants()
	return k[2] / (k[1] * math.Sqrt(k[1]))
}

// ExKurtosis returns the excess kurtosis κ₄/κ₂².
func (e ESN) ExKurtosis() float64 {
	k := e.Cumulants()
	return k[3] / (k[1] * k[1])
}

// Rand draws from the law, by its representation as ξ + ω(δU + √(1−δ²)V).
func (e ESN) Rand(rng *rand.Rand) float64 {
	delta, rest := e.delta()
	u := -Quantile(rng.Float64() * CDF(e.Tau)) // of a standard normal beyond −τ
	return e.Xi + e.Omega*(delta*u+rest*rng.NormFloat64())
}

// fourth returns K(x), x ≥ 0.
func fourth(x float64) float64 {
	t, inv := tailMap(x)
	var p float64
	for i := len(fourthPoly) - 1; i >= 0; i-- {
		p = p*t + fourthPoly[i]
	}
	return inv * inv * inv * inv * p
}
