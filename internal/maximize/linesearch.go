package maximize

import "math"

// lineSearch looks for a step t along a descent direction that satisfies the strong Wolfe conditions
//
//	φ(t) ≤ φ(0) + armijo·t·φ′(0)   and   |φ′(t)| ≤ wolfe·|φ′(0)|
//
// by the method of Moré and Thuente (More1994): an interval known to hold such a step shrinks around it; trial steps minimise cubic and quadratic interpolants
// of the values and slopes at its ends. It only proposes steps; evaluating φ is the caller's.
type lineSearch struct {
	f0, g0    float64 // φ(0), φ′(0) < 0
	lowest    float64 // lowest φ seen before this search, ≤ f0 but for rounding
	t         float64 // the trial step being evaluated
	max       float64 // longest step allowed
	best      end     // end of the interval with the lowest value
	other     end     // the other end, meaningful once bracketed
	bracketed bool
	stage1    bool       // no step with sufficient decrease and φ′ ≥ 0 seen yet
	width     [2]float64 // interval widths after the last two trials, newest first
	settled   bool       // the search ended at best, not at its last trial
}

// An end is a step with the value and the slope there.
type end struct{ t, f, g float64 }

// Constants of the search. armijo and wolfe are loose, because the unit step of a quasi-Newton model is mostly good
// and an evaluation costs more than a step: Byrd1995, §6, asks for 1e-4 and 0.9, the authors' code for 1e-3 and 0.9.
const (
	armijo = 1e-3
	wolfe  = 0.9

	// intervalTol ends the search when the interval is this narrow, relative to its upper end: with the loose wolfe no better step is worth another evaluation.
	intervalTol = 0.1

	// Values closer than this, relative to their size, are taken for equal: 64 units in the last place, what a sum of a few dozen terms may lose. Where the
	// decrease asked for is smaller than that, the slope decides alone, wolfe·φ′(0) ≤ φ′(t) ≤ (2·armijo−1)·φ′(0): on a parabola the right inequality is the
	// first condition above (the approximate Wolfe conditions of Hager and Zhang 2005, SIAM J. Optim. 16, 170–192). It lets a search reach gradients of 1e-10
	// where the values alone stop it, after many evaluations, at 1e-7.
	rounding = 0x1p-46

	halfUlp = 0x1p-53

	// An interval that has not shrunk by this factor in two trials is bisected (More1994, §4).
	shrink = 0.66

	// While nothing is bracketed the next trial is at least 1.1 and at most 4 times the last advance beyond it.
	extendMin, extendMax = 1.1, 4

	// A trial that is not finite is retracted to this part of the way from the best step.
	retract = 0.25
)

// outcome is what a trial leads to.
type outcome int

const (
	again    outcome = iota // evaluate at the new ls.t
	accepted                // ls.t is good, or as good as floating point allows
	failed                  // no step goes down
)

// start begins a search with value f0 and slope g0 < 0 at 0, first trial t and longest step max. No step of an earlier search went below lowest.
func (ls *lineSearch) start(f0, g0, lowest, t, max float64) {
	*ls = lineSearch{f0: f0, g0: g0, lowest: lowest, t: t, max: max, best: end{0, f0, g0}, stage1: true}
	ls.width = [2]float64{math.Inf(1), math.Inf(1)}
}

// next takes φ(t) and φ′(t) at the trial step and decides.
func (ls *lineSearch) next(f, g float64) outcome {
	trial := end{ls.t, f, g}
	target := ls.f0 + armijo*ls.t*ls.g0
	if f <= target && math.Abs(g) <= -wolfe*ls.g0 {
		return accepted
	}
	if hidden := -armijo*ls.t*ls.g0 <= rounding*math.Abs(ls.f0); hidden && sameValue(f, ls.lowest) && g >= wolfe*ls.g0 && g <= (2*armijo-1)*ls.g0 {
		return accepted
	}
	if ls.t == ls.max && f <= target && g <= armijo*ls.g0 {
		return accepted // still falling at the longest step allowed
	}
	if ls.stage1 && f <= target && g >= 0 {
		ls.stage1 = false
	}

	// Until a step with sufficient decrease is known, work on ψ(t) = φ(t) − armijo·t·φ′(0), whose minimisers satisfy the first condition (More1994, §2). ψ is
	// used only if the trial improves on the best value without satisfying it.
	if ls.stage1 && f <= ls.best.f && f > target {
		tilt := armijo * ls.g0
		ls.best, ls.other, trial = ls.best.tilted(-tilt), ls.other.tilted(-tilt), trial.tilted(-tilt)
		ls.advance(trial)
		ls.best, ls.other = ls.best.tilted(tilt), ls.other.tilted(tilt)
	} else {
		ls.advance(trial)
	}

	if !ls.bracketed {
		return again
	}
	w := math.Abs(ls.other.t - ls.best.t)
	if w >= shrink*ls.width[1] {
		ls.t = ls.best.t + (ls.other.t-ls.best.t)/2
	}
	ls.width = [2]float64{w, ls.width[0]}
	narrow := w <= intervalTol*max(ls.best.t, ls.other.t) && ls.best.t > 0
	invisible := -ls.g0*max(ls.best.t, ls.other.t) <= halfUlp*math.Abs(ls.f0) // no step left changes φ in floating point
	if narrow || invisible || ls.t == ls.best.t || ls.t == ls.other.t {
		return ls.settle()
	}
	return again
}

