package maximize

import (
	"fmt"
	"math"
	"slices"
)

// A Result is the outcome of a local search.
type Result struct {
	X     []float64 // best point seen, in the box
	Value float64   // f(X)
	Grad  []float64 // ∇f(X); nil in a MultiStart result whose point was only evaluated, never climbed from

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

func finite(v float64) bool { return v-v == 0 }

func allFinite(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return !finite(x) })
}

// checkBox panics unless lo ≤ hi in every one of n coordinates. Infinite bounds are allowed.
func checkBox(n int, lo, hi []float64) {
	if len(lo) != n || len(hi) != n {
		panic(fmt.Sprintf("maximize: len(lo) = %d, len(hi) = %d, want %d", len(lo), len(hi), n))
	}
	for i := range lo {
		if !(lo[i] <= hi[i]) || math.IsInf(lo[i], 1) || math.IsInf(hi[i], -1) {
			panic(fmt.Sprintf("maximize: bounds [%v, %v] of variable %d", lo[i], hi[i], i))
		}
	}
}

// clipTo writes the point of the box nearest to x into dst. It panics if a coordinate of x is NaN or, without a bound to clip it to, infinite.
func clipTo(dst, x, lo, hi []float64) {
	if len(x) != len(lo) {
		panic(fmt.Sprintf("maximize: start has %d variables, want %d", len(x), len(lo)))
	}
	for i, v := range x {
		dst[i] = clip(v, lo[i], hi[i])
		if !finite(dst[i]) {
			panic(fmt.Sprintf("maximize: start[%d] = %v", i, v))
		}
	}
}

func clip(v, lo, hi float64) float64 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

// projectedGradient returns max |clip(xᵢ − gᵢ) − xᵢ|, g the gradient of the function being minimised. It vanishes
// exactly at the points that satisfy the first-order conditions of the box (Byrd1995, Eq. 6.1).
func projectedGradient(x, g, lo, hi []float64) float64 {
	var size float64
	for i, gi := range g {
		// The difference is taken in this form, and not as clip(x−g) − x, so that a small g survives beside a large x.
		step := clip(-gi, lo[i]-x[i], hi[i]-x[i])
		size = max(size, math.Abs(step))
	}
	return size
}

// longestStep returns the largest t with x + t·d in the box, or +Inf.
func longestStep(x, d, lo, hi []float64) float64 {
	t := math.Inf(1)
	for i, di := range d {
		switch {
		case di > 0:
			t = min(t, (hi[i]-x[i])/di)
		case di < 0:
			t = min(t, (lo[i]-x[i])/di)
		}
	}
	return t
}
