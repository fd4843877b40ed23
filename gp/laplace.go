package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
)

const laplaceSteps = 200 // Newton steps; a concave objective needs about ten

// laplace approximates the posterior at its mode (Rasmussen & Williams §3.4, on the differences and without clamping the likelihood).
type laplace struct {
	d, b, db []float64 // mode, K_d⁻¹d without the inverse, Newton step in b
	kb       []float64 // K_d·db
	lik      []LogLik
	q        []float64 // (I − R K_d) s, see adjoint
}

func newLaplace(n int) *laplace {
	v := func() []float64 { return make([]float64, n) }
	return &laplace{d: v(), b: v(), db: v(), kb: v(), q: v(), lik: make([]LogLik, n)}
}

// start leaves new sites at zero: Newton begins at the mode of the others.
func (l *laplace) start(Sites, int, []Interval, []float64) {}

// solve maximises ψ(b) = Σ ℓ_i(d_i) − ½ bᵀd, d = K_d b, by Newton with step halving:
// sites λ = −ℓ”, ν = ℓ' + λd at the current d make siteAlgebra's mean the full Newton step.
//
//	log Z ≈ ψ(mode) − ½ log|B|
func (l *laplace) solve(g *siteAlgebra, iv []Interval, sigma []float64, tol float64) (float64, bool) {
	tol = min(tol, 1e-8) // log|B| is of first order in the mode; Newton squares the error, so this is one step
	if !g.update() {
		return math.NaN(), false
	}
	copy(l.b, g.b)
	copy(l.d, g.mean)
	psi := l.objective(iv, sigma)
	if math.IsInf(psi, -1) || math.IsNaN(psi) {
		clear(l.b)
		clear(l.d)
		psi = l.objective(iv, sigma)
	}
	for range laplaceSteps {
		for i, k := range l.lik {
			g.sites.Lambda[i] = -k.D2
			g.sites.Nu[i] = k.D1 - k.D2*l.d[i]
		}
		if !g.update() {
			return math.NaN(), false
		}
		var worst float64
		for i := range l.d {
			l.db[i] = g.b[i] - l.b[i]
			l.kb[i] = g.mean[i] - l.d[i]
			worst = max(worst, math.Abs(l.kb[i])*math.Sqrt(g.sites.Lambda[i]), math.Abs(l.kb[i])/(1+math.Abs(l.d[i])))
		}
		if worst <= tol {
			return psi - g.logdet/2, true
		}
		last := psi
		for step := 1.0; ; step /= 2 {
			linalg.Axpy(step, l.db, l.b)
			linalg.Axpy(step, l.kb, l.d)
			if psi = l.objective(iv, sigma); psi >= last-1e-12*(1+math.Abs(last)) {
				break
			}
			linalg.Axpy(-step, l.db, l.b)
			linalg.Axpy(-step, l.kb, l.d)
			if step < 1e-10 {
				psi = l.objective(iv, sigma)
				return psi - g.logdet/2, false
			}
		}
	}
	return psi - g.logdet/2, false
}

// objective fills lik at the current d and returns ψ.
func (l *laplace) objective(iv []Interval, sigma []float64) float64 {
	psi := -linalg.Dot(l.b, l.d) / 2
	for i := range l.lik {
		l.lik[i] = iv[i].LogLik(l.d[i], sigma[i])
		psi += l.lik[i].Value
	}
	return psi
}

// adjoint: besides ½(bbᵀ − R) the mode moves with K_d and drags the curvature along (Rasmussen & Williams Alg. 5.1, symmetrised): with s_i = ½Σ_ii ℓ”'_i =
// ∂log Z/∂d_i at the mode and q = (I − R K_d)s,
//
//	∂log Z/∂K_d = ½(bbᵀ − R) + ½(q bᵀ + b qᵀ).
func (l *laplace) adjoint(g *siteAlgebra, dst []float64) {
	n := g.n
	g.adjoint(dst)
	l.pull(g)
	for i := range n {
		row := dst[i*n : (i+1)*n]
		linalg.Axpy(l.q[i]/2, g.b, row)
		linalg.Axpy(g.b[i]/2, l.q, row)
	}
}

// pull computes q = (I − R K_d)s, the derivative of the evidence in ℓ'.
func (l *laplace) pull(g *siteAlgebra) {
	s := l.db
	for i := range s {
		s[i] = g.vrc[i] * l.lik[i].D3 / 2
	}
	linalg.Gemv(g.n, g.n, 1, g.kd, g.n, s, 0, l.q)
	linalg.MulTo(l.q, 1, g.s, l.q)
	g.solve(l.q)
	for i := range s {
		l.q[i] = s[i] - g.s[i]*l.q[i]
	}
}

// ends: explicitly through ℓ and ℓ”, and through the mode, ∂d/∂ℓ' = Σ, Σᵀs = K_d q.
func (l *laplace) ends(g *siteAlgebra, iv []Interval, sigma []float64, dlo, dhi []float64) {
	l.pull(g)
	linalg.Gemv(g.n, g.n, 1, g.kd, g.n, l.q, 0, l.kb)
	for i := range l.d {
		_, e := iv[i].logLikEnds(l.d[i], sigma[i])
		dlo[i] = e.lo[0] + g.vrc[i]*e.lo[2]/2 + l.kb[i]*e.lo[1]
		dhi[i] = e.hi[0] + g.vrc[i]*e.hi[2]/2 + l.kb[i]*e.hi[1]
	}
}

// spread: as ends, with the derivatives of ℓ, ℓ' and ℓ” in log σ.
func (l *laplace) spread(g *siteAlgebra, iv []Interval, sigma, dst []float64) {
	l.pull(g)
	linalg.Gemv(g.n, g.n, 1, g.kd, g.n, l.q, 0, l.kb)
	for i := range l.d {
		s := iv[i].logLikSpread(l.d[i], sigma[i])
		dst[i] = s[0] + g.vrc[i]*s[2]/2 + l.kb[i]*s[1]
	}
}
