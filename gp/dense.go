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
	m       []float64 // n×n adjoint
	dlo     []float64
	dhi     []float64
	dlog    []float64 // D, derivatives in the log lengthscale of each coordinate
}

func newDense(m Model, duels *Duels, from *Posterior) *dense {
	n := duels.Len()
	s := newDuelSpace(duels, m.Level)
	e := &dense{model: m, duels: duels, space: s, algebra: newSiteAlgebra(s.kd, n), engine: newEngine(m.Inference, n),
		iv: make([]Interval, n), sigma: make([]float64, n), m: make([]float64, n*n), dlo: make([]float64, n), dhi: make([]float64, n),
		dlog: make([]float64, duels.Dim)}
	e.fresh = from.seed(e.algebra.sites)
	return e
}

func (e *dense) evaluate(h Hyper, tol float64, grad []float64) (float64, bool) {
	e.set(h)
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
	e.engine.adjoint(e.algebra, e.m)
	at := e.model.scales(e.duels.Dim)
	grad[at] = linalg.Dot(e.m, e.space.kd) // ∂K_d/∂log s = K_d, but for trend and position bias
	var position, kinship float64
	if e.model.positioned() {
		position = e.space.positionGradient(e.m)
		grad[at] -= position // which does not scale with s
	}
	if e.model.kin() {
		kinship = e.space.kinshipGradient(e.m)
		e.space.pattern(e.m) // for derivatives of K_d without it
	}
	clear(e.dlog)
	e.space.gradient(e.dlog, e.m)
	e.model.gather(grad[:at], e.dlog)
	at++
	scale, trend := &grad[at-1], (*float64)(nil)
	if e.model.trended() {
		trend = &grad[at]
		*trend = e.space.trendGradient(e.m)
		*scale -= *trend
		at++
	}
	if e.model.kin() {
		grad[at] = kinship
		at++
	}
	if e.model.positioned() {
		grad[at] = 2 * position
		at++
	}
	free := e.model.Answers.free()
	if free > 0 || e.space.level != nil {
		e.engine.ends(e.algebra, e.iv, e.sigma, e.dlo, e.dhi)
	}
	if e.space.level != nil {
		e.model.levelGradient(scale, trend, e.duels, h.Kernel, e.dlo, e.dhi)
	}
	if free > 0 {
		gaps := e.model.Answers.gaps(h.Cuts)
		g := grad[at : at+free]
		for i, o := range e.duels.Outcome {
			if !e.duels.against(i) {
				e.model.Answers.cutGradient(g, o, e.dlo[i], e.dhi[i], e.model.Noise)
			}
		}
		for i := range g {
			g[i] *= gaps[i]
		}
		at += free
	}
	if len(h.Raters) > 0 {
		e.engine.spread(e.algebra, e.iv, e.sigma, e.dlo)
		e.duels.gatherRaters(grad[at:], e.dlo)
	}
	return z, ok
}

// set computes K_d at hyper-parameters h.
func (e *dense) set(h Hyper) {
	e.space.kinship, e.space.position = h.Kinship, e.model.positionVariance(h)
	e.space.set(h.Kernel)
}

func (e *dense) settle(h Hyper) bool {
	e.set(h)
	return e.algebra.update()
}

func (e *dense) posterior(h Hyper) *Posterior {
	d, order := e.duels.Dim, e.space.order()
	p := newPosterior(e.model, h, rows(e.duels.A, d, order), rows(e.duels.B, d, order)[len(e.space.level)*d:])
	copy(p.b, rows(e.algebra.b, 1, order))
	e.algebra.precision(p.r)
	if e.space.position > 0 {
		p.bias = e.space.biases(e.algebra.b, p.r)
	}
	for _, i := range e.space.level {
		p.level.rater = append(p.level.rater, e.duels.by(i))
	}
	if order != nil {
		p.r = both(p.r, order)
	}
	if p.trended() {
		p.setTrend(rows(e.space.hd, h.Kernel.features(), order))
	}
	if e.model.kin() {
		by := make([]int, e.space.n)
		for i := range by {
			by[i] = e.duels.by(i)
		}
		p.setJoint(rows(by, 1, order))
	}
	p.sites = e.algebra.sites.clone()
	return p
}
