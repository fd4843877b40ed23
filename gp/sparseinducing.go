package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// sparseInducing is the sparse q seen from the inducing points, for as many duels or more. A sweep
// costs O(nM²) and nothing is n×n, which is what makes 10,000 duels possible.
type sparseInducing struct {
	of      *sparse
	sites   Sites
	ones    []float64 // M
	la      []float64 // M×M lower triangle, chol(I + ΦᵀΛΦ)
	logdet  float64
	shrink  float64   // M − tr S
	qm      []float64 // m
	mean    []float64
	vrc     []float64
	b       []float64 // M scratch
	c, work []float64 // M×M scratch

	fromKnown bool // the last sums began with those of a sparsePrefix

	parts [sparseParts][]float64 // of the sums over duels: ΦᵀΛΦ, Φᵀν, M − tr S
}

func newSparseInducing(s *sparse) *sparseInducing {
	n, m := s.n, s.m
	if s.scratch[0] == nil {
		s.scratch = perPart(s.blockRows() * m)
	}
	return &sparseInducing{of: s, sites: newSites(n), ones: fill(m, 1), la: make([]float64, m*m),
		qm: make([]float64, m), mean: make([]float64, n), vrc: make([]float64, n),
		b: make([]float64, m), c: make([]float64, m*m), work: make([]float64, m*m), parts: perPart(m*m + m + 1)}
}

func (a *sparseInducing) set() {}

func (a *sparseInducing) current() Sites { return a.sites }

func (a *sparseInducing) marginals() (mean, variance []float64) { return a.mean, a.vrc }

// divergence returns KL[q(v)‖N(0,I)] = ½(tr S + mᵀm − M − log|S|).
func (a *sparseInducing) divergence() float64 {
	return (linalg.Dot(a.qm, a.qm) - a.shrink + a.logdet) / 2
}

// update refreshes q(v) and the marginals from the sites: A = I + ΦᵀΛΦ = L_A L_Aᵀ, S = A⁻¹,
// m = A⁻¹Φᵀν, Var d_i = resid_i + ‖L_A⁻¹φ_i‖², M − tr S = tr SΦᵀΛΦ = Σ_i λ_i ‖L_A⁻¹φ_i‖².
func (a *sparseInducing) update() bool {
	return a.updateFrom(0)
}

func (a *sparseInducing) updateFrom(first int) bool {
	s, m := a.of, a.of.m
	parts := a.parts[:s.parts()]
	for _, sum := range parts {
		clear(sum)
	}
	if !a.addKnown() {
		s.inParts(func(part, lo, hi int) { a.addSums(s.scratch[part], lo, hi, parts[part], parts[part][m*m:m*m+m]) })
		sums := a.sums()
		copy(a.la, sums)
		copy(a.qm, sums[m*m:])
	}
	for i := range m {
		a.la[i*m+i]++
	}
	if !linalg.Cholesky(m, a.la, m) {
		return false
	}
	a.logdet = 0
	for i := range m {
		a.logdet += 2 * math.Log(a.la[i*m+i])
	}
	linalg.SolveLowerVec(m, a.la, m, a.qm)
	linalg.SolveLowerTVec(m, a.la, m, a.qm)
	s.inParts(func(part, lo, hi int) {
		if lo = max(lo, first); lo >= hi {
			return
		}
		phi, t := s.rows(lo, hi), s.scratch[part][:(hi-lo)*m]
		linalg.Gemv(hi-lo, m, 1, phi, m, a.qm, 0, a.mean[lo:hi])
		copy(t, phi)
		linalg.SolveLowerRight(hi-lo, m, a.la, m, t, m)
		for i := lo; i < hi; i++ {
			row := t[(i-lo)*m : (i-lo+1)*m]
			v := linalg.Dot(row, row)
			a.vrc[i] = s.resid[i] + v
			parts[part][m*m+m] += a.sites.Lambda[i] * v
		}
	})
	a.shrink = 0
	for _, sum := range parts {
		a.shrink += sum[m*m+m]
	}
	return true
}

// adjoints: with α_i = ν_i − λ_i E[d_i] = ∂Q/∂m, −½λ_i = ∂Q/∂v, W = L⁻¹, b = Wᵀm and C = I − S the
// chain through φ_i, m and S staying fixed by the envelope theorem, is
//
//	φ̄_i = α_i m + λ_i Cφ_i,   ū_i = Wᵀφ̄_i = α_i b + λ_i (CW)ᵀφ_i
//	K̄_zz = −½ WᵀΦᵀŪ = −½ (bbᵀ + Wᵀ(A − I)CW) = −½ (bbᵀ + Wᵀ(A + S − 2I)W)
//
// the last line because Φ enters the bound through ΦΦᵀ = K_u(K_zz + εI)⁻¹K_uᵀ alone, as in sparseDuels.
// Stationarity, Φᵀα = m, turns the sum over duels into M×M algebra.
func (a *sparseInducing) adjoints(u, kzz []float64) {
	s, n, m := a.of, a.of.n, a.of.m
	copy(a.b, a.qm)
	linalg.SolveLowerTVec(m, s.l, m, a.b)

	a.covariance(a.c)
	for i := range m { // A from its factor, into kzz
		copy(a.work[i*m:i*m+i+1], a.la[i*m:i*m+i+1])
		clear(a.work[i*m+i+1 : (i+1)*m])
	}
	linalg.Syrk(false, m, m, 1, a.work, m, 0, kzz, m)
	linalg.Symmetrize(m, kzz, m)
	linalg.Axpy(1, a.c, kzz)
	for i := range m {
		kzz[i*m+i] -= 2
	}
	a.sandwich(kzz)
	for i, v := range a.b {
		row := kzz[i*m : (i+1)*m]
		for j := range row {
			row[j] = -(row[j] + v*a.b[j]) / 2
		}
	}

	a.reduce(a.c)
	linalg.SolveLowerT(m, m, s.l, m, a.c, m) // (CW)ᵀ
	linalg.Gemm(false, true, n, m, m, 1, s.phi, m, a.c, m, 0, u, m)
	for i, l := range a.sites.Lambda {
		alpha := a.sites.Nu[i] - l*a.mean[i]
		row := u[i*m : (i+1)*m]
		for j := range row {
			row[j] = alpha*a.b[j] + l*row[j]
		}
	}
}

func (a *sparseInducing) weights(b, r []float64) {
	m := a.of.m
	copy(b, a.qm)
	linalg.SolveLowerTVec(m, a.of.l, m, b)
	a.covariance(r)
	a.reduce(r)
	a.sandwich(r)
}

// covariance writes S (M×M, both triangles).
func (a *sparseInducing) covariance(dst []float64) {
	m := a.of.m
	copy(a.work, a.la)
	linalg.InvertLower(m, a.work, m)
	linalg.GramLower(m, a.work, m, dst, m)
}

// reduce replaces S by C = I − S.
func (a *sparseInducing) reduce(s []float64) {
	m := a.of.m
	for i := range s {
		s[i] = -s[i]
	}
	for i := range m {
		s[i*m+i]++
	}
}

// sandwich replaces the symmetric M×M matrix x by WᵀxW.
func (a *sparseInducing) sandwich(x []float64) {
	m := a.of.m
	linalg.SolveLowerT(m, m, a.of.l, m, x, m)
	for i := range m { // the transpose, xW
		for j := range i {
			x[i*m+j], x[j*m+i] = x[j*m+i], x[i*m+j]
		}
	}
	linalg.SolveLowerT(m, m, a.of.l, m, x, m)
	linalg.Symmetrize(m, x, m)
}
