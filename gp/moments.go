package gp

import (
	"github.com/prefer-bo/prefer/internal/linalg"
)

// Moments is the joint Gaussian of f at a handful of points, and the workspace to differentiate it. An acquisition is a formula on Mean and Cov; Pullback
// turns its partial derivatives into a gradient in the points. After the first use on a posterior nothing allocates. One goroutine at a time may use a
// Moments; any number of them may share a Posterior.
type Moments struct {
	Mean []float64 // q
	Cov  []float64 // q×q, symmetric

	q    int
	post *Posterior
	xs   []float64 // q×D scaled points …
	z    []float64 // … and D×q
	k, f []float64 // N covariances with the anchors, of one point at a time; q×N derivative factors of those of all
	u, v []float64 // q×n: U and V = UR
	w    []float64 // n
	g    []float64 // N
	pair []float64 // q×q derivative factors of the prior between the points

	h, slope []float64 // q×2D features of the trend and their derivatives; unused without one
	tw       []float64 // 2D weights of the features
}

// NewMoments returns a workspace for q points.
func NewMoments(q int) *Moments { return new(Moments).Resize(q) }

// Resize makes m a workspace for q points, in the memory that it has. It lets go of the posterior and returns m.
func (m *Moments) Resize(q int) *Moments {
	m.post, m.q, m.Mean, m.Cov, m.pair = nil, q, grow(m.Mean, q), grow(m.Cov, q*q), grow(m.pair, q*q)
	return m
}

// grow returns n numbers, those of s as far as it has room.
func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// Points returns q.
func (m *Moments) Points() int { return m.q }

// Difference returns mean and variance of f(x_i) − f(x_j).
func (m *Moments) Difference(i, j int) (mean, variance float64) {
	q := m.q
	return m.Mean[i] - m.Mean[j], m.Cov[i*q+i] + m.Cov[j*q+j] - 2*m.Cov[i*q+j]
}

// Moments fills m for the q points x (q×D, row by row). O(q n²).
func (p *Posterior) Moments(m *Moments, x []float64) {
	m.attach(p)
	n, d, q, all := p.n, p.Dim(), m.q, p.pts.n
	if len(x) != q*d {
		panic("gp: Moments: len(x) != q·D")
	}
	for i := range q {
		xs := m.xs[i*d : (i+1)*d]
		p.hyper.Kernel.scale(xs, x[i*d:(i+1)*d])
		for c, v := range xs {
			m.z[c*q+i] = v
		}
		p.basis(xs, m.k, m.f[i*all:(i+1)*all], m.u[i*n:(i+1)*n])
	}
	var f int
	var tau2 float64
	if p.trended() {
		f, tau2 = p.hyper.Kernel.features(), p.hyper.Kernel.tau2()
		m.addTrend(x)
	}
	linalg.Gemm(false, false, q, n, n, 1, m.u, n, p.r, n, 0, m.v, n)
	for i := range q {
		ui, row, pair := m.u[i*n:(i+1)*n], m.Cov[i*q:i*q+i+1], m.pair[i*q:i*q+i+1]
		m.Mean[i] = linalg.Dot(ui, p.b)
		linalg.SquaredDistances(row, m.xs[i*d:(i+1)*d], m.z, q)
		p.hyper.Kernel.radial(row, pair, row)
		for j := range row {
			if q > manyPoints {
				break
			}
			if f > 0 {
				row[j] += tau2 * linalg.Dot(m.h[i*f:(i+1)*f], m.h[j*f:(j+1)*f])
			}
			row[j] -= linalg.Dot(ui, m.v[j*n:(j+1)*n])
		}
	}
	if q > manyPoints {
		linalg.Gemm(false, true, q, q, f, tau2, m.h, f, m.h, f, 1, m.Cov, q)
		linalg.Gemm(false, true, q, q, n, -1, m.u, n, m.v, n, 1, m.Cov, q)
	}
	linalg.Symmetrize(q, m.Cov, q)
	linalg.Symmetrize(q, m.pair, q)
}

// manyPoints is where products of matrices take less time than a dot product for each pair.
const manyPoints = 8

