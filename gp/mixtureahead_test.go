package gp

import "github.com/prefer-bo/prefer/internal/xslices"

// What follows is for tests alone: moments, forecasts and look-ahead of a mixture as its definition has them.

// Mean returns the mean of f(at). It allocates.
func (x *Mixture) Mean(at []float64) float64 {
	return x.MeanGradient(NewMoments(1), at, nil)
}

// Variance returns the variance of f(at), Σ_k w_k [Var_k + (μ_k − mean)²]. It allocates.
func (x *Mixture) Variance(at []float64) float64 {
	m := NewMoments(1)
	mean := x.MeanGradient(m, at, nil)
	var v float64
	for k, p := range x.posts {
		p.Moments(m, at)
		off := m.Mean[0] - mean
		v += x.weights[k] * (m.Cov[0] + off*off)
	}
	return v
}

// Prob returns the probability that a question (a, b) is answered with outcome o.
func (x *Mixture) Prob(a, b []float64, o Outcome) float64 { return x.ProbAt(a, b, o, x.Noise()) }

// ProbAt is Prob for a rater whose noise is sigma.
func (x *Mixture) ProbAt(a, b []float64, o Outcome, sigma float64) float64 {
	var sum float64
	for k, p := range x.posts {
		sum += x.weights[k] * p.ProbAt(a, b, o, sigma)
	}
	return sum
}

// Condition returns the mixture after one more answer o to the question (a, b). Each posterior learns what Posterior.Condition says, and the answer also
// tells them apart: w_k' ∝ w_k Pr_k(o). An answer that none of them thought possible, to the last digit of a float64, leaves the weights as they are.
func (x *Mixture) Condition(a, b []float64, o Outcome) *Mixture {
	return x.ConditionAt(a, b, o, x.Noise())
}

// ConditionAt is Condition on the answer of a rater whose noise is sigma.
func (x *Mixture) ConditionAt(a, b []float64, o Outcome, sigma float64) *Mixture {
	posts, weights := make([]*Posterior, len(x.posts)), make([]float64, len(x.posts))
	var sum float64
	for k, p := range x.posts {
		posts[k] = p.ConditionAt(a, b, o, sigma)
		weights[k] = x.weights[k] * p.ProbAt(a, b, o, sigma)
		sum += weights[k]
	}
	if !(sum > 0) {
		weights = x.weights
	}
	return NewMixture(posts, weights)
}

// Await returns the mixture while the answer to the question (a, b) is awaited: every posterior awaits it, and the weights stay, for Σ_o Pr(o) w_k' = w_k.
// Per posterior the covariance is the expected one here too: Σ_o Pr(o) w_k' Cov_k[f | o] = w_k Σ_o Pr_k(o) Cov_k[f | o].
func (x *Mixture) Await(a, b []float64) *Mixture { return x.AwaitAt(a, b, x.Noise()) }

// AwaitAt is Await for a rater whose noise is sigma.
func (x *Mixture) AwaitAt(a, b []float64, sigma float64) *Mixture {
	posts := xslices.Map(x.posts, func(p *Posterior) *Posterior { return p.AwaitAt(a, b, sigma) })
	return NewMixture(posts, x.weights)
}