// settle ends the search at the best step seen.
func (ls *lineSearch) settle() outcome {
	ls.t = ls.best.t
	ls.settled = true
	if ls.best.t > 0 && ls.best.f < ls.f0 {
		return accepted
	}
	return failed
}

// wall takes note that φ is not finite at the trial step. The search goes on short of it and will not come back: the
// new trial is also the longest step allowed.
func (ls *lineSearch) wall() outcome {
	t := ls.best.t + retract*(ls.t-ls.best.t)
	if t == ls.best.t || t == ls.t {
		return ls.settle()
	}
	ls.t = t
	if ls.bracketed && ls.other.t < ls.best.t {
		// The interval lies before the best step: a hole in the middle of it. Keep the interval.
		return again
	}
	ls.bracketed = false
	ls.max = t
	return again
}

// sameValue reports whether rounding may be all that sets a apart from b.
func sameValue(a, b float64) bool { return math.Abs(a-b) <= rounding*math.Abs(b) }

// tilted returns the end with c·t added to the value and c to the slope.
func (e end) tilted(c float64) end { return end{e.t, e.f + c*e.t, e.g + c} }

// advance updates the interval with the trial and sets the next one: the four cases of More1994, §4.
func (ls *lineSearch) advance(trial end) {
	best := ls.best
	dir := trial.t - best.t // > 0 unless bracketed
	var t float64
	switch {
	case trial.f > best.f:
		// Case 1: higher. A minimum lies between. Cubic step, or halfway to the quadratic one if that is the farther.
		ls.bracketed = true
		cubic := best.t + cubicRatio(best, trial)*dir
		quadratic := best.t + best.g/((best.f-trial.f)/dir+best.g)/2*dir
		t = cubic
		if math.Abs(cubic-best.t) >= math.Abs(quadratic-best.t) {
			t = cubic + (quadratic-cubic)/2
		}
	case trial.g*best.g < 0:
		// Case 2: lower, and the slope changed sign. A minimum lies between. Of cubic and secant step the one farther from the trial.
		ls.bracketed = true
		cubic := trial.t - cubicRatio(trial, best)*dir
		secant := trial.t - trial.g/(trial.g-best.g)*dir
		t = cubic
		if math.Abs(secant-trial.t) > math.Abs(cubic-trial.t) {
			t = secant
		}
	case math.Abs(trial.g) < math.Abs(best.g):
		// Case 3: lower, and flatter: the minimum is ahead. The cubic may have none ahead; then the limit stands for it.
		lower, upper := ls.limits(trial)
		ahead := upper
		if dir < 0 {
			ahead = lower
		}
		cubic := ahead
		if r := cubicRatio(trial, best); r < 0 {
			cubic = trial.t - r*dir
		}
		secant := trial.t - trial.g/(trial.g-best.g)*dir
		closer, farther := cubic, secant
		if math.Abs(cubic-trial.t) >= math.Abs(secant-trial.t) {
			closer, farther = secant, cubic
		}
		if ls.bracketed {
			t = closer
			// Not closer to the other end than this, or the interval would hardly shrink.
			limit := trial.t + shrink*(ls.other.t-trial.t)
			if dir > 0 {
				t = min(t, limit)
			} else {
				t = max(t, limit)
			}
		} else {
			t = clip(farther, lower, upper)
		}
	case ls.bracketed:
		// Case 4: lower, and as steep or steeper, towards a known end.
		t = trial.t + cubicRatio(trial, ls.other)*(ls.other.t-trial.t)
	default:
		// Case 4, nothing ahead known: as far as allowed.
		_, t = ls.limits(trial)
	}

	if trial.f > best.f {
		ls.other = trial
	} else {
		if trial.g*best.g < 0 {
			ls.other = best
		}
		ls.best = trial
	}
	if !finite(t) {
		// An interpolant broke down, as when two values differ by 1e300. Bisect, or extend.
		t = trial.t + extendMax*dir
		if ls.bracketed {
			t = ls.best.t + (ls.other.t-ls.best.t)/2
		}
	}
	ls.t = min(t, ls.max)
	if ls.bracketed {
		ls.t = clip(ls.t, min(ls.best.t, ls.other.t), max(ls.best.t, ls.other.t))
	}
}

// limits returns the range of the next trial: the interval once bracketed, before that a stretch beyond the last trial.
func (ls *lineSearch) limits(trial end) (lower, upper float64) {
	if ls.bracketed {
		return min(ls.best.t, ls.other.t), max(ls.best.t, ls.other.t)
	}
	dir := trial.t - ls.best.t
	return min(trial.t+extendMin*dir, ls.max), min(trial.t+extendMax*dir, ls.max)
}

// cubicRatio returns r such that a.t + r·(b.t − a.t) is the local minimiser of the cubic with the values and slopes of a and b. If the cubic has none, the
// square root is taken as 0, which gives its inflection; r is then no step towards a minimum, and only case 3, which checks the sign, can meet it.
func cubicRatio(a, b end) float64 {
	theta := 3*(a.f-b.f)/(b.t-a.t) + a.g + b.g
	s := max(math.Abs(theta), math.Abs(a.g), math.Abs(b.g)) // scaling avoids overflow of the squares
	gamma := s * math.Sqrt(max(0, (theta/s)*(theta/s)-(a.g/s)*(b.g/s)))
	if b.t < a.t {
		gamma = -gamma
	}
	return (gamma - a.g + theta) / (gamma - a.g + gamma + b.g)
}
