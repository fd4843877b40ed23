package maximize

import (
	"cmp"
	"fmt"
	"math"
)

// Settings tune a local search. The zero value works.
type Settings struct {
	// Memory is the number of past steps the quadratic model is built from. Defaults to 10; between 3 and 20 is sensible.
	Memory int

	// MaxEvals bounds the evaluations of the objective, the one at the start included. Defaults to 500: smooth
	// functions of 24 variables take about 20, curved valleys a hundred or two.
	MaxEvals int

	// MaxIters bounds the steps, each of which costs one line search, mostly one evaluation. Defaults to 200.
	MaxIters int

	// GradTol ends the search as Converged when the projected gradient, max over i of |clip(xᵢ + ∂f/∂xᵢ) − xᵢ| with
	// clip to the box, is at most this. Defaults to 1e-6. Negative: this test is off.
	GradTol float64

	// ValueTol ends the search as Stalled when a step raised f by at most ValueTol·max(|f|, 1) and the model promises no more from the next. (The first half
	// alone, as commonly used, stops in curved valleys and after a short first step.) Defaults to 1e-9. Negative: this test is off.
	ValueTol float64

	// FirstStep is how far the first step aims, as a part of the box's width, in the coordinate that moves most; later steps have the model to go by. Defaults
	// to 0.2: longer ones leave the basin of the start more often, shorter ones take more evaluations. If any bound is infinite there is no width, and the
	// first step aims at a unit distance.
	FirstStep float64

	// Curvature, if positive, is the size of −∂²f the model starts from, for callers who know it: the first step is then ∇f/Curvature and FirstStep is not
	// used. A search that starts near the maximum saves the evaluations in which it would learn this.
	Curvature float64
}

// withDefaults returns s with every zero replaced by its default. It panics on settings that make no sense.
func (s Settings) withDefaults() Settings {
	if s.Memory < 0 || s.MaxEvals < 0 || s.MaxIters < 0 || math.IsNaN(s.GradTol) || math.IsNaN(s.ValueTol) || !(s.FirstStep >= 0) || !(s.Curvature >= 0) {
		panic(fmt.Sprintf("maximize: bad settings %+v", s))
	}
	s.Memory, s.MaxEvals, s.MaxIters = cmp.Or(s.Memory, 10), cmp.Or(s.MaxEvals, 500), cmp.Or(s.MaxIters, 200)
	s.GradTol, s.ValueTol, s.FirstStep = cmp.Or(s.GradTol, 1e-6), cmp.Or(s.ValueTol, 1e-9), cmp.Or(s.FirstStep, 0.2)
	return s
}

// A Status says why a search ended. Whatever it is, the result holds the best point seen.
type Status int

const (
	// Converged: the projected gradient is within Settings.GradTol of zero.
	Converged Status = iota + 1
	// Stalled: neither the last step nor the model's next one gains what Settings.ValueTol asks for. As good an end
	// as Converged, and the usual one where f is flat at its maximum.
	Stalled
	// EvalLimit: Settings.MaxEvals evaluations are used up.
	EvalLimit
	// IterLimit: Settings.MaxIters steps are done.
	IterLimit
	// LineSearchFailed: no uphill step could be found even along the gradient. The gradient is wrong, the function is
	// not smooth here, or the value cannot rise further in floating point.
	LineSearchFailed
	// NotFinite: the value or a gradient entry at the start is NaN or infinite, so there is nothing to climb.
	NotFinite
	// Cancelled: the context ended the search.
	Cancelled
)

var statusNames = [...]string{
	Converged:        "converged",
	Stalled:          "stalled",
	EvalLimit:        "evaluation limit",
	IterLimit:        "iteration limit",
	LineSearchFailed: "line search failed",
	NotFinite:        "not finite",
	Cancelled:        "cancelled",
}

func (s Status) String() string {
	if s < Converged || int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return statusNames[s]
}
