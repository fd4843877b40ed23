package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// Sites are one Gaussian factor per duel, exp(−½λ_i d_i² + ν_i d_i): the form in which every inference here leaves what it learned from the answers.
type Sites struct {
	Lambda []float64 `json:"lambda"` // precisions λ_i ≥ 0
	Nu     []float64 `json:"nu"`     // shifts ν_i
}

func newSites(n int) Sites { return Sites{make([]float64, n), make([]float64, n)} }

func (s Sites) clone() Sites {
	return Sites{append([]float64(nil), s.Lambda...), append([]float64(nil), s.Nu...)}
}

func (s Sites) copyFrom(o Sites) {
	copy(s.Lambda, o.Lambda)
	copy(s.Nu, o.Nu)
}

// smallShrink is where (1 − (B⁻¹)_ii)/λ_i has lost nine of its sixteen digits and the direct formula takes over. So little a precision matters to no other site.
const smallShrink = 1e-9

// siteAlgebra is the Gaussian algebra shared by every inference in duel space: prior N(0, K_d)
// times the sites. With S = diag(√λ) and B = I + S K_d S = LLᵀ, W = L⁻¹,
//
//	Σ = K_d − K_d R K_d,   R = S B⁻¹ S,   m = Σν = K_d b,   b = ν − S B⁻¹ S K_d ν,
//	Σ_ii = (1 − (B⁻¹)_ii)/λ_i,   (B⁻¹)_ii = 1 − λ_i Σ_ii.
//
// One Cholesky, one triangular inverse (2n³/3 flops together) and O(n²) more give all marginals.
type siteAlgebra struct {
	n      int
	kd     []float64 // borrowed from duelSpace
	sites  Sites
	s      []float64 // √λ
	w      []float64 // n×n lower triangle: W = L⁻¹; the rest is zero
	logdet float64   // log|B|
	shrink []float64 // (B⁻¹)_ii
	mean   []float64 // m
	vrc    []float64 // Σ_ii
	b      []float64
	t, u   []float64 // scratch
	lost   []int     // scratch: sites whose variance takes the direct formula, …
	rows   []float64 // … and two rows for each
}

func newSiteAlgebra(kd []float64, n int) *siteAlgebra {
	v := func() []float64 { return make([]float64, n) }
	return &siteAlgebra{n: n, kd: kd, sites: newSites(n), s: v(), w: make([]float64, n*n),
		shrink: v(), mean: v(), vrc: v(), b: v(), t: v(), u: v()}
}

// update refreshes everything from the sites. It reports false if B is not positive definite, which
// only non-finite or negative sites or covariances can bring about.
func (g *siteAlgebra) update() bool {
	n := g.n
	for i, l := range g.sites.Lambda {
		g.s[i] = math.Sqrt(l)
	}
	for i := range n {
		row := g.w[i*n : i*n+i+1]
		linalg.MulTo(row, g.s[i], g.s[:i+1], g.kd[i*n:i*n+i+1])
		row[i]++
	}
	if !linalg.Cholesky(n, g.w, n) {
		return false
	}
	var log, product float64 = 0, 1 // of the diagonal, whose entries are at least 1
	for i := range n {
		if product *= g.w[i*n+i]; product > 1e100 {
			log, product = log+math.Log(product), 1
		}
	}
	g.logdet = 2 * (log + math.Log(product))
	linalg.InvertLower(n, g.w, n)
	clear(g.shrink)
	for i := range n {
		linalg.AddSquares(g.shrink[:i+1], g.w[i*n:i*n+i+1])
	}
	linalg.Gemv(n, n, 1, g.kd, n, g.sites.Nu, 0, g.t)
	linalg.MulTo(g.t, 1, g.s, g.t)
	g.solve(g.t)
	for i := range n {
		g.b[i] = g.sites.Nu[i] - g.s[i]*g.t[i]
	}
	linalg.Gemv(n, n, 1, g.kd, n, g.b, 0, g.mean)
	g.lost = g.lost[:0]
	for i, l := range g.sites.Lambda {
		if c := 1 - g.shrink[i]; c > smallShrink {
			g.vrc[i] = c / l
		} else {
			g.lost = append(g.lost, i)
		}
	}
	g.direct(g.lost)
	return true
}

// solve replaces t by B⁻¹t = Wᵀ(Wt).
func (g *siteAlgebra) solve(t []float64) {
	linalg.Gemv(g.n, g.n, 1, g.w, g.n, t, 0, g.u)
	linalg.GemvT(g.n, g.n, 1, g.w, g.n, g.u, 0, t)
}

// direct sets Σ_ii = K_ii − ‖W S K_i‖² for these sites, exact where λ_i is zero or tiny; rounding may take the
// difference of two equal numbers below zero, and then it is zero. O(n²) each.
func (g *siteAlgebra) direct(sites []int) {
	n, c := g.n, len(sites)
	if c == n { // no site has a precision yet
		for i := range n {
			g.vrc[i] = g.kd[i*n+i]
		}
		return
	}
	if len(g.rows) < 2*c*n {
		g.rows = make([]float64, 2*c*n)
	}
	sk, wsk := g.rows[:c*n], g.rows[c*n:2*c*n]
	for j, i := range sites {
		linalg.MulTo(sk[j*n:(j+1)*n], 1, g.s, g.kd[i*n:(i+1)*n])
	}
	linalg.Gemm(false, true, c, n, n, 1, sk, n, g.w, n, 0, wsk, n)
	for j, i := range sites {
		u := wsk[j*n : (j+1)*n]
		g.vrc[i] = math.Max(0, g.kd[i*n+i]-linalg.Dot(u, u))
	}
}

// precision writes R = S B⁻¹ S (n×n, both triangles) into dst.
func (g *siteAlgebra) precision(dst []float64) {
	n := g.n
	linalg.GramLower(n, g.w, n, dst, n)
	for i := range n {
		row := dst[i*n : (i+1)*n]
		linalg.MulTo(row, g.s[i], g.s, row)
	}
}

// adjoint writes M = ½(b bᵀ − R), the derivative of the EP evidence and of the variational bound with respect to K_d, into dst.
func (g *siteAlgebra) adjoint(dst []float64) {
	n := g.n
	g.precision(dst)
	for i := range n {
		row := dst[i*n : (i+1)*n]
		bi := g.b[i]
		for j := range row {
			row[j] = 0.5 * (bi*g.b[j] - row[j])
		}
	}
}

func (g *siteAlgebra) current() Sites { return g.sites }

func (g *siteAlgebra) marginals() (mean, variance []float64) { return g.mean, g.vrc }

// divergence returns KL[N(m,Σ)‖N(0,K_d)] = ½(tr B⁻¹ − n + log|B| + bᵀm).
func (g *siteAlgebra) divergence() float64 {
	kl := g.logdet + linalg.Dot(g.b, g.mean)
	for _, s := range g.shrink {
		kl += s - 1
	}
	return kl / 2
}
