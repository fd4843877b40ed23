package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/normal"
)

// Await returns the posterior while the answer to the question (x, y) is awaited: the mean as it is, for nobody
// knows the answer, and the covariance that is to be expected after it. With d = f(x) − f(y) ~ N(m, v) and
// c(·) = Cov[f(·), d], write f = E[f] + (c/v)(d − m) + e with e independent of d, and so of the answer o. Then
//
//	Cov[f | o] = k − c cᵀ/v + (c cᵀ/v²) Var[d | o],
//	E_o Cov[f | o] = k − c cᵀ (v − E_o Var[d | o])/v² = k − β̄ c cᵀ,   β̄ = Σ_o Pr(o) β_o,
//
// with β_o of Tilt, as v − Var[d | o] = v²β_o: the last form needs no v > 0 and nothing cancels in it. E_o μ_o
// is the mean by the tower rule, so β̄ > 0 is the only trace of the question, and k − c cᵀ/v bounds what it takes
// away. It is the site of a Gaussian observation of d, with noise 1/β̄ − v, that happened to show m.
//
// A search that believes the likely answer instead (the "kriging believer" of Ginsbourger, Le Riche & Carraro 2010) moves the mean by what nobody said. That
// the covariance alone should know of an observation under way is GP-BUCB's idea (Desautels, Krause & Burdick 2014), where Gaussian observations make it
// exact; here the covariance depends on the answer, and its expectation takes that place. O(n²).
func (p *Posterior) Await(x, y []float64) *Posterior { return p.AwaitAt(x, y, p.noise) }

// AwaitAt is Await for a rater whose noise is sigma, as RaterNoise tells it.
func (p *Posterior) AwaitAt(x, y []float64, sigma float64) *Posterior {
	checkSigma(sigma)
	m := NewMoments(2)
	p.Moments(m, append(append([]float64(nil), x...), y...))
	mean, v := m.Difference(0, 1)
	return p.with(m, p.awaited(mean, max(0, v), sigma))
}

// awaited returns the site of an answer that is not known yet, when d ~ N(m, v). With s² = v + σ² and γ̄ = s²β̄ = Σ_o Pr(o) γ_o,
//
//	λ = β̄/(1 − β̄v) = γ̄/(σ² + v(1 − γ̄)),   ν = λm,
//
// and 1 − γ̄ is summed as Σ_o Pr(o) Var_o, for the reason given at Tilt. The evidence does not change.
func (p *Posterior) awaited(m, v, sigma float64) Tilted {
	s2 := v + sigma*sigma
	s := math.Sqrt(s2)
	var shrink, left float64
	for _, o := range p.answers.Outcomes() {
		iv := p.hyper.Cuts.Interval(o, p.noise)
		a, b := (iv.Lo-m)/s, (iv.Hi-m)/s
		pr, t := normal.Interval(a, b), normal.Truncate(a, b)
		shrink += pr * t.Shrink
		left += pr * t.Variance
	}
	lambda := shrink / (sigma*sigma + v*left)
	return Tilted{Beta: shrink / s2, Lambda: lambda, Nu: lambda * m}
}

// Await returns the mixture while the answer to the question (a, b) is awaited: every posterior awaits it, and the weights stay, for Σ_o Pr(o) w_k' = w_k.
// Per posterior the covariance is the expected one here too: Σ_o Pr(o) w_k' Cov_k[f | o] = w_k Σ_o Pr_k(o) Cov_k[f | o].
func (x *Mixture) Await(a, b []float64) *Mixture { return x.AwaitAt(a, b, x.Noise()) }

// AwaitAt is Await for a rater whose noise is sigma.
func (x *Mixture) AwaitAt(a, b []float64, sigma float64) *Mixture {
	posts := make([]*Posterior, len(x.posts))
	for k, p := range x.posts {
		posts[k] = p.AwaitAt(a, b, sigma)
	}
	return NewMixture(posts, x.weights)
}
