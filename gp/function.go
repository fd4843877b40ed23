package gp

import (
	"math"
	"math/rand/v2"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// priorFeatures is the number of random Fourier features of a sampled function: the prior part of its covariance errs by about outputscale/√features, 3 %,
// away from the data; the part the answers speak about is exact.
const priorFeatures = 1024

// Function is one draw of the utility from a posterior: an ordinary function that can be evaluated
// anywhere, again and again, with the same answer. Safe for concurrent use with separate workspaces.
//
// It is a pathwise sample (Wilson et al. 2020, after Matheron): a draw g of the prior, corrected by the data,
//
//	f(x) = g(x) + u(x)ᵀ(b − R d_g − e),   e ~ N(0, R − R K_u R),
//
// where d_g are the values of the basis functionals (differences of duels, inducing values) under g and K_u is their prior covariance: then Cov f = k − uᵀRu
// exactly for an exact prior draw. The prior draw is a sum of cosines (Rahimi & Recht 2007) with frequencies from the spectral density of Matérn-5/2, a
// multivariate t with five degrees of freedom; a trend is a draw of its weights, exact.
//
// On an identity coordinate (Model.Scales) the cosines turn many times from one integer to the next: the draw
// is as right at the integers as it is elsewhere, and means nothing between them; nor does its gradient.
type Function struct {
	post   *Posterior
	weight []float64 // n
	omega  []float64 // features × D, in scaled coordinates
	phase  []float64
	amp    []float64
	trend  []float64       // 2D weights, of the draw and its correction together; nil without a trend
	level  map[int]float64 // L_r by rater; nil without level duels
}

// Functions draws count functions from the posterior. Drawing several at once shares the O(n³) factorisation.
func (p *Posterior) Functions(rng *rand.Rand, count int) []*Function {
	n, d := p.n, p.Dim()
	root := p.residualRoot()
	fs := make([]*Function, count)
	for c := range fs {
		f := &Function{post: p, weight: make([]float64, n), omega: make([]float64, priorFeatures*d),
			phase: make([]float64, priorFeatures), amp: make([]float64, priorFeatures)}
		for i := range priorFeatures {
			// t with 5 degrees of freedom: normal over √(χ²₅/5).
			chi := 0.0
			for range 5 {
				z := rng.NormFloat64()
				chi += z * z
			}
			s := math.Sqrt(5 / chi)
			for j := range d {
				f.omega[i*d+j] = s * rng.NormFloat64()
			}
			f.phase[i] = 2 * math.Pi * rng.Float64()
			f.amp[i] = rng.NormFloat64() * math.Sqrt(2*p.hyper.Kernel.Outputscale/priorFeatures)
		}
		x := make([]float64, d)
		anchor := make([]float64, p.pts.n)
		for i := range anchor {
			for j := range d {
				x[j] = p.pts.z[j*p.pts.n+i]
			}
			anchor[i] = f.prior(x, nil)
		}
		dg := anchor[:n]
		linalg.Axpy(-1, anchor[n:], dg[p.singles:])
		if p.trended() {
			f.drawTrend(rng, dg)
		}
		if p.level.rater != nil {
			f.drawLevels(rng, dg)
		}
		copy(f.weight, p.b)
		linalg.Gemv(n, n, -1, p.r, n, dg, 1, f.weight)
		z := make([]float64, n)
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		linalg.Gemv(n, n, -1, root, n, z, 1, f.weight)
		if p.trended() {
			linalg.Gemv(len(f.trend), n, 1, p.cw, n, f.weight, 1, f.trend)
		}
		for i, r := range p.level.rater {
			f.level[r] -= p.level.variance * f.weight[i]
		}
		fs[c] = f
	}
	return fs
}

// At returns f(x) and, if grad is not nil, writes its gradient. m is a workspace of the caller's.
func (f *Function) At(m *Moments, x, grad []float64) float64 {
	p := f.post
	m.attach(p)
	n, d, all := p.n, p.Dim(), p.pts.n
	if len(x) != d {
		panic("gp: Function.At: len(x) != D")
	}
	xs := m.xs[:d]
	p.hyper.Kernel.scale(xs, x)
	p.basis(xs, m.k[:all], m.f[:all], m.u[:n])
	if grad != nil {
		clear(grad)
		copy(m.w[:n], f.weight)
		m.weigh(0, grad)
	}
	v := linalg.Dot(m.u[:n], f.weight) + f.prior(xs, grad)
	for t, l := range p.hyper.Kernel.Lengthscale {
		if grad != nil {
			grad[t] /= l
		}
	}
	if p.trended() {
		v += m.trendMean(x, f.trend, grad)
	}
	return v
}

// drawLevels draws the levels of the prior and takes ℓ_r from the differences dg of the level duels.
func (f *Function) drawLevels(rng *rand.Rand, dg []float64) {
	l := f.post.level
	f.level = make(map[int]float64)
	for i, r := range l.rater {
		if _, ok := f.level[r]; !ok {
			f.level[r] = l.mean + math.Sqrt(l.variance)*rng.NormFloat64()
		}
		dg[i] -= f.level[r] - l.mean
	}
}

// drawTrend draws the weights w = τz of the trend's prior and adds Hd w = C z/τ to the differences dg.
func (f *Function) drawTrend(rng *rand.Rand, dg []float64) {
	p := f.post
	tau := math.Sqrt(p.hyper.Kernel.tau2())
	f.trend = make([]float64, p.hyper.Kernel.features())
	for i := range f.trend {
		f.trend[i] = rng.NormFloat64()
	}
	linalg.GemvT(len(f.trend), p.n, 1/tau, p.cw, p.n, f.trend, 1, dg)
	for i := range f.trend {
		f.trend[i] *= tau
	}
}

// prior evaluates the prior draw at scaled coordinates and adds its gradient to grad.
func (f *Function) prior(xs, grad []float64) float64 {
	d := len(xs)
	var v float64
	for i, a := range f.amp {
		w := f.omega[i*d : (i+1)*d]
		arg := f.phase[i]
		for j, x := range xs {
			arg += w[j] * x
		}
		s, c := math.Sincos(arg)
		v += a * c
		for j := range grad {
			grad[j] -= a * s * w[j]
		}
	}
	return v
}

// residualRoot returns a matrix T (n×n) with TTᵀ = R − R K_u R, the covariance of e: the uncertainty the answers leave about the basis functionals. Pivoted
// Cholesky, because the matrix is singular wherever a duel says nothing.
func (p *Posterior) residualRoot() []float64 {
	n := p.n
	ku := p.basisCovariance()
	t := make([]float64, n*n)
	c := append([]float64(nil), p.r...)
	linalg.Gemm(false, false, n, n, n, 1, p.r, n, ku, n, 0, t, n)
	linalg.Gemm(false, false, n, n, n, -1, t, n, p.r, n, 1, c, n)
	t, _ = pivotedCholesky(c, n, n, 0)
	return t
}

// basisCovariance returns K_u (n×n): prior covariances between the basis functionals.
func (p *Posterior) basisCovariance() []float64 {
	n, d := p.n, p.Dim()
	ku := make([]float64, n*n)
	m := NewMoments(1)
	m.attach(p)
	second := make([]float64, n)
	x := make([]float64, d)
	point := func(i int) []float64 {
		for j := range d {
			x[j] = p.pts.z[j*p.pts.n+i]
		}
		return x
	}
	for i := range n {
		row := ku[i*n : (i+1)*n]
		p.basis(point(i), m.k, m.f, row)
		if i >= p.singles {
			p.basis(point(n+i-p.singles), m.k, m.f, second)
			linalg.Axpy(-1, second, row)
		}
	}
	for i, r := range p.level.rater {
		for j, s := range p.level.rater {
			if r == s {
				ku[i*n+j] += p.level.variance
			}
		}
	}
	if k := p.hyper.Kernel; p.trended() { // τ² Hd Hdᵀ = C Cᵀ/τ²
		linalg.Gemm(true, false, n, n, k.features(), 1/k.tau2(), p.cw, n, p.cw, n, 1, ku, n)
	}
	return ku
}

// pivotedCholesky returns T with TTᵀ = A for a positive semi-definite n×n matrix A, and the pivots: at most so many, leaving out
// directions whose variance is at most least, or below 1e-14 of the largest: rounding, not information.
func pivotedCholesky(a []float64, n, most int, least float64) (t []float64, pivots []int) {
	t = make([]float64, n*n)
	left := make([]float64, n)
	top := 0.0
	for i := range n {
		left[i] = a[i*n+i]
		top = max(top, left[i])
	}
	for c := range most {
		best := 0
		for i := range n {
			if left[i] > left[best] {
				best = i
			}
		}
		if left[best] <= max(least, 1e-14*top) {
			break
		}
		pivots = append(pivots, best)
		root := math.Sqrt(left[best])
		for i := range n {
			v := a[i*n+best] - linalg.Dot(t[i*n:i*n+c], t[best*n:best*n+c])
			t[i*n+c] = v / root
			left[i] -= t[i*n+c] * t[i*n+c]
		}
		left[best] = math.Inf(-1)
	}
	return t, pivots
}
