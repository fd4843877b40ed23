package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/normal"
)

// Condition returns the posterior after one more answer o to the question (x, y), at the same hyper-parameters: the exact look-ahead of Lemma 3.1 with its
// covariance, for any interval answer. With d = f(x) − f(y) ~ N(m, v), s² = v + σ², c(·) = Cov[f(·), d], and r, γ the moments of the standard normal
// restricted to the answer's interval,
//
//	mean' = μ + (r/s) c,   cov' = k − (γ/s²) c cᵀ.
//
// c is a combination of the old basis and the new duel's: c(·) = [u(·); u_new(·)]ᵀ w with
// w = [−R u_new; 1], u_new the covariances of d with the old basis, so
//
//	b' = [b; 0] + (r/s) w,   R' = [R 0; 0 0] + (γ/s²) w wᵀ.
//
// O(n²). The mean and covariance are exact for this Gaussian prior; what is lost is the skewness of
// the true law. It is one update of assumed-density filtering.
func (p *Posterior) Condition(x, y []float64, o Outcome) *Posterior {
	return p.ConditionAt(x, y, o, p.noise)
}

// ConditionAt is Condition on the answer of a rater whose noise is sigma, as RaterNoise tells it.
func (p *Posterior) ConditionAt(x, y []float64, o Outcome, sigma float64) *Posterior {
	checkSigma(sigma)
	m := p.at(x, y)
	mean, v := m.Difference(0, 1)
	return p.with(m, p.hyper.Cuts.Interval(o, p.noise).Tilt(mean, max(0, v), sigma))
}

// with returns p with one more site t, on the difference of the two points of m, its moments under p.
func (p *Posterior) with(m *Moments, t Tilted) *Posterior {
	d, n := p.Dim(), p.n
	w := make([]float64, n+1)
	copy(w, m.v[n:2*n]) // R u(y) − R u(x) = −R u_new
	linalg.Axpy(-1, m.v[:n], w[:n])
	w[n] = 1

	q := *p
	q.n = n + 1
	q.pts = cloud{n: p.pts.n + 2, d: d, z: make([]float64, (p.pts.n+2)*d)}
	for j := range d {
		// The order of the anchors is all first points, then all second points.
		old, dst := p.pts.z[j*p.pts.n:(j+1)*p.pts.n], q.pts.z[j*q.pts.n:(j+1)*q.pts.n]
		copy(dst, old[:n])
		dst[n] = m.xs[j]
		copy(dst[n+1:], old[n:])
		dst[q.pts.n-1] = m.xs[d+j]
	}
	q.b = make([]float64, n+1)
	copy(q.b, p.b)
	linalg.Axpy(t.Alpha, w, q.b)
	q.r = make([]float64, (n+1)*(n+1))
	for i := range n + 1 {
		row := q.r[i*(n+1) : (i+1)*(n+1)]
		if i < n {
			copy(row, p.r[i*n:(i+1)*n])
		}
		linalg.Axpy(t.Beta*w[i], w, row)
	}
	if p.trended() {
		p.conditionTrend(&q, m)
	}
	q.sites = Sites{
		Lambda: append(append([]float64(nil), p.sites.Lambda...), t.Lambda),
		Nu:     append(append([]float64(nil), p.sites.Nu...), t.Nu),
	}
	q.imagined = p.imagined + 1
	q.evidence = p.evidence + t.LogZ
	return &q
}

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
	m := p.at(x, y)
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

// Cavity returns mean and variance of the difference that duel i of the duels p was fitted to is about, without the answer to it. The sites of
// the others stay as they are: they were found with it. With y_i = ν_i/λ_i the mean and R the precision of N(0, K_d + Λ⁻¹), which the sites make of
// the prior, leaving one out of a Gaussian is (Rasmussen & Williams 2006, eq. 5.12)
//
//	v₋ = 1/R_ii − 1/λ_i,   m₋ = ν_i/λ_i − b_i/R_ii,   b = R y,
//
// O(1). Where the answer taught nearly nothing, λ_i v ≤ 1e-9, these differences have lost their digits, and the marginal N(m, v) with
// v₋ = v/(1 − λ_i v), m₋ = m + v₋(λ_i m − ν_i) says the same in O(n²). So it does for sparse and reduced inference, which have no R of all duels, for the part
// of the difference that their inducing points or duels carry: the variance e_i that they leave open is no smaller for an answer, and is added again. The
// difference of a sided duel has the position bias in it; in the second form as if the answers left f and b_r independent.
func (p *Posterior) Cavity(duels *Duels, i int) (mean, variance float64) {
	if len(p.sites.Lambda) != duels.Len() {
		panic("gp: Cavity: want the duels the posterior was fitted to")
	}
	lambda, nu := p.sites.Lambda[i], p.sites.Nu[i]
	if p.inducing == nil && p.among == 0 && p.n == duels.Len() && !duels.against(i) {
		at := p.singles + i // level duels come first
		for k := range i {
			if duels.against(k) {
				at--
			}
		}
		if shrink := p.r[at*p.n+at] / lambda; 1-shrink > smallShrink && shrink > 0 { // (B⁻¹)_ii = 1 − λ_i v
			return nu/lambda - p.b[at]/(lambda*shrink), (1/shrink - 1) / lambda
		}
	}
	d := duels.Dim
	mean, v := p.at(duels.A[i*d:(i+1)*d], duels.B[i*d:(i+1)*d]).Difference(0, 1)
	v = math.Max(v, 0) // of options that are alike, rounding
	if s := duels.side(i); s != 0 {
		bias, b := p.Bias(duels.by(i))
		mean, v = mean+float64(s)*bias, v+b
	}
	open := 0.0
	if p.resid != nil {
		open = math.Min(v, p.resid[i])
	}
	v -= open
	v /= math.Max(1-lambda*v, smallShrink)
	return mean + v*(lambda*mean-nu), v + open
}
