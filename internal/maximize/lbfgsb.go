package maximize

import (
	"context"
	"fmt"
	"math"

	"github.com/prefer-bo/prefer/internal/cooperate"
)

// An Objective returns the value at x and, when grad is not nil, writes the gradient into it. It must be a function of x alone, and keep neither x nor grad.
// Values that are NaN or infinite are allowed: they mark points the search stays away from.
type Objective func(x, grad []float64) float64

// A Local is a reusable workspace for local searches in n variables: after NewLocal nothing is allocated. It is not safe for concurrent use.
type Local struct {
	n   int
	set Settings
	h   *history
	cp  *cauchy
	sub *subspace
	ls  lineSearch

	x, g   []float64 // iterate and gradient of φ = −f there
	xt, gt []float64 // the same at the trial point
	d      []float64 // search direction
	s, y   []float64 // the newest pair
	f, ft  float64   // φ at x and at xt

	bestX, bestG []float64 // best point seen and ∇f there
	best         float64   // f there
	evals, iters int
}

// NewLocal returns a workspace for n variables. It panics if n < 1 or the settings make no sense.
func NewLocal(n int, s Settings) *Local {
	if n < 1 {
		panic(fmt.Sprintf("maximize: %d variables", n))
	}
	s = s.withDefaults()
	l := &Local{n: n, set: s, h: newHistory(n, s.Memory)}
	l.cp = newCauchy(l.h)
	l.sub = newSubspace(l.h)
	for _, v := range [...]*[]float64{&l.x, &l.g, &l.xt, &l.gt, &l.d, &l.s, &l.y, &l.bestX, &l.bestG} {
		*v = make([]float64, n)
	}
	return l
}

// Maximize climbs from x0 to a local maximum of f in the box lo ≤ x ≤ hi. A start outside the box is first moved to the nearest point of it; bounds may be
// infinite, and equal bounds fix a variable. f is called at points of the box only.
//
// X and Grad of the result belong to the workspace and are overwritten by the next call; Clone them to keep them. The result is the best point seen, also when
// ctx ends the search. ctx is looked at before every evaluation but the first.
//
// It panics if a length is not n, lo > hi anywhere, or a bound or start coordinate is NaN.
func (l *Local) Maximize(ctx context.Context, f Objective, lo, hi, x0 []float64) Result {
	checkBox(l.n, lo, hi)
	clipTo(l.xt, x0, lo, hi)
	l.h.reset()
	l.evals, l.iters = 0, 0
	l.best = math.NaN()

	ok := l.evaluate(f)
	l.x, l.xt = l.xt, l.x
	l.g, l.gt = l.gt, l.g
	l.f = l.ft
	if !ok {
		return l.result(NotFinite)
	}
	return l.result(l.climb(ctx, f, lo, hi))
}

// climb is the main loop (Byrd1995, §3).
func (l *Local) climb(ctx context.Context, f Objective, lo, hi []float64) Status {
	small := false // the last step gained no more than ValueTol
	for {
		if projectedGradient(l.x, l.g, lo, hi) <= l.set.GradTol {
			return Converged
		}
		if l.iters >= l.set.MaxIters {
			return IterLimit
		}
		usedModel := l.h.k > 0
		out, stop := failed, Status(0)
		if slope := l.direction(lo, hi); slope < 0 {
			if small && usedModel && -slope/2 <= l.negligible(l.f) {
				return Stalled
			}
			out, stop = l.search(ctx, f, lo, hi)
		}
		if stop != 0 {
			return stop
		}
		if out == failed {
			if !usedModel {
				return LineSearchFailed
			}
			l.h.reset() // the model is bad; the gradient alone may do
			continue
		}

		l.iters++
		for i := range l.s {
			l.s[i] = l.xt[i] - l.x[i]
			l.y[i] = l.gt[i] - l.g[i]
		}
		small = l.f-l.ft <= l.negligible(max(math.Abs(l.f), math.Abs(l.ft)))
		l.x, l.xt = l.xt, l.x
		l.g, l.gt = l.gt, l.g
		l.f = l.ft
		l.h.update(l.s, l.y)
	}
}

// negligible returns the gain that ends the search at values about f.
func (l *Local) negligible(f float64) float64 { return l.set.ValueTol * max(math.Abs(f), 1) }

