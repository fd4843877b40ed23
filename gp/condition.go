package gp

import (
	"github.com/prefer-bo/prefer/internal/linalg"
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
	m := NewMoments(2)
	p.Moments(m, append(append([]float64(nil), x...), y...))
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
