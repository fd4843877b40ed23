package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// CovJacobian writes into dst (q×D) the derivatives of every covariance C_ij, j = 0 … q−1, in the coordinates of point i with the other points held fixed, at
// the moments last filled. Row i itself, the variance, moves twice as fast when both its arguments do; what is written is the change of one. It allocates one
// n×D matrix.
//
//	∂C_ij/∂x_i = ∂k(x_i, x_j)/∂x_i − Σ_l (R u(x_j))_l ∂u_l(x_i)/∂x_i
func (m *Moments) CovJacobian(i int, dst []float64) {
	p, q := m.post, m.q
	n, d := p.n, p.Dim()
	if len(dst) != q*d {
		panic("gp: CovJacobian: len(dst) != q·D")
	}
	du := make([]float64, n*d)
	p.basisJacobian(m.xs[i*d:(i+1)*d], m.f[i*p.pts.n:(i+1)*p.pts.n], du)
	if p.trended() {
		m.trendBasisJacobian(i, du)
	}
	linalg.Gemm(false, false, q, d, n, -1, m.v, n, du, d, 0, dst, d)
	for j := range q {
		row := dst[j*d : (j+1)*d]
		for t, l := range p.hyper.Kernel.Lengthscale {
			row[t] -= m.pair[i*q+j] * (m.xs[i*d+t] - m.xs[j*d+t]) / l
		}
		if p.trended() {
			m.trendJacobian(i, j, row)
		}
	}
}

// basisJacobian writes ∂u_l/∂x_t (n×D) at scaled coordinates xs, given the derivative factors there.
func (p *Posterior) basisJacobian(xs, f, du []float64) {
	n, d, all := p.n, p.Dim(), p.pts.n
	for t, l := range p.hyper.Kernel.Lengthscale {
		z := p.pts.z[t*all : (t+1)*all]
		for i := range n {
			du[i*d+t] = -f[i] * (xs[t] - z[i]) / l
		}
		for i := n; i < all; i++ {
			du[(p.singles+i-n)*d+t] += f[i] * (xs[t] - z[i]) / l
		}
	}
}

// MeanHessian writes the Hessian of the posterior mean at x into dst (D×D):
//
//	∂²k/∂x_s∂x_t = −F δ_st/ℓ_s² + (25/3) s e^{−√5 r} Δ_sΔ_t/(ℓ_s²ℓ_t²),   Δ = x − z,
//
// which follows from dF/d(r²) = −(25/6) s e^{−√5 r}. It uses m, a workspace for any number of points, and leaves its moments undefined. O(nD²).
func (p *Posterior) MeanHessian(m *Moments, x, dst []float64) {
	m.attach(p)
	d, all := p.Dim(), p.pts.n
	if len(x) != d || len(dst) != d*d {
		panic("gp: MeanHessian: lengths do not fit")
	}
	k := p.hyper.Kernel
	xs := m.xs[:d]
	k.scale(xs, x)
	p.basis(xs, m.k[:all], m.f[:all], m.u[:p.n])
	clear(dst)
	var diagonal float64
	delta := make([]float64, d)
	for i := range all {
		w := 0.0
		if i < p.n {
			w = p.b[i]
		} else {
			w = -p.b[p.singles+i-p.n]
		}
		r2 := 0.0
		for t := range d {
			delta[t] = xs[t] - p.pts.z[t*all+i]
			r2 += delta[t] * delta[t]
		}
		diagonal -= w * m.f[i]
		c := w * 25 / 3 * k.Outputscale * math.Exp(-math.Sqrt(5*r2))
		for s := range d {
			for t := range s + 1 {
				dst[s*d+t] += c * delta[s] * delta[t]
			}
		}
	}
	for s := range d {
		dst[s*d+s] += diagonal
		for t := range s + 1 {
			v := dst[s*d+t] / (k.Lengthscale[s] * k.Lengthscale[t])
			dst[s*d+t], dst[t*d+s] = v, v
		}
	}
	if p.trended() {
		m.trendHessian(x, p.wb, dst)
	}
}
