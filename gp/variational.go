package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
)

const (
	variationalSweeps = 500
	variationalMemory = 6 // steps Anderson acceleration looks back
)

// variational finds the Gaussian q(d) = N(m, Σ) that maximises the evidence lower bound
//
//	ELBO = Σ_i E_q ℓ_i − KL[q‖N(0,K_d)]
//	KL   = ½(tr B⁻¹ − n + log|B| + bᵀm)
//
// over all means and all covariances. At the optimum Σ⁻¹ = K_d⁻¹ + Λ with one λ_i per duel (Opper &
// Archambeau 2009), so the search is over sites: λ = −2 ∂Q/∂v, ν = ∂Q/∂m + λm, Q_i = E_q ℓ_i.
//
// The plain fixed-point iteration on these is the natural-gradient step of length 1; it oscillates from outputscale 20 on. Here every step is safeguarded by
// the bound itself (halved until the bound does not fall) and accelerated (Anderson mixing over the last six), which converges at outputscale 1e4 too.
type variational struct {
	rule   Rule
	expect []Expected
	target Sites     // where the fixed-point map sends the current sites
	keep   Sites     // the sites a trial step started from
	mix    *anderson // over (λ, ν)
}

// gaussian is what the search needs to know of a Gaussian q parametrised by sites: the marginals of the differences and the divergence from the prior.
// siteAlgebra is the full-rank one, sparseDuels and sparseInducing are the sparse ones.
type gaussian interface {
	update() bool
	current() Sites
	marginals() (mean, variance []float64)
	divergence() float64
}

func newVariational(n int, rule Rule) *variational {
	return &variational{rule: rule, expect: make([]Expected, n), target: newSites(n), keep: newSites(n),
		mix: newAnderson(2*n, variationalMemory)}
}

// start takes the curvature of the likelihood at d = 0: sites of zero, the prior, would spread q so
// widely that the expected curvature starts near zero and grows slowly.
func (q *variational) start(sites Sites, fresh int, iv []Interval, sigma []float64) {
	for i := fresh; i < len(iv); i++ {
		l := iv[i].LogLik(0, sigma[i])
		sites.Lambda[i], sites.Nu[i] = -l.D2, l.D1
	}
}

// startAfter starts the sites from fresh on where the others have settled: each where it would settle as the only new one. Its marginal without it is N(m, v),
// and with it N(v′(m/v + ν), v′), v′ = v/(1 + λv). At 10,000 duels this leaves three updates of nine.
func (q *variational) startAfter(g sparseAlgebra, fresh int, iv []Interval, sigma []float64) bool {
	sites := g.current()
	clear(sites.Lambda[fresh:])
	clear(sites.Nu[fresh:])
	if !g.updateFrom(fresh) {
		return false
	}
	mean, vrc := g.marginals()
	for i := fresh; i < len(iv); i++ {
		for range 8 {
			v := vrc[i] / (1 + sites.Lambda[i]*vrc[i])
			m := v * (mean[i]/vrc[i] + sites.Nu[i])
			e := q.rule.Expect(iv[i], m, v, sigma[i])
			sites.Lambda[i] = -2 * e.DVar
			sites.Nu[i] = e.DMean + sites.Lambda[i]*m
		}
	}
	return true
}

func (q *variational) solve(g *siteAlgebra, iv []Interval, sigma []float64, tol float64) (float64, bool) {
	return q.climb(g, iv, sigma, tol)
}

// climb raises the bound over the sites of g until they settle.
func (q *variational) climb(g gaussian, iv []Interval, sigma []float64, tol float64) (float64, bool) {
	if !g.update() {
		return math.NaN(), false
	}
	q.mix.reset()
	sites := g.current()
	bound, gap := q.evaluate(g, iv, sigma)
	step := 1.0
	for range variationalSweeps {
		if gap <= tol {
			return bound, true
		}
		q.keep.copyFrom(sites)
		if q.mix.propose(sites, q.target) {
			if g.update() {
				if b, r := q.evaluate(g, iv, sigma); better(b, r, bound, gap) {
					bound, gap = b, r
					continue
				}
			}
			bound, gap = q.back(g, iv, sigma)
		}
		// The plain step, shortened until the bound holds.
		target := q.target.clone()
		for step = math.Min(1, 2*step); ; step /= 2 {
			for i := range target.Nu {
				sites.Lambda[i] = q.keep.Lambda[i] + step*(target.Lambda[i]-q.keep.Lambda[i])
				sites.Nu[i] = q.keep.Nu[i] + step*(target.Nu[i]-q.keep.Nu[i])
			}
			if !g.update() {
				return math.NaN(), false
			}
			if b, r := q.evaluate(g, iv, sigma); better(b, r, bound, gap) {
				bound, gap = b, r
				break
			}
			if step < 1e-6 {
				bound, gap = q.back(g, iv, sigma)
				return bound, gap <= tol
			}
		}
	}
	return bound, gap <= tol
}

// back returns to the sites a failed step started from.
func (q *variational) back(g gaussian, iv []Interval, sigma []float64) (bound, gap float64) {
	g.current().copyFrom(q.keep)
	g.update()
	return q.evaluate(g, iv, sigma)
}

