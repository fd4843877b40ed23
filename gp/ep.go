package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/normal"
)

// Sweeps before EP changes its ways. Accelerated, undamped parallel sweeps settle in about ten on every data set met
// in studies; only long runs of identical unanimous duels, whose sites all push at once, need more.
const (
	epUndamped   = 30
	epDamped     = 30
	epSequential = 100
	epMemory     = 3 // sweeps that acceleration looks back at
)

// ep is expectation propagation (Minka 2001; Rasmussen & Williams §3.6) on the differences. Each site makes the marginal of d_i match the first two moments
// of cavity × likelihood, which Interval.Tilt has in closed form for every kind of answer.
type ep struct {
	tilt  []Tilted
	mc    []float64 // cavity means
	vc    []float64 // cavity variances
	z     []float64 // ends of one-sided intervals, standardised (Interval.oneSided), …
	logZ  []float64 // … log Φ(z) …
	mills []float64 // … and φ(z)/Φ(z)
	sigma []float64 // n×n, the sequential fallback's covariance; nil until needed

	target Sites     // the asked-for sites
	mix    *anderson // over (λ, ν)
}

func newEP(n int) *ep {
	v := func() []float64 { return make([]float64, n) }
	return &ep{tilt: make([]Tilted, n), mc: v(), vc: v(), z: v(), logZ: v(), mills: v(), target: newSites(n), mix: newAnderson(2*n, epMemory)}
}

// start leaves new sites at zero: their first cavity is then the posterior of the others.
func (e *ep) start(Sites, int, []Interval, []float64) {}

func (e *ep) solve(g *siteAlgebra, iv []Interval, sigma []float64, tol float64) (float64, bool) {
	if z, done, ok := e.parallel(g, g.update, iv, sigma, tol); done {
		return z, ok
	}
	for range epSequential {
		if !g.update() {
			return math.NaN(), false
		}
		if e.match(g, iv, sigma) <= tol {
			return e.evidence(g), true
		}
		e.sequential(g, iv, sigma)
	}
	if !g.update() {
		return math.NaN(), false
	}
	ok := e.match(g, iv, sigma) <= tol
	return e.evidence(g), ok
}

// parallel updates all sites at once, sweep by sweep, until they settle; done is false if they did not. update refreshes the marginals in g from its sites.
func (e *ep) parallel(g *siteAlgebra, update func() bool, iv []Interval, sigma []float64, tol float64) (z float64, done, ok bool) {
	step := 1.0
	e.mix.reset()
	for sweep := range epUndamped + epDamped {
		if !update() {
			return math.NaN(), true, false
		}
		if e.match(g, iv, sigma) <= tol {
			return e.evidence(g), true, true
		}
		if sweep == epUndamped {
			step = 0.5
		}
		for i, t := range e.tilt {
			e.target.Lambda[i], e.target.Nu[i] = t.Lambda, t.Nu
		}
		if sweep < epUndamped && e.mix.propose(g.sites, e.target) {
			continue
		}
		for i := range e.tilt {
			g.sites.Lambda[i] += step * (e.tilt[i].Lambda - g.sites.Lambda[i])
			g.sites.Nu[i] += step * (e.tilt[i].Nu - g.sites.Nu[i])
		}
	}
	return e.evidence(g), false, false
}

// match computes every cavity and the site it asks for, and returns the largest disagreement
// between site and asked-for site, measured on the marginal it acts on.
//
// Cavity without subtraction of precisions: (B⁻¹)_ii = 1 − λ_iΣ_ii, hence
//
//	v₋ = Σ_ii/(B⁻¹)_ii,   m₋ = m_i + v₋(λ_i m_i − ν_i).
func (e *ep) match(g *siteAlgebra, iv []Interval, sigma []float64) float64 {
	for i := range e.tilt {
		l, nu, m := g.sites.Lambda[i], g.sites.Nu[i], g.mean[i]
		e.vc[i] = g.vrc[i] / g.shrink[i]
		e.mc[i] = m + e.vc[i]*(l*m-nu)
		e.z[i], _ = iv[i].oneSided(e.mc[i], math.Sqrt(e.vc[i]+sigma[i]*sigma[i]))
	}
	normal.LogCDFMills(e.logZ, e.mills, e.z)
	var worst float64
	for i := range e.tilt {
		l, nu := g.sites.Lambda[i], g.sites.Nu[i]
		m, v := g.mean[i], g.vrc[i]
		t := iv[i].tiltAt(e.mc[i], e.vc[i], sigma[i], e.logZ[i], e.mills[i])
		e.tilt[i] = t
		worst = max(worst, math.Abs(t.Lambda-l)*v, math.Abs(t.Nu-nu-(t.Lambda-l)*m)*math.Sqrt(v))
	}
	return worst
}

