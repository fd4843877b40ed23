package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/internal/normal"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// maxBatch is the largest number of points of a Monte Carlo acquisition. Nobody compares more options
// at once, and it lets the factor live on the stack.
const maxBatch = 8

// defaultSamples is BoTorch's for its Monte Carlo acquisitions.
const defaultSamples = 512

// batchNormals returns n (by default 512) quasi-random standard normal vectors of length q, row by
// row: scrambled Sobol points, a function of the seed.
func batchNormals(q, n int, seed uint64) []float64 {
	if q < 1 || q > maxBatch {
		panic("acquisition: batch size outside 1 to 8")
	}
	if n == 0 {
		n = defaultSamples
	}
	return sobol.Normals(q, n, seed, normal.Quantile)
}

// mustDraw panics unless z holds whole draws of q numbers, at least one, for a q there is room for.
func mustDraw(z []float64, q int) {
	if q < 1 || q > maxBatch || len(z) == 0 || len(z)%q != 0 {
		panic("acquisition: Value: Normals is not n×Q, n ≥ 1 and Q from 1 to 8")
	}
}

// root is the lower triangular L with LLᵀ = C of a small covariance matrix, and the derivative of a
// function of L in C. With fixed standard normal z, μ + Lz is a draw of N(μ, C) that is
// differentiable in both.
type root struct {
	q int
	l [maxBatch * maxBatch]float64 // row by row
}

// rankTol is the fraction of a variance below which what the earlier points leave unexplained of it
// counts as nothing: a hundred roundings of the subtraction that computed it. The draws it drops have
// 1e-7 of the point's deviation.
const rankTol = 1e-14

// factor computes L for C (q×q, symmetric positive semidefinite). A point that the earlier ones
// determine, such as the copy of one of them, gets a column of zeros: its draw is the copy's, without
// a jitter on the diagonal.
func (r *root) factor(q int, c []float64) {
	r.q = q
	for j := range q {
		p := c[j*q+j]
		for k := range j {
			p -= r.l[j*q+k] * r.l[j*q+k]
		}
		if p <= rankTol*c[j*q+j] {
			for i := j; i < q; i++ {
				r.l[i*q+j] = 0
			}
			continue
		}
		d := math.Sqrt(p)
		r.l[j*q+j] = d
		for i := j + 1; i < q; i++ {
			t := c[i*q+j]
			for k := range j {
				t -= r.l[i*q+k] * r.l[j*q+k]
			}
			r.l[i*q+j] = t / d
		}
	}
}

// draw writes μ + Lz to f.
func (r *root) draw(f, mean, z []float64) {
	q := r.q
	for i := range q {
		t := mean[i]
		for k, l := range r.l[i*q : i*q+i+1] {
			t += l * z[k]
		}
		f[i] = t
	}
}

// backward adds to dc (q×q, lower triangle) the derivative in C of a function whose derivative in L
// is dl (q×q, lower triangle), which it destroys: the steps of factor in reverse (Smith 1995). A
// column that factor set to zero stays zero, so the derivative is finite whatever C; it is the slope
// along the covariances for which the point remains determined.
func (r *root) backward(dl, dc []float64) {
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