// direction sets d from x to the minimiser of the model in the box and returns gᵀd, twice the drop the model promises
// with its sign turned if no bound is in the way. It returns NaN if the model fails numerically.
func (l *Local) direction(lo, hi []float64) float64 {
	if l.h.k == 0 {
		l.h.theta = l.firstCurvature(lo, hi)
	}
	l.cp.find(l.x, l.g, lo, hi)
	if !l.sub.find(l.x, l.g, lo, hi, l.cp) {
		return math.NaN()
	}
	for i := range l.d {
		l.d[i] = l.sub.point[i] - l.x[i]
	}
	return dot(l.g, l.d)
}

// firstCurvature returns the θ of the model θI that stands in while there are no pairs. A gradient says nothing about
// distance, so θ is chosen such that x − g/θ is FirstStep of the box away in the coordinate that moves most or,
// without a box, a unit distance. Unlike the usual θ = 1 this makes the search independent of the scale of f.
func (l *Local) firstCurvature(lo, hi []float64) float64 {
	if l.set.Curvature > 0 {
		return l.set.Curvature
	}
	var widest, size float64
	for i, g := range l.g {
		if g > 0 && l.x[i] > lo[i] || g < 0 && l.x[i] < hi[i] {
			widest = max(widest, math.Abs(g)/(hi[i]-lo[i]))
			size = math.Hypot(size, g)
		}
	}
	if allFinite(lo) && allFinite(hi) {
		return widest / l.set.FirstStep
	}
	return size
}

// searchEvals bounds the evaluations of one line search. Moré and Thuente's takes one or two, and many only where φ is rough or the gradient wrong.
const searchEvals = 20

// search moves along d. On accepted, xt, gt and ft hold the new iterate. stop is the reason to end the whole search, or 0.
func (l *Local) search(ctx context.Context, f Objective, lo, hi []float64) (out outcome, stop Status) {
	longest := max(1, longestStep(l.x, l.d, lo, hi)) // x + d is in the box; rounding may deny it
	l.ls.start(l.f, dot(l.g, l.d), -l.best, 1, longest)
	for range searchEvals {
		if l.evals >= l.set.MaxEvals {
			return failed, EvalLimit
		}
		cooperate.YieldIfDue()
		if ctx.Err() != nil {
			return failed, Cancelled
		}
		l.moveTo(l.ls.t, lo, hi)
		if l.evaluate(f) {
			out = l.ls.next(l.ft, dot(l.gt, l.d))
		} else {
			out = l.ls.wall()
		}
		if out != again {
			break
		}
	}
	if out == again {
		out = l.ls.settle()
	}
	if out == accepted && l.ls.settled {
		// The last trial was not good, an earlier one is the best point seen.
		copy(l.xt, l.bestX)
		for i, v := range l.bestG {
			l.gt[i] = -v
		}
		l.ft = -l.best
	}
	return out, 0
}

// moveTo sets xt = x + t·d. At t = 1 it takes the model's point itself, so that a variable put on its bound is exactly there; clip undoes rounding elsewhere.
func (l *Local) moveTo(t float64, lo, hi []float64) {
	if t == 1 {
		copy(l.xt, l.sub.point)
		return
	}
	for i, d := range l.d {
		l.xt[i] = clip(l.x[i]+t*d, lo[i], hi[i])
	}
}

// evaluate calls f at xt, sets ft and gt and keeps the point if it is the best so far; of equal ones the last, since where rounding hides the rise the gradient
// still falls. It returns false if the value or the gradient is not finite; such a point is kept only as the very first.
func (l *Local) evaluate(f Objective) bool {
	v := f(l.xt, l.gt)
	l.evals++
	ok := finite(v) && allFinite(l.gt)
	if l.evals == 1 || ok && !better(l.best, v) {
		l.best = v
		copy(l.bestX, l.xt)
		copy(l.bestG, l.gt)
	}
	l.ft = -v
	for i, g := range l.gt {
		l.gt[i] = -g
	}
	return ok
}

func (l *Local) result(s Status) Result {
	if s == Converged && sameValue(l.f, -l.best) {
		// Among values that rounding cannot tell apart, the stationary point is the best.
		l.best = -l.f
		copy(l.bestX, l.x)
		for i, g := range l.g {
			l.bestG[i] = -g
		}
	}
	return Result{X: l.bestX, Value: l.best, Grad: l.bestG, Evals: l.evals, Iters: l.iters, Status: s}
}
