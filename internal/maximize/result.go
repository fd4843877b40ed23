package maximize

import (
	"math"
	"slices"
)

// A Result is the outcome of a local search.
type Result struct {
	X     []float64 // best point seen, in the box
	Value float64   // f(X)
	Grad  []float64 // ∇f(X); nil in a MultiStart result whose point was only evaluated, never climbed from

	// ProjGrad is the size of the projected gradient at X, see Settings.GradTol: 0 at a stationary point of the box, NaN when Grad is nil or not finite.
	ProjGrad float64

	Evals  int // evaluations of the objective
	Iters  int // steps taken
	Status Status
}

// Clone returns a copy of r that shares no memory with it.
func (r Result) Clone() Result {
	r.X = slices.Clone(r.X)
	r.Grad = slices.Clone(r.Grad)
	return r
}

// better reports whether value a is better than b: finite before −Inf before NaN and +Inf. A pole to +Inf counts as
// broken as a NaN: an objective that overflows must not win over one that works.
func better(a, b float64) bool {
	if ra, rb := rank(a), rank(b); ra != rb {
		return ra > rb
	}
	return a > b
}

func rank(v float64) int {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 1):
		return 0
	case math.IsInf(v, -1):
		return 1
	default:
		return 2
	}
}

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return v-v == 0 }

// allFinite reports whether every entry of v is finite.
func allFinite(v []float64) bool {
	for _, x := range v {
		if !finite(x) {
			return false
		}
	}
	return true
}
