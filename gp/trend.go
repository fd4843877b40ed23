package gp

import (
	"github.com/prefer-bo/prefer/internal/linalg"
)

// The trend is the part of the utility that one parameter at a time explains: "more of it is better", "there is a best amount". Conjoint analysis asks for no
// more than such main effects (Green & Srinivasan 1978), and Coombs' (1964) ideal points are the second kind; stationary Matérn forgets both within a
// lengthscale. With two features per coordinate and independent weights w ~ N(0, τ²), τ² = T/2D,
//
//	t(x) = Σ_j Σ_{m=1,2} w_jm h_jm(x_j),   k(x, x') = Matérn + τ² h(x)ᵀh(x').
//
// The features (effects.go) have mean 0 under a uniform x: no part of t is a constant, of which duels say nothing. Cosines have variance 1, of lines one has
// 2 and the other 0, so T is the prior variance of t averaged over the cube. Polynomials have variance 1/ℓ_j², and that average is
//
//	τ² Σ_j 2/ℓ_j² = T · (1/D) Σ_j 1/ℓ_j²,
//
// with 0 in place of 1/ℓ_j² for an identity coordinate, which counts in D all the same (with any effects): T where all
// lengthscales are 1, 4T at the usual ½. The coordinates share it as 1/ℓ_j². Since h depends on ℓ,
//
//	∂k/∂log ℓ_j has the further part −2τ² Σ_m h_jm(x) h_jm(x').
//
// On one-hot coordinates the first of each is an effect of its choice. The second is the same at 0 and at 1, a constant
// after all, which adds to variances and cancels in every difference.
//
// A circle counts once in D, though it has two coordinates: it has two features, as an amount has.
//
// In the space of the duels, with row i of Hd (n×2D) being h(a_i) − h(b_i),
//
//	K_d += τ² Hd Hdᵀ,   u(x) += C h(x) and E[w] = Cᵀb, where C = τ² Hd = Cov[d, w];
//
// C is stored transposed. A level duel has h(a_i) alone in Hd, and its rater's level has variance κ(s + T): Hd Hdᵀ gets 2Dκ
// between those of one rater. The variance k(x, x) is no longer a constant, so it, too, has a gradient.

// features returns 2D, the length of h(x).
func (k Kernel) features() int { return 2 * k.Dim() }

// effective returns the number of features that are not 0 everywhere: a circle has two for its two coordinates.
func (k Kernel) effective() float64 { return float64(k.features() - 2*len(k.Circles)) }

// tau2 returns τ², the prior variance of one weight of the trend.
func (k Kernel) tau2() float64 { return k.Trend / k.effective() }

// pull adds the gradient in x of wᵀh(x) to grad.
func pull(grad, w, slope []float64) {
	d := len(grad)
	for j := range grad {
		grad[j] += w[j]*slope[j] + w[d+j]*slope[d+j]
	}
}

// trendAt returns τ² h(x)ᵀh(y) and adds its gradient in x to dx and that in log ℓ to dlog, unless they are nil.
func (k Kernel) trendAt(x, y, dx, dlog []float64) float64 {
	f := k.features()
	buf := make([]float64, 3*f)
	hx, hy, slope := buf[:f], buf[f:2*f], buf[2*f:]
	k.feature(x, hx, slope)
	k.feature(y, hy, nil)
	for i := range hy {
		hy[i] *= k.tau2()
	}
	if dx != nil {
		pull(dx, hy, slope)
	}
	if k.Effects == Polynomials {
		for j := range dlog {
			dlog[j] -= 2 * (hx[j]*hy[j] + hx[f/2+j]*hy[f/2+j])
		}
	}
	return linalg.Dot(hx, hy)
}

// featureMatrix returns h of the row-major points x, row by row.
func (k Kernel) featureMatrix(x []float64) []float64 {
	d, f := k.Dim(), k.features()
	h := make([]float64, len(x)/d*f)
	for i := range len(x) / d {
		k.feature(x[i*d:(i+1)*d], h[i*f:(i+1)*f], nil)
	}
	return h
}

// effectDifferences returns the rows of Hd from lo to hi.
func (k Kernel) effectDifferences(duels *Duels, lo, hi int) []float64 {
	d, f := duels.Dim, k.features()
	hd, second := k.featureMatrix(duels.A[lo*d:hi*d]), k.featureMatrix(duels.B[lo*d:hi*d])
	for i := lo; i < hi; i++ {
		if !duels.against(i) {
			linalg.Axpy(-1, second[(i-lo)*f:(i-lo+1)*f], hd[(i-lo)*f:(i-lo+1)*f])
		}
	}
	return hd
}

// addTrend adds τ² Hd Hdᵀ to K_d. Hd Hdᵀ of cosines depends on the duels alone and is computed once, O(n²)
// afterwards; that of polynomials moves with the lengthscales, O(n²D).
func (s *duelSpace) addTrend() {
	if s.hh == nil || s.kernel.Effects == Polynomials {
		f := s.kernel.features()
		s.hd = s.kernel.effectDifferences(s.duels, 0, s.n)
		if s.hh == nil {
			s.hh = make([]float64, s.n*s.n)
		}
		linalg.Syrk(false, s.n, f, 1, s.hd, f, 0, s.hh, s.n)
		linalg.Symmetrize(s.n, s.hh, s.n)
		s.share(s.hh, s.spread*s.kernel.effective())
	}
	linalg.Axpy(s.kernel.tau2(), s.hh, s.kd)
}

// trendGradient returns the derivative Σ_ik M_ik ∂K_d[i,k]/∂log T.
func (s *duelSpace) trendGradient(adjoint []float64) float64 {
	return s.kernel.tau2() * linalg.Dot(adjoint, s.hh)
}

