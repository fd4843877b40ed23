package gp

import "github.com/prefer-bo/prefer/internal/linalg"

// gradient overwrites grad with the derivative of the bound in theta at the optimal q: the chain rule from the derivatives Ū in k(Z,a_i) − k(Z,b_i), K̄_zz in
// K_zz (sparseAlgebra) and −½λ_i in kd_i through the kernel, O(nMD + M²D).
func (s *sparse) gradient(h Hyper, grad []float64) {
	clear(grad)
	m, d := s.m, s.duels.Dim
	k := h.Kernel
	dlog, dx := make([]float64, d), make([]float64, d)
	scale := 0.0
	u, kzz := s.wholeScratch(), s.kzz
	s.adjoints(u, kzz)
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
	at++
	if s.model.positioned() {
		grad[at] = s.positionGradient(s.model.positionVariance(h))
		at++
	}
	if free := s.model.Answers.free(); free > 0 {
		gaps := s.model.Answers.gaps(h.Cuts)
		g := grad[at : at+free]
		for i, e := range s.climb.expect {
			s.model.Answers.cutGradient(g, s.duels.Outcome[i], e.dLo, e.dHi, s.model.Noise)
		}
		for i := range g {
			g[i] *= gaps[i]
		}
		at += free
	}
	if len(h.Raters) > 0 {
		dlog := make([]float64, s.n)
		s.climb.spreadOf(s.sparseAlgebra, s.iv, dlog)
		s.duels.gatherRaters(grad[at:], dlog)
	}
}

// wholeScratch returns n×M scratch.
func (s *sparse) wholeScratch() []float64 {
	if s.t == nil {
		s.t = make([]float64, s.n*s.m)
	}
	return s.t
}
