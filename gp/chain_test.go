package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

const (
	drawFreedom = 5 // degrees of freedom of the t distribution that the ellipses of the chain belong to
	drawBurn    = 8 // updates before the first draw
	drawThin    = 4 // and between two; autocorrelation times are 2 to 7 updates, of 2 to 3 evidences each
)

// Draws returns count posteriors of the utility, each at hyper-parameters drawn from what the duels leave of their prior: together, with equal weights, they
// are what is believed when the hyper-parameters are not known (NewMixture). from is the maximum a posteriori, a posterior of these very duels; nil fits one
// first. The draws are a function of duels, model, from and seed. Average samples the same density without a chain; the tests hold it against this one.
//
// One chain of elliptical slice sampling (Murray
// et al. 2010) walks through it, in the form for any density (Nishihara et al. 2014): p is written as a multivariate t round the maximum a posteriori times a
// remainder, and each update draws an ellipse through θ from the t and takes a point of it at least as likely, by the remainder, as a random part of θ's. An
// update moves all hyper-parameters at once and needs no gradient; an independent draw in six dimensions usually takes 5 to 14 evidences, 20 where a
// lengthscale had two modes; slices along coordinates take about 50, along random lines 40 to
// 130. Sites start from the evaluation before.
//
// When ctx ends early there are no draws, but an error.
func (m Model) Draws(ctx context.Context, duels *Duels, from *Posterior, count int, seed uint64) ([]*Posterior, error) {
	if count < 1 {
		return nil, fmt.Errorf("gp: %d draws, want at least 1", count)
	}
	if from == nil {
		var err error
		if from, err = m.Fit(ctx, duels, nil); err != nil {
			return nil, err
		}
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	m = m.WithDefaults()
	h := from.Hyper()
	if err := m.check(duels, h); err != nil {
		return nil, err
	}
	m, h = m.forSides(duels, h)
	h.Raters = m.startRaters(duels, h.Raters)
	w, err := newWalk(m, duels, h, from, rand.New(rand.NewPCG(seed, 0xd7a35)))
	if err != nil {
		return nil, err
	}
	draws := make([]*Posterior, count)
	for i := range draws {
		steps := drawThin
		if i == 0 {
			steps = drawBurn
		}
		for range steps {
			if err := ctx.Err(); err != nil {
				return nil, context.Cause(ctx)
			}
			w.update()
		}
		if draws[i], err = w.posterior(w.theta); err != nil {
			return nil, err
		}
	}
	return draws, nil
}

// walk is the chain of Draws.
type walk struct {
	hyperDensity
	rng    *rand.Rand
	centre []float64
	theta  []float64
	value  float64 // log p(θ)
	other  []float64
	next   []float64
}

func newWalk(m Model, duels *Duels, h Hyper, from *Posterior, rng *rand.Rand) (*walk, error) {
	ev, err := m.evaluator(duels, h, from)
	if err != nil {
		return nil, err
	}
	w := &walk{hyperDensity: hyperDensity{model: m, duels: duels, ev: ev, free: m.variables(h)}, rng: rng}
	w.lo, w.hi = m.box(h)
	w.theta = m.theta(h)
	w.centre = make([]float64, len(w.theta))
	for i, t := range w.theta {
		w.theta[i] = min(max(t, w.lo[i]), w.hi[i]) // log and exp may leave a bound by a rounding
		w.centre[i] = w.theta[i] + drawCentre
	}
	w.other, w.next = make([]float64, len(w.theta)), make([]float64, len(w.theta))
	if w.value = w.at(w.theta); math.IsInf(w.value, -1) {
		return nil, fmt.Errorf("gp: %v inference broke down on %d duels where the draws of hyper-parameters start", m.Inference, duels.Len())
	}
	return w, nil
}

// size returns ‖θ − centre‖² in units of drawScale.
func (w *walk) size(theta []float64) float64 {
	var s float64
	for i, t := range theta {
		z := (t - w.centre[i]) / drawScale
		s += z * z
	}
	return s
}

// remainder returns log p(θ) − log t(θ), up to a constant, given log p(θ).
func (w *walk) remainder(theta []float64, value float64) float64 {
	return value + float64(drawFreedom+len(theta))/2*math.Log1p(w.size(theta)/drawFreedom)
}

// update moves θ once. The t is a normal with a random variance s²: given θ, s² is (ν + ‖θ‖²)/χ² with ν + dim degrees of freedom, and given s the ellipse
// through θ and a fresh draw of the normal leaves that normal invariant. The bracket on the angle shrinks towards θ itself, which is always acceptable; so
// the loop ends, and should rounding make that no longer so, with θ unmoved.
func (w *walk) update() {
	floor := w.remainder(w.theta, w.value) - w.rng.ExpFloat64()
	chi := 0.0
	for range drawFreedom + len(w.theta) {
		z := w.rng.NormFloat64()
		chi += z * z
	}
	s := drawScale * math.Sqrt((drawFreedom+w.size(w.theta))/chi)
	for i := range w.other {
		w.other[i] = s * w.rng.NormFloat64()
	}
	angle := 2 * math.Pi * w.rng.Float64()
	for lo, hi := angle-2*math.Pi, angle; hi-lo > 1e-9; angle = lo + (hi-lo)*w.rng.Float64() {
		sin, cos := math.Sincos(angle)
		for i, c := range w.centre {
			w.next[i] = c + cos*(w.theta[i]-c) + sin*w.other[i]
		}
		if v := w.at(w.next); w.remainder(w.next, v) > floor {
			w.theta, w.next, w.value = w.next, w.theta, v
			return
		}
		if angle < 0 {
			lo = angle
		} else {
			hi = angle
		}
	}
}
