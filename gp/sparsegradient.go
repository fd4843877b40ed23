package gp

import "github.com/prefer-bo/prefer/internal/linalg"

// gradient overwrites grad with the derivative of the bound in theta at the optimal q: the chain rule from the derivatives Ū in k(Z,a_i) − k(Z,b_i), K̄_zz in
// K_zz (sparseAlgebra) and −½λ_i in kd_i through the kernel, O(nMD + M²D).
func (s *sparse) gradient(h Hyper, grad []float64) {
	clear(grad)
	m, d := s.m, s.duels.Dim
	k := h.Kernel.stationary()
	dlog, dx := make([]float64, d), make([]float64, d)
	scale := 0.0
	u, kzz := s.wholeScratch(), s.kzz
	s.adjoints(u, kzz)
	trend := s.trendGradient(h.Kernel, u, kzz, dlog)
	// through adds what covariances of the point at with the first len(weight) inducing points bring.
	through := func(weight, at []float64, sign float64) {
		v, f := s.row[:len(weight)], s.row2[:len(weight)]
		k.scale(s.x, at)
		linalg.SquaredDistances(v, s.x, s.zc.z, s.points)
		k.radial(v, f, v)
		scale += sign * linalg.Dot(weight, v)
		linalg.MulTo(f, sign, weight, f)
		linalg.WeightedSquares(dlog, f, s.x, s.zc.z, s.points)
	}
	for i, l := range s.current().Lambda {
		a, b := s.duels.A[i*d:(i+1)*d], s.duels.B[i*d:(i+1)*d]
		through(u[i*m:i*m+s.points], a, 1)
		through(u[i*m:i*m+s.points], b, -1)
		v := k.Gradient(a, b, nil, dx)
		linalg.Axpy(l, dx, dlog)
		scale -= l * (k.Outputscale - v)
	}
	for i := range s.points { // the lower triangle, which counts twice off the diagonal
		row := kzz[i*m : i*m+i+1]
		row[i] /= 2
		through(row, s.z[i*d:(i+1)*d], 2)
	}
	s.model.gather(grad, dlog)
	at := s.model.scales(d)
	grad[at] = scale
	if s.model.trended() {
		at++
		grad[at] = trend
	}
	if s.model.positioned() {
		grad[at+1] = s.positionGradient(s.model.positionVariance(h))
	}
	dlo, dhi, spread := make([]float64, s.n), make([]float64, s.n), make([]float64, s.n)
	for i, e := range s.climb.expect {
		dlo[i], dhi[i] = e.dLo, e.dHi
	}
	if len(h.Raters) > 0 {
		s.climb.spreadOf(s.sparseAlgebra, s.iv, spread)
	}
	s.model.answersGradient(grad, s.duels, h, dlo, dhi, spread)
}

// wholeScratch returns n×M scratch.
func (s *sparse) wholeScratch() []float64 {
	if s.t == nil {
		s.t = make([]float64, s.n*s.m)
	}
	return s.t
}

// The trend in sparse inference, with F = 2D features, rows h(z_i) in H_z (M×F) and h(a_i) − h(b_i) in H_d (n×F):
//
//	K_zz += τ² H_z H_zᵀ,   u_i += τ² H_z (h(a_i) − h(b_i)),   kd_i += τ²‖h(a_i) − h(b_i)‖².

// stationary returns the kernel without its trend.
func (k Kernel) stationary() Kernel {
	k.Trend = 0
	return k
}

// addTrend adds the trend's part of the covariances of the duels from lo to hi with the inducing values, which are yet to become Φ, and of their variances: row
// by row, so that a row has the same bits whatever comes before it.
func (s *sparse) addTrend(k Kernel, lo, hi int, phi []float64) {
	if s.hz == nil {
		return
	}
	f, hd := k.features(), k.effectDifferences(s.duels, lo, hi)
	for i := lo; i < hi; i++ {
		row := hd[(i-lo)*f : (i-lo+1)*f]
		linalg.Gemv(s.points, f, k.tau2(), s.hz, f, row, 1, phi[(i-lo)*s.m:(i-lo)*s.m+s.points])
		s.resid[i] += k.tau2() * linalg.Dot(row, row)
	}
}

// trendGradient returns the derivative of the bound in log T and adds that of polynomials in log ℓ to dlog, given the adjoints ū (n×M) and K̄_zz (M×M). All
// three parts are sums over features, feature f bringing
//
//	τ² ((H_dᵀŪH_z)_ff + (H_zᵀK̄_zzH_z)_ff − ½ Σ_i λ_i H_d[i,f]²),
//
// and those of coordinate j change as 1/ℓ_j² if they are polynomials.
func (s *sparse) trendGradient(k Kernel, u, kzz, dlog []float64) (sum float64) {
	if s.hz == nil {
		return 0
	}
	n, m, f := s.n, s.m, k.features()
	hd, uh, kh := k.effectDifferences(s.duels, 0, n), make([]float64, n*f), make([]float64, s.points*f)
	linalg.Gemm(false, false, n, f, s.points, 1, u, m, s.hz, f, 0, uh, f)
	linalg.Gemm(false, false, s.points, f, s.points, 1, kzz, m, s.hz, f, 0, kh, f)
	add := func(feature int, v float64) {
		sum += k.tau2() * v
		if k.Effects == Polynomials {
			dlog[feature%len(dlog)] -= 2 * k.tau2() * v
		}
	}
	for i, v := range hd {
		add(i%f, v*(uh[i]-s.current().Lambda[i/f]*v/2))
	}
	for i, v := range s.hz {
		add(i%f, v*kh[i])
	}
	return sum
}
