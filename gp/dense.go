package gp

import (
	"math"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// dense evaluates the evidence of EP, Variational and Laplace: one site per duel, n×n algebra.
type dense struct {
	model   Model // with defaults
	duels   *Duels
	space   *duelSpace
	algebra *siteAlgebra
	engine  engine
	fresh   int // sites from here on have no start yet
	iv      []Interval
	sigma   []float64 // noise of each duel
	m       []float64 // n×n adjoint; nil until a gradient is wanted
	dlo     []float64
	dhi     []float64
	spread  []float64
	dlog    []float64 // D, derivatives in the log lengthscale of each coordinate
}

func newDense(m Model, duels *Duels, from *Posterior) *dense {
	n := duels.Len()
	s := newDuelSpace(duels, m.Level)
	e := &dense{model: m, duels: duels, space: s, algebra: newSiteAlgebra(s.kd, n), engine: newEngine(m.Inference, n),
		iv: make([]Interval, n), sigma: make([]float64, n), dlo: make([]float64, n), dhi: make([]float64, n), spread: make([]float64, n),
		dlog: make([]float64, duels.Dim)}
	e.fresh = from.seed(e.algebra.sites)
	return e
}

func (e *dense) evaluate(h Hyper, tol float64, grad []float64) (float64, bool) {
	e.model.setSpace(e.space, h, grad != nil)
	e.model.intervals(e.iv, e.duels, h)
	e.model.noises(e.sigma, e.duels, h)
	e.engine.start(e.algebra.sites, e.fresh, e.iv, e.sigma)
	e.fresh = len(e.iv)
	z, ok := e.engine.solve(e.algebra, e.iv, e.sigma, tol)
	if math.IsNaN(z) {
		// Sites from elsewhere in the search can be hopeless here; the prior never is.
		clear(e.algebra.sites.Lambda)
		clear(e.algebra.sites.Nu)
		z, ok = e.engine.solve(e.algebra, e.iv, e.sigma, tol)
	}
	if grad == nil {
		return z, ok
	}
	clear(grad)
	if e.m == nil {
		e.m = make([]float64, len(e.space.kd))
	}
	e.engine.adjoint(e.algebra, e.m)
	e.model.covarianceGradient(grad, e.space, e.m, e.dlog)
	if e.model.Answers.free() > 0 || e.space.level != nil {
		e.engine.ends(e.algebra, e.iv, e.sigma, e.dlo, e.dhi)
	}
	if len(h.Raters) > 0 {
		e.engine.spread(e.algebra, e.iv, e.sigma, e.spread)
	}
	e.model.answersGradient(grad, e.duels, h, e.dlo, e.dhi, e.spread)
	return z, ok
}

// covarianceGradient adds to grad the derivatives of the evidence through the covariances of s, given its adjoint (n×n, symmetric), which it overwrites. dlog
// (D) is scratch.
func (m Model) covarianceGradient(grad []float64, s *duelSpace, adjoint, dlog []float64) {
	at := m.scales(s.d)
	scale := &grad[at]
	*scale += linalg.Dot(adjoint, s.kd) // ∂K_d/∂log s = K_d, but for trend and position bias
	var position, kinship float64
	if m.positioned() {
		position = s.positionGradient(adjoint)
		*scale -= position // which does not scale with s
	}
	if m.kin() {
		kinship = s.kinshipGradient(adjoint)
		s.pattern(adjoint) // for derivatives of K_d without it
	}
	clear(dlog)
	s.gradient(dlog, adjoint)
	m.gather(grad[:at], dlog)
	at++
	if m.trended() {
		trend := s.trendGradient(adjoint)
		grad[at] += trend
		*scale -= trend
		at++
	}
	if m.kin() {
		grad[at] += kinship
		at++
	}
	if m.positioned() {
		grad[at] += 2 * position
	}
}

// answersGradient adds to grad the derivatives through the ends of intervals, given those in the ends (n each), and through the noise of raters, given those
// in the log noise of each duel (n).
func (m Model) answersGradient(grad []float64, duels *Duels, h Hyper, dlo, dhi, spread []float64) {
	at := m.scales(duels.Dim) + 1
	scale, trend := &grad[at-1], (*float64)(nil)
	if m.trended() {
		trend = &grad[at]
		at++
	}
	if m.kin() {
		at++
	}
	if m.positioned() {
		at++
	}
	if duels.levels() != nil {
		m.levelGradient(scale, trend, duels, h.Kernel, dlo, dhi)
	}
	if free := m.Answers.free(); free > 0 {
		gaps := m.Answers.gaps(h.Cuts)
		g := grad[at : at+free]
		for i, o := range duels.Outcome {
			if !duels.against(i) {
				m.Answers.cutGradient(g, o, dlo[i], dhi[i], m.Noise)
			}
		}
		for i := range g {
			g[i] *= gaps[i]
		}
		at += free
	}
	if len(h.Raters) > 0 {
		for i, g := range spread { // in the log noise of each duel
			grad[at+duels.by(i)] += g
		}
	}
}

func (e *dense) current() Sites { return e.algebra.sites }

func (e *dense) settle(h Hyper) bool {
	e.model.setSpace(e.space, h, false)
	return e.algebra.update()
}

func (e *dense) posterior(h Hyper) *Posterior {
	r := make([]float64, e.space.n*e.space.n)
	e.algebra.precision(r)
	p := e.space.posterior(e.model, h, e.algebra.b, r)
	p.sites = e.algebra.sites.clone()
	return p
}

// posterior returns the posterior with weights b (n) and precision r (n×n) of the differences, which it may keep; without sites.
func (s *duelSpace) posterior(m Model, h Hyper, b, r []float64) *Posterior {
	d, order := s.d, s.order()
	p := newPosterior(m, h, rows(s.duels.A, d, order), rows(s.duels.B, d, order)[len(s.level)*d:], r)
	copy(p.b, rows(b, 1, order))
	if s.position > 0 {
		p.bias = s.biases(b, r)
	}
	for _, i := range s.level {
		p.level.rater = append(p.level.rater, s.duels.by(i))
	}
	if order != nil {
		p.r = both(r, order)
	}
	if p.trended() {
		p.setTrend(rows(s.hd, h.Kernel.features(), order))
	}
	if m.kin() {
		by := make([]int, s.n)
		for i := range by {
			by[i] = s.duels.by(i)
		}
		p.setJoint(rows(by, 1, order))
	}
	return p
}
