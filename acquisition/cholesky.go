package acquisition

import (
	"cmp"
	"math"

	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// maxBatch is the largest number of points of a Monte Carlo acquisition. Nobody compares more options at once, and it lets the factor live on the stack.
const maxBatch = 8

// defaultSamples is BoTorch's for its Monte Carlo acquisitions.
const defaultSamples = 512

// batchNormals returns n (by default 512) quasi-random standard normal vectors of length q, row by row: scrambled Sobol points, a function of the seed.
func batchNormals(q, n int, seed uint64) []float64 {
	if q < 1 || q > maxBatch {
		panic("acquisition: batch size outside 1 to 8")
	}
	n = cmp.Or(n, defaultSamples)
	return sobol.Normals(q, n, seed, normal.Quantile)
}

// mustDraw panics unless z holds whole draws of q numbers, at least one, for a q there is room for.
func mustDraw(z []float64, q int) {
	if q < 1 || q > maxBatch || len(z) == 0 || len(z)%q != 0 {
		panic("acquisition: Value: Normals is not n×Q, n ≥ 1 and Q from 1 to 8")
	}
}

// choleskyRoot is the lower triangular L with LLᵀ = C of a small covariance matrix, and the derivative of a function of L in C. With fixed standard normal z,
// μ + Lz is a draw of N(μ, C) that is differentiable in both.
type choleskyRoot struct {
	q int
	l [maxBatch * maxBatch]float64 // row by row
}

// rankTol is the fraction of a variance below which what the earlier points leave unexplained of it counts as nothing: a hundred roundings of the subtraction
// that computed it. The draws it drops have 1e-7 of the point's deviation.
const rankTol = 1e-14

// factor computes L for C (q×q, symmetric positive semidefinite).
func (r *choleskyRoot) factor(q int, c []float64) {
	r.q = q
	root(r.l[:q*q], c, q, rankTol)
}

// draw writes μ + Lz to f.
func (r *choleskyRoot) draw(f, mean, z []float64) {
	q := r.q
	for i := range q {
		t := mean[i]
		for k, l := range r.l[i*q : i*q+i+1] {
			t += l * z[k]
		}
		f[i] = t
	}
}

// backward adds to dc (q×q, lower triangle) the derivative in C of a function whose derivative in L is dl (q×q, lower triangle), which it destroys: the steps
// of root in reverse (Smith 1995). A column that root set to zero stays zero, so the derivative is finite whatever C; it is the slope along the
// covariances for which the point remains determined.
func (r *choleskyRoot) backward(dl, dc []float64) {
	q := r.q
	for j := q - 1; j >= 0; j-- {
		d := r.l[j*q+j]
		if d == 0 {
			continue
		}
		for i := q - 1; i > j; i-- {
			t := dl[i*q+j] / d
			dc[i*q+j] += t
			dl[j*q+j] -= t * r.l[i*q+j]
			for k := range j {
				dl[i*q+k] -= t * r.l[j*q+k]
				dl[j*q+k] -= t * r.l[i*q+k]
			}
		}
		t := dl[j*q+j] / (2 * d)
		dc[j*q+j] += t
		for k := range j {
			dl[j*q+k] -= 2 * t * r.l[j*q+k]
		}
	}
}

// root writes into l, which may be c, the lower triangular L with LLᵀ = C of a symmetric matrix C (n×n). A point that the earlier ones determine to within a
// part tol of its variance, such as the copy of one of them, gets a column of zeros: its draw is the copy's, without a jitter on the diagonal. It reports
// whether there is no such point.
func root(l, c []float64, n int, tol float64) (full bool) {
	full = true
	for i := range n {
		ri := l[i*n : i*n+i+1]
		for j := range i {
			rj := l[j*n : j*n+j+1]
			s := c[i*n+j]
			for k, v := range rj[:j] {
				s -= v * ri[k]
			}
			if ri[j] = 0; rj[j] != 0 {
				ri[j] = s / rj[j]
			}
		}
		s, least := c[i*n+i], tol*c[i*n+i]
		for _, v := range ri[:i] {
			s -= v * v
		}
		if ri[i] = 0; s <= least {
			full = false
			continue
		}
		ri[i] = math.Sqrt(s)
	}
	return full
}

// forward solves Ly = b in place.
func forward(l, b []float64) {
	f := len(b)
	for i := range f {
		for k := range i {
			b[i] -= l[i*f+k] * b[k]
		}
		b[i] /= l[i*f+i]
	}
}

// backward solves Lᵀx = y in place.
func backward(l, y []float64) {
	f := len(y)
	for i := f - 1; i >= 0; i-- {
		y[i] /= l[i*f+i]
		for k := range i {
			y[k] -= l[i*f+k] * y[i]
		}
	}
}