// Pullback writes into grad (q×D) the gradient in the points of a function of the moments, given
// its partials dMean (q) and dCov (q×q) at the moments last filled:
//
//	dA = Σ_i dMean_i dμ_i + Σ_ij dCov_ij dC_ij        (all ordered pairs)
//	∂A/∂x_i = Σ_l w_il ∂u_l(x_i)/∂x_i + Σ_{j≠i} (dCov_ij + dCov_ji) ∂k(x_i,x_j)/∂x_i
//	w_i = dMean_i b − Σ_j (dCov_ij + dCov_ji) R u(x_j)
//
// where j = i is left out because k(x, x) is a constant, but for a trend (pullTrend). This is the chain rule, once, for every acquisition. Reverse mode needs one weight vector per
// point instead of one Jacobian per moment: O(q²n + qnD).
func (m *Moments) Pullback(dMean, dCov, grad []float64) {
	p, q := m.post, m.q
	if p == nil || len(dMean) != q || len(dCov) != q*q {
		panic("gp: Pullback: partials do not fit the moments")
	}
	n, d := p.n, p.Dim()
	if len(grad) != q*d {
		panic("gp: Pullback: len(grad) != q·D")
	}
	clear(grad)
	for i := range q {
		for l, b := range p.b {
			m.w[l] = dMean[i] * b
		}
		for j := range q {
			if c := dCov[i*q+j] + dCov[j*q+i]; c != 0 {
				linalg.Axpy(-c, m.v[j*n:(j+1)*n], m.w[:n])
			}
		}
		out := grad[i*d : (i+1)*d]
		m.weigh(i, out)
		for j := range q {
			c := (dCov[i*q+j] + dCov[j*q+i]) * m.pair[i*q+j]
			if j == i || c == 0 {
				continue
			}
			for t := range d {
				out[t] -= c * (m.xs[i*d+t] - m.xs[j*d+t])
			}
		}
		for t, l := range p.hyper.Kernel.Lengthscale {
			out[t] /= l
		}
		if p.trended() {
			m.pullTrend(i, dCov, out)
		}
	}
}

// weigh adds Σ_l w_l ∂u_l/∂x for point i to out, in scaled coordinates: ∂k(x,z)/∂x_t = −F (x_t − z_t)/ℓ_t².
func (m *Moments) weigh(i int, out []float64) {
	p := m.post
	n, all, d := p.n, p.pts.n, p.Dim()
	f := m.f[i*all : (i+1)*all]
	linalg.MulTo(m.g[:n], -1, m.w[:n], f[:n])
	linalg.MulTo(m.g[n:all], 1, m.w[p.singles:n], f[n:])
	linalg.WeightedDifferences(out, m.g[:all], m.xs[i*d:(i+1)*d], p.pts.z, all)
}

// MeanGradient returns the posterior mean at x and, if grad is not nil, writes its gradient. It
// uses m, a workspace for any number of points, and leaves its moments undefined. O(nD).
func (p *Posterior) MeanGradient(m *Moments, x, grad []float64) float64 {
	m.attach(p)
	n, d, all := p.n, p.Dim(), p.pts.n
	if len(x) != d {
		panic("gp: MeanGradient: len(x) != D")
	}
	p.hyper.Kernel.scale(m.xs[:d], x)
	f := m.f[:all]
	if grad == nil {
		f = nil
	}
	p.basis(m.xs[:d], m.k[:all], f, m.u[:n])
	mean := linalg.Dot(m.u[:n], p.b)
	if grad != nil {
		copy(m.w[:n], p.b)
		clear(grad)
		m.weigh(0, grad)
		for t, l := range p.hyper.Kernel.Lengthscale {
			grad[t] /= l
		}
	}
	if p.trended() {
		mean += m.trendMean(x, p.wb, grad)
	}
	return mean
}

// attach sizes the workspace for p.
func (m *Moments) attach(p *Posterior) {
	if m.post == p {
		return
	}
	m.post = p
	q, n, d, all := m.q, p.n, p.Dim(), p.pts.n
	m.xs, m.z = grow(m.xs, q*d), grow(m.z, q*d)
	m.k, m.f, m.g = grow(m.k, all), grow(m.f, q*all), grow(m.g, all)
	m.u, m.v, m.w = grow(m.u, q*n), grow(m.v, q*n), grow(m.w, n)
	if f := p.hyper.Kernel.features(); p.trended() {
		m.h, m.slope, m.tw = grow(m.h, q*f), grow(m.slope, q*f), grow(m.tw, f)
	}
}
