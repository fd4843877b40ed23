package gp

import "github.com/prefer-bo/prefer/internal/linalg"

// sparseDuels is the sparse q seen from the duels, for fewer duels than inducing points. What the inducing points explain of the differences, Φv, has the
// prior N(0, Q), Q = ΦΦᵀ, and the bound is Variational's with Q in the place of K_d and the residual variance added to every marginal:
//
//	log|I + ΦᵀΛΦ| = log|B|,   tr S − M = tr B⁻¹ − n,   m = Φᵀb,   I − S = ΦᵀRΦ
//
// with B, R and b of siteAlgebra. A sweep costs O(n³), whatever M.
type sparseDuels struct {
	*siteAlgebra
	of    *sparse
	total []float64 // Σ_ii + resid_i
	vt    []float64 // M×n: Vᵀ = L⁻ᵀΦᵀ, V = k(·, Z)(K_zz + εI)⁻¹
	g     []float64 // n×n scratch
}

func newSparseDuels(s *sparse) *sparseDuels {
	n := s.n
	return &sparseDuels{siteAlgebra: newSiteAlgebra(make([]float64, n*n), n), of: s, total: make([]float64, n),
		vt: make([]float64, s.m*n), g: make([]float64, n*n)}
}

func (a *sparseDuels) set() {
	linalg.Syrk(false, a.n, a.of.m, 1, a.of.phi, a.of.m, 0, a.kd, a.n)
	linalg.Symmetrize(a.n, a.kd, a.n)
}

func (a *sparseDuels) update() bool {
	ok := a.siteAlgebra.update()
	for i, r := range a.of.resid {
		a.total[i] = a.vrc[i] + r
	}
	return ok
}

func (a *sparseDuels) updateFrom(int) bool { return a.update() }

func (a *sparseDuels) marginals() (mean, variance []float64) { return a.mean, a.total }

// adjoints: the derivative of the bound in Q is ½(bbᵀ − R) (siteAlgebra.adjoint) and in resid_i, which
// is kd_i − Q_ii, it is −½λ_i; together ½G, G = bbᵀ − R + Λ. From Q = K_u(K_zz + εI)⁻¹K_uᵀ,
//
//	Ū = GV,   K̄_zz = −½VᵀGV
//
// where a Cholesky factor need not be differentiated.
func (a *sparseDuels) adjoints(u, kzz []float64) {
	n, m := a.n, a.of.m
	a.precision(a.g)
	for i, l := range a.sites.Lambda {
		row := a.g[i*n : (i+1)*n]
		bi := a.b[i]
		for j := range row {
			row[j] = bi*a.b[j] - row[j]
		}
		row[i] += l
	}
	a.project()
	linalg.Gemm(false, true, n, m, n, 1, a.g, n, a.vt, n, 0, u, m)
	linalg.Gemm(false, false, m, m, n, -0.5, a.vt, n, u, m, 0, kzz, m)
}

// weights: b = Vᵀb and R = VᵀRV = XXᵀ with X = VᵀSWᵀ, W the inverse factor of B.
func (a *sparseDuels) weights(b, r []float64) {
	n, m := a.n, a.of.m
	a.project()
	linalg.Gemv(m, n, 1, a.vt, n, a.b, 0, b)
	for i := range m {
		row := a.vt[i*n : (i+1)*n]
		linalg.MulTo(row, 1, a.s, row)
	}
	x := a.of.wholeScratch()
	linalg.Gemm(false, true, m, n, n, 1, a.vt, n, a.w, n, 0, x, n)
	linalg.Syrk(false, m, n, 1, x, n, 0, r, m)
	linalg.Symmetrize(m, r, m)
}

// project computes Vᵀ.
func (a *sparseDuels) project() {
	n, m := a.n, a.of.m
	for i := range n {
		for j, v := range a.of.phi[i*m : (i+1)*m] {
			a.vt[j*n+i] = v
		}
	}
	linalg.SolveLowerT(m, n, a.of.l, m, a.vt, n)
}