// evidence is the full EP approximation of log Pr(answers), not the sum of the log Z_i alone:
//
//	log Z = Σ_i log C_i − ½ log|B| + ½ νᵀm
//	log C_i = log Z_i + ½ log(1+λv₋) − ½ (v₋ν² + 2m₋ν − λm₋²)/(1+λv₋)
//
// where C_i scales the site so that cavity × site has the tilted normaliser Z_i. It is stationary
// in the sites at the fixed point, so an error ε in them costs ε².
func (e *ep) evidence(g *siteAlgebra) float64 {
	z := -g.logdet/2 + linalg.Dot(g.sites.Nu, g.mean)/2
	for i := range e.tilt {
		l, nu := g.sites.Lambda[i], g.sites.Nu[i]
		mc, vc := e.mc[i], e.vc[i]
		z += e.tilt[i].LogZ + math.Log1p(l*vc)/2 - (vc*nu*nu+2*mc*nu-l*mc*mc)/(2*(1+l*vc))
	}
	return z
}

// sequential does one sweep of site-by-site updates with rank-one downdates of Σ, O(n³) like a
// parallel sweep but several times slower, and it converges where parallel sweeps overshoot.
func (e *ep) sequential(g *siteAlgebra, iv []Interval, sigma []float64) {
	n := g.n
	if e.sigma == nil {
		e.sigma = make([]float64, n*n)
	}
	// Σ = K − K R K = K − (W S K)ᵀ(W S K).
	v := make([]float64, n*n)
	for i := range n {
		row := v[i*n : (i+1)*n]
		copy(row, g.kd[i*n:(i+1)*n])
		for j := range row {
			row[j] *= g.s[i]
		}
	}
	t := make([]float64, n*n)
	linalg.Gemm(false, false, n, n, n, 1, g.w, n, v, n, 0, t, n)
	copy(e.sigma, g.kd)
	linalg.Gemm(true, false, n, n, n, -1, t, n, t, n, 1, e.sigma, n)
	mean := append([]float64(nil), g.mean...)
	col := make([]float64, n)
	for i := range n {
		l, nu := g.sites.Lambda[i], g.sites.Nu[i]
		m, vi := mean[i], math.Max(0, e.sigma[i*n+i]) // rounding can leave −1e-16 for 0
		q := 1 - l*vi
		if q <= 0 {
			continue // lost to rounding since the last refresh; the next sweep starts from a fresh Σ
		}
		vc := vi / q
		tl := iv[i].Tilt(m+vc*(l*m-nu), vc, sigma[i])
		dl, dnu := tl.Lambda-l, tl.Nu-nu
		copy(col, e.sigma[i*n:(i+1)*n])
		gain := 1 / (1 + dl*vi)
		linalg.Axpy((dnu-dl*m)*gain, col, mean)
		for r := range n {
			linalg.Axpy(-dl*gain*col[r], col, e.sigma[r*n:(r+1)*n])
		}
		g.sites.Lambda[i], g.sites.Nu[i] = tl.Lambda, tl.Nu
	}
}

func (e *ep) adjoint(g *siteAlgebra, dst []float64) { g.adjoint(dst) }

// ends: with the cavities held fixed the evidence depends on the cuts through the Z_i alone.
func (e *ep) ends(_ *siteAlgebra, _ []Interval, _ []float64, dlo, dhi []float64) {
	for i, t := range e.tilt {
		dlo[i], dhi[i] = t.dLo, t.dHi
	}
}

// spread: likewise through the Z_i alone, which solve the heat equation in s² = v₋ + σ²,
//
//	∂Z/∂σ² = ½ ∂²Z/∂m₋²,   ∂log Z/∂log σ = σ²(α² − β).
func (e *ep) spread(_ *siteAlgebra, _ []Interval, sigma, dst []float64) {
	for i, t := range e.tilt {
		dst[i] = sigma[i] * sigma[i] * (t.Alpha*t.Alpha - t.Beta)
	}
}
