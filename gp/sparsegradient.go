package gp

import "github.com/prefer-bo/prefer/internal/linalg"

// gradient overwrites grad with the derivative of the bound in theta at the optimal q. By the
// envelope theorem m and S stay fixed, so the bound moves through φ_i and kd_i alone. With the sites'
// α_i = ν_i − λ_i E[d_i] = ∂Q/∂m and −½λ_i = ∂Q/∂v, C = I − S and A = I + ΦᵀΛΦ,
//
//	φ̄_i = α_i m + λ_i Cφ_i,   ū_i = L⁻ᵀφ̄_i = α_i b + λ_i (CL⁻¹)ᵀφ_i,   k̄d_i = −½λ_i
//	L̄  = −tril(Σ_i ū_i φ_iᵀ) = −tril(b mᵀ + (CL⁻¹)ᵀ(A − I))
//	K̄_zz = sym(L⁻ᵀ P L⁻¹),   P = tril(LᵀL̄) with its diagonal halved
//
// (bars are derivatives of the bound; the last line is the reverse of a Cholesky factorisation,
// Murray 2016). Stationarity, Φᵀα = m, turns the sum over duels in L̄ into M×M algebra. What remains
// is the chain rule through the kernel entries, O(nMD).
func (s *sparse) gradient(h Hyper, grad []float64) {
	clear(grad)
	n, m, d := s.n, s.m, s.duels.Dim
	k := h.Kernel
	dlog := grad[:d]

	w := lowerInverse(s.l, m)
	b := append([]float64(nil), s.qm...)
	linalg.SolveLowerTVec(m, s.l, m, b)
	cw := make([]float64, m*m)
	linalg.Gemm(false, false, m, m, m, 1, s.reduction(), m, w, m, 0, cw, m)
	u := s.t
	linalg.Gemm(false, false, n, m, m, 1, s.phi, m, cw, m, 0, u, m)
	for i, l := range s.sites.Lambda {
		alpha := s.sites.Nu[i] - l*s.mean[i]
		row := u[i*m : (i+1)*m]
		for j := range row {
			row[j] = alpha*b[j] + l*row[j]
		}
	}

	kzz := s.reverseCholesky(w, cw, b)
	scale := 0.0
	x, r2, f := make([]float64, d), make([]float64, m), make([]float64, m)
	through := func(weight, at []float64, sign float64) {
		k.scale(x, at)
		linalg.SquaredDistances(r2, x, s.zc.z, m)
		k.radial(r2, f, r2)
		scale += sign * linalg.Dot(weight, r2)
		linalg.MulTo(f, sign, weight, f)
		linalg.WeightedSquares(dlog, f, x, s.zc.z, m)
	}
	dx := make([]float64, d)
	for i, l := range s.sites.Lambda {
		a, b := s.duels.A[i*d:(i+1)*d], s.duels.B[i*d:(i+1)*d]
		through(u[i*m:(i+1)*m], a, 1)
		through(u[i*m:(i+1)*m], b, -1)
		v := k.Gradient(a, b, nil, dx)
		linalg.Axpy(l, dx, dlog)
		scale -= l * (k.Outputscale - v)
	}
	for i := range m {
		through(kzz[i*m:(i+1)*m], s.z[i*d:(i+1)*d], 1)
	}
	grad[d] = scale

	if s.model.Answers.free() > 0 {
		gaps := s.model.Answers.gaps(h.Cuts)
		g := grad[d+1:]
		for i, e := range s.climb.expect {
			s.model.Answers.cutGradient(g, s.duels.Outcome[i], e.dLo, e.dHi, s.model.Noise)
		}
		for i := range g {
			g[i] *= gaps[i]
		}
	}
}

// reverseCholesky returns the derivative of the bound in K_zz, given W = L⁻¹, CW and b = L⁻ᵀm.
func (s *sparse) reverseCholesky(w, cw, b []float64) []float64 {
	m := s.m
	// A − I from its factor; both triangles.
	a := make([]float64, m*m)
	low := make([]float64, m*m)
	for i := range m {
		copy(low[i*m:i*m+i+1], s.la[i*m:i*m+i+1])
	}
	linalg.Syrk(false, m, m, 1, low, m, 0, a, m)
	linalg.Symmetrize(m, a, m)
	for i := range m {
		a[i*m+i]--
	}
	bar := make([]float64, m*m)
	linalg.Gemm(true, false, m, m, m, -1, cw, m, a, m, 0, bar, m)
	for i := range m {
		linalg.Axpy(-b[i], s.qm, bar[i*m:(i+1)*m])
	}
	for i := range m {
		copy(low[i*m:i*m+i+1], s.l[i*m:i*m+i+1])
		clear(bar[i*m+i+1 : (i+1)*m])
	}
	p := make([]float64, m*m)
	linalg.Gemm(true, false, m, m, m, 1, low, m, bar, m, 0, p, m)
	for i := range m {
		p[i*m+i] /= 2
		clear(p[i*m+i+1 : (i+1)*m])
	}
	t := make([]float64, m*m)
	linalg.Gemm(true, false, m, m, m, 1, w, m, p, m, 0, t, m)
	linalg.Gemm(false, false, m, m, m, 1, t, m, w, m, 0, p, m)
	for i := range m {
		for j := range i {
			v := (p[i*m+j] + p[j*m+i]) / 2
			p[i*m+j], p[j*m+i] = v, v
		}
	}
	return p
}
