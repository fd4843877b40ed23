package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// LookAhead is the posterior after one imagined answer to the question (point 0, point 1), at the
// points of a Moments: Lemma 3.1, with its second moments, for any interval answer.
//
// With d = f₀ − f₁ ~ N(m, v), the answer g = d + ε ∈ (lo, hi), ε ~ N(0, σ²), s² = v + σ² and c_i = Cov[f_i, d], the pair (f_i, g) is normal and the answer
// restricts g alone. So only what f_i shares with g moves:
//
//	Pr = Φ(β) − Φ(α),   α = (lo−m)/s,   β = (hi−m)/s
//	E[f_i | answer]        = μ_i + r c_i/s
//	Cov[f_i, f_j | answer] = C_ij − γ (c_i/s)(c_j/s)
//
// r and γ are the mean and one minus the variance of the standard normal restricted to (α, β). For "x₁ ≻ x₂", lo = 0 and hi = ∞, r is the φ(τ)/Φ(τ) of Eq. 5
// and γ = r(r+τ). Both come from normal.Truncate, which forms no quotient of underflowing numbers: an answer 1000 deviations away has ordinary moments.
//
// If v = σ = 0 the difference is the constant m. Then no answer moves anything, and the probability
// is 1, 0, or ½ with m on an end of the interval, the limit of vanishing noise.
type LookAhead struct {
	m           *gp.Moments
	alpha, beta float64
	s           float64
	r, gamma    float64
}

// NewLookAhead returns the look-ahead on m, at least two points, after the answer iv under noise
// sigma. It reads m whenever it is asked; it holds as long as m is not refilled.
func NewLookAhead(m *gp.Moments, iv gp.Interval, sigma float64) LookAhead {
	mean, v := m.Difference(0, 1)
	s := spread(v, sigma)
	l := LookAhead{m: m, s: s, alpha: standardise(iv.Lo, mean, s), beta: standardise(iv.Hi, mean, s)}
	if s > 0 {
		t := normal.Truncate(l.alpha, l.beta)
		l.r, l.gamma = t.Mean, t.Shrink
	}
	return l
}

// Prob returns the probability of the answer.
func (l LookAhead) Prob() float64 { return normal.Interval(l.alpha, l.beta) }

// LogProb returns its logarithm, also where the probability underflows.
func (l LookAhead) LogProb() float64 { return normal.LogInterval(l.alpha, l.beta) }

// Mean returns E[f_i | answer].
func (l LookAhead) Mean(i int) float64 { return l.m.Mean[i] + l.r*l.share(i) }

// Cov returns Cov[f_i, f_j | answer]. The law itself is skew (an extended skew normal for the
// two-outcome answers, App. A); these are its exact second moments.
func (l LookAhead) Cov(i, j int) float64 {
	return l.m.Cov[i*l.m.Points()+j] - l.gamma*l.share(i)*l.share(j)
}

// share returns c_i/s, the covariance of f_i with the noisy difference in its standard units.
func (l LookAhead) share(i int) float64 {
	if l.s == 0 {
		return 0
	}
	q := l.m.Points()
	return (l.m.Cov[i*q] - l.m.Cov[i*q+1]) / l.s
}

// spread returns √(v + σ²). Where rounding left a difference of coincident points a variance of
// −1e-17 and there is no noise to absorb it, that is the 0 it stands for.
func spread(v, sigma float64) float64 {
	s2 := v + sigma*sigma
	if s2 <= 0 {
		return 0
	}
	return math.Sqrt(s2)
}

// standardise returns (x−m)/s. At s = 0 it is the side of m on which x lies, ±∞, or 0 if x = m.
func standardise(x, m, s float64) float64 {
	if x == m {
		return 0
	}
	return (x - m) / s
}

// mustFit panics unless m has q points.
func mustFit(m *gp.Moments, q int) {
	if m.Points() != q {
		panic("acquisition: Value: moments have the wrong number of points")
	}
}
