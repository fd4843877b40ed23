package gp

import (
	"fmt"
	"math"
)

// Where hyper-parameters that fit the answers nearly as well as the likeliest are looked for, measured on studies of two to seven dimensions and 10 to 104
// duels (TestDrawsAgainstLongChain): marginal standard deviations of log hyper-parameters are 0.35 … 0.85 whatever the data, and their means 0.1 … 0.4
// above the maximum a posteriori.
const (
	drawCentre = 0.2 // above the maximum a posteriori in every log hyper-parameter …
	drawScale  = 0.8 // … and the spread around that

	// drawTol is how far sites may be from their fixed point. The evidence then errs by 1e-4 to 1e-3, at worst by 1e-2, and costs two thirds.
	drawTol = 1e-2
)

// hyperDensity is the density of θ, the logs of lengthscales, outputscale, trend, gaps between cuts and noise of raters, within the bounds of Fit, given the
// duels:
//
//	log p(θ) = log evidence + Σ_i [log prior(e^θ_i) + θ_i],
//
// θ_i being the Jacobian of the log transform, which Fit leaves out; a flat prior is flat in θ and has none. Sites start from the evaluation before.
type hyperDensity struct {
	model Model // with defaults
	duels *Duels
	ev    evaluator
	free  []variable
	lo    []float64
	hi    []float64

	raters []float64 // noise of raters where it is no part of θ; nil
	evals  int       // evidences since the last posterior
}

// at returns log p(θ), −∞ outside the bounds and where the inference breaks down.
func (w *hyperDensity) at(theta []float64) float64 {
	for i, t := range theta {
		if !(t >= w.lo[i] && t <= w.hi[i]) {
			return math.Inf(-1)
		}
	}
	h := w.hyper(theta)
	z, _ := w.ev.evaluate(h, drawTol, nil)
	w.evals++
	if math.IsNaN(z) {
		return math.Inf(-1)
	}
	return z + w.model.logPrior(h, nil) + w.jacobian(theta)
}

// hyper returns the hyper-parameters at θ.
func (w *hyperDensity) hyper(theta []float64) Hyper {
	h := w.model.fromTheta(theta, w.duels.Dim)
	if w.raters != nil {
		h.Raters = w.raters
	}
	return h
}

// jacobian returns Σ θ_i over the hyper-parameters whose prior is a density of e^θ_i.
func (w *hyperDensity) jacobian(theta []float64) float64 {
	var sum float64
	for i, v := range w.free {
		if v.prior.Family != FlatFamily {
			sum += theta[i]
		}
	}
	return sum
}

// posterior returns the posterior of the utility at θ, with its sites settled as in a fit.
func (w *hyperDensity) posterior(theta []float64) (*Posterior, error) {
	n := w.duels.Len()
	h := w.hyper(theta)
	z, ok := w.ev.evaluate(h, w.model.finalTol(n), nil)
	if math.IsNaN(z) || math.IsInf(z, 0) {
		return nil, fmt.Errorf("gp: %v inference broke down on %d duels (evidence %g at lengthscales %.3g, outputscale %.3g)",
			w.model.Inference, n, z, h.Kernel.Lengthscale, h.Kernel.Outputscale)
	}
	p := w.ev.posterior(h)
	if !ok {
		p.warnings = append(p.warnings, fmt.Errorf("gp: %v inference not settled on %d duels", w.model.Inference, n))
	}
	p.evidence, p.logPrior, p.evals = z, w.model.logPrior(h, nil), w.evals+1
	w.evals = 0
	return p, nil
}