// trendLengthscales adds to dlog[j] the trend's part of Σ_ik M_ik ∂K_d[i,k]/∂log ℓ_j, which polynomials have:
// −2τ² Σ_m h_jmᵀ M h_jm over the two columns of Hd that belong to j. One product M Hd, O(n²D).
func (s *duelSpace) trendLengthscales(dlog, adjoint []float64) {
	if s.kernel.Trend == 0 || s.kernel.Effects != Polynomials {
		return
	}
	f := s.kernel.features()
	mh := make([]float64, s.n*f)
	linalg.Gemm(false, false, s.n, f, s.n, 1, adjoint, s.n, s.hd, f, 0, mh, f)
	for i, v := range s.hd {
		dlog[i%f%s.d] -= 2 * s.kernel.tau2() * v * mh[i]
	}
}

// setTrend gives the posterior its Cᵀ and E[w], from Hd and b.
func (p *Posterior) setTrend(hd []float64) {
	f := p.hyper.Kernel.features()
	p.cw = make([]float64, f*p.n)
	for i := range p.n {
		for m := range f {
			p.cw[m*p.n+i] = p.hyper.Kernel.tau2() * hd[i*f+m]
		}
	}
	p.setWeights()
}

// setWeights computes E[w] = Cᵀb.
func (p *Posterior) setWeights() {
	p.wb = make([]float64, p.hyper.Kernel.features())
	linalg.Gemv(len(p.wb), p.n, 1, p.cw, p.n, p.b, 0, p.wb)
}

// conditionTrend gives q, which is p with one more duel as its last, its Cᵀ and E[w]; m holds the moments of the duel's two points under p.
func (p *Posterior) conditionTrend(q *Posterior, m *Moments) {
	f, n := p.hyper.Kernel.features(), p.n
	q.cw = make([]float64, f*q.n)
	for i := range f {
		row := q.cw[i*q.n : (i+1)*q.n]
		copy(row, p.cw[i*n:(i+1)*n])
		row[n] = p.hyper.Kernel.tau2() * (m.h[i] - m.h[f+i])
	}
	q.setWeights()
}

// trended reports whether the posterior's kernel has a trend.
func (p *Posterior) trended() bool { return p.hyper.Kernel.Trend > 0 }

// addTrend computes the features of the q points x and adds the trend's part of U.
func (m *Moments) addTrend(x []float64) {
	p := m.post
	n, d, f := p.n, p.Dim(), p.hyper.Kernel.features()
	for i := range m.q {
		p.hyper.Kernel.feature(x[i*d:(i+1)*d], m.h[i*f:(i+1)*f], m.slope[i*f:(i+1)*f])
	}
	linalg.Gemm(false, false, m.q, n, f, 1, m.h, f, p.cw, n, 1, m.u, n)
}

// pullTrend adds the trend's part of the pull-back for point i to out, given the weights w_i of its basis functions in m.w: the gradient of (Cᵀw_i + τ² Σ_j
// (dCov_ij + dCov_ji) h(x_j))ᵀh(x_i). Here j = i counts: d τ²‖h‖² = 2τ² hᵀdh.
func (m *Moments) pullTrend(i int, dCov, out []float64) {
	p, q := m.post, m.q
	f, tau2 := p.hyper.Kernel.features(), p.hyper.Kernel.tau2()
	linalg.Gemv(f, p.n, 1, p.cw, p.n, m.w[:p.n], 0, m.tw)
	for j := range q {
		if c := dCov[i*q+j] + dCov[j*q+i]; c != 0 {
			linalg.Axpy(c*tau2, m.h[j*f:(j+1)*f], m.tw)
		}
	}
	pull(out, m.tw, m.slope[i*f:(i+1)*f])
}

// trendBasisJacobian adds the trend's part of ∂u_l/∂x_t (n×D) at point i.
func (m *Moments) trendBasisJacobian(i int, du []float64) {
	p := m.post
	n, d, f := p.n, p.Dim(), p.hyper.Kernel.features()
	slope := m.slope[i*f : (i+1)*f]
	for t := range d {
		for l := range n {
			du[l*d+t] += p.cw[t*n+l]*slope[t] + p.cw[(d+t)*n+l]*slope[d+t]
		}
	}
}

// trendJacobian adds to row (D) the gradient in x_i of the trend's prior covariance of points i and j.
func (m *Moments) trendJacobian(i, j int, row []float64) {
	k := m.post.hyper.Kernel
	f := k.features()
	linalg.MulTo(m.tw, k.tau2(), m.h[j*f:(j+1)*f], m.slope[i*f:(i+1)*f])
	for t := range row {
		row[t] += m.tw[t] + m.tw[len(row)+t]
	}
}

// trendMean returns wᵀh(x) and, unless grad is nil, adds its gradient. It overwrites the features of point 0.
func (m *Moments) trendMean(x, w, grad []float64) float64 {
	k, f := m.post.hyper.Kernel, len(w)
	if grad == nil {
		k.feature(x, m.h[:f], nil)
	} else {
		k.feature(x, m.h[:f], m.slope[:f])
		pull(grad, w, m.slope[:f])
	}
	return linalg.Dot(m.h[:f], w)
}

// trendHessian adds the Hessian of wᵀh(x), which is diagonal, to dst. It overwrites the features of point 0.
func (m *Moments) trendHessian(x, w, dst []float64) {
	k, d := m.post.hyper.Kernel, len(x)
	k.feature(x, m.h[:2*d], nil)
	for j := range d {
		dst[j*d+j] += k.bend(j, w[j], w[d+j], m.h[j], m.h[d+j])
	}
}