// better accepts a step that raises the bound, or one so close to the optimum that the bound no longer resolves it while the distance to the fixed point does
// not grow. Accelerated steps are not monotone in that distance, hence the factor.
func better(b, r, bound, gap float64) bool {
	slack := 1e-11 * (1 + math.Abs(bound))
	return b > bound+slack || (b > bound-slack && r < 2*gap)
}

// evaluate returns the bound at the current sites and how far they are from their fixed point, and leaves the image of the map in target.
func (q *variational) evaluate(g gaussian, iv []Interval, sigma []float64) (bound, worst float64) {
	sites := g.current()
	mean, vrc := g.marginals()
	for i := range q.expect {
		m, v := mean[i], vrc[i]
		e := q.rule.Expect(iv[i], m, v, sigma[i])
		q.expect[i] = e
		l := -2 * e.DVar
		q.target.Lambda[i], q.target.Nu[i] = l, e.DMean+l*m
		bound += e.Value
		worst = max(worst, math.Abs(l-sites.Lambda[i])*v,
			math.Abs(e.DMean+sites.Lambda[i]*m-sites.Nu[i])*math.Sqrt(v))
	}
	return bound - g.divergence(), worst
}

func (q *variational) adjoint(g *siteAlgebra, dst []float64) { g.adjoint(dst) }

func (q *variational) ends(_ *siteAlgebra, _ []Interval, _ []float64, dlo, dhi []float64) {
	for i, e := range q.expect {
		dlo[i], dhi[i] = e.dLo, e.dHi
	}
}

func (q *variational) spread(g *siteAlgebra, iv []Interval, _, dst []float64) { q.spreadOf(g, iv, dst) }

// spreadOf is spread for any Gaussian: at the optimal q the bound depends on σ through the Q_i alone.
func (q *variational) spreadOf(g gaussian, iv []Interval, dst []float64) {
	mean, vrc := g.marginals()
	for i, e := range q.expect {
		dst[i] = e.spread(iv[i], mean[i], vrc[i])
	}
}

// anderson accelerates a fixed-point iteration x ← F(x) on the stacked site parameters by the secant information of its last steps (Walker & Ni 2011): with
// residuals f = F(x) − x, the next iterate is x + f − (ΔX + ΔF)γ, γ minimising ‖f − ΔFγ‖.
type anderson struct {
	n, m   int
	count  int
	dx, df []float64 // m columns of n, oldest overwritten
	x, f   []float64
	gram   []float64
	gamma  []float64
}

func newAnderson(n, m int) *anderson {
	return &anderson{n: n, m: m, dx: make([]float64, n*m), df: make([]float64, n*m),
		x: make([]float64, n), f: make([]float64, n), gram: make([]float64, m*m), gamma: make([]float64, m)}
}

func (a *anderson) reset() { a.count = 0 }

// propose overwrites sites with the accelerated iterate given its image target under the map. It reports false, and leaves sites alone, while there is no
// history or if a precision would turn negative: then the caller takes a plain step.
func (a *anderson) propose(sites, target Sites) bool {
	h := len(sites.Lambda)
	k := min(a.count-1, a.m) // columns available before this call
	col := 0
	if a.count > 0 {
		col = (a.count - 1) % a.m
		dx, df := a.dx[col*a.n:(col+1)*a.n], a.df[col*a.n:(col+1)*a.n]
		for i := range h {
			set := func(at int, x, f float64) {
				dx[at], df[at] = x-a.x[at], f-a.f[at]
			}
			set(i, sites.Lambda[i], target.Lambda[i]-sites.Lambda[i])
			set(h+i, sites.Nu[i], target.Nu[i]-sites.Nu[i])
		}
		k = min(a.count, a.m)
	}
	for i := range h {
		a.x[i], a.x[h+i] = sites.Lambda[i], sites.Nu[i]
		a.f[i], a.f[h+i] = target.Lambda[i]-sites.Lambda[i], target.Nu[i]-sites.Nu[i]
	}
	a.count++
	if k < 1 || !a.solve(k) {
		return false
	}
	next := func(i int) float64 {
		v := a.x[i] + a.f[i]
		for c := range k {
			v -= (a.dx[c*a.n+i] + a.df[c*a.n+i]) * a.gamma[c]
		}
		return v
	}
	for i := range h {
		if next(i) < 0 {
			return false
		}
	}
	for i := range h {
		sites.Lambda[i], sites.Nu[i] = next(i), next(h+i)
	}
	return true
}

// solve finds γ from the normal equations with a relative ridge of 1e-12, enough to keep repeated directions harmless; accuracy of γ only affects speed.
func (a *anderson) solve(k int) bool {
	var trace float64
	for i := range k {
		fi := a.df[i*a.n : (i+1)*a.n]
		for j := range i + 1 {
			a.gram[i*k+j] = linalg.Dot(fi, a.df[j*a.n:(j+1)*a.n])
		}
		trace += a.gram[i*k+i]
		a.gamma[i] = linalg.Dot(fi, a.f)
	}
	for i := range k {
		a.gram[i*k+i] += 1e-12 * trace
	}
	if trace == 0 || !linalg.Cholesky(k, a.gram, k) {
		return false
	}
	linalg.SolveLowerVec(k, a.gram, k, a.gamma[:k])
	linalg.SolveLowerTVec(k, a.gram, k, a.gamma[:k])
	return true
}
