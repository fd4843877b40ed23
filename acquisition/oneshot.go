package acquisition

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// Evaluations of the short searches that decide which starts go on, and how often a better x̂ found
// on the way may restart the finalists.
const (
	sprintEvals = 15
	adoptions   = 3
)

// oneShot maximises the one-shot knowledge gradient (§3.1) over the question and its fantasy points
// together.
//
// What is maximised is log(KG − μ*), not KG. The gain KG − μ* falls from a tenth to a thousandth of the
// spread of f within a study while KG itself stays near μ*, so a relative tolerance on KG stops at a
// tenth of what there is to gain; the logarithm makes the tolerance relative to the gain and the step
// sizes independent of it. Where the gain is not positive the objective is −∞ and the line search backs off;
// a start there would stay where it is, so starts are given a gain first (knowledge.redeem).
func oneShot(ctx context.Context, t Task) Choice {
	p := t.utility()
	d := p.Dim()
	peaks := Recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	kg := t.knowledge()
	kg.over(peaks[0])
	c := newCandidates(t, peaks, challengers(ctx, t, peaks[0].X))
	rank := kg.ranking(c, p)
	ranks := rank.pairs()
	pairs := c.starts(p, ranks, t.Search.Starts)

	q := kg.points()
	lo, hi := make([]float64, 0, q*d), make([]float64, 0, q*d)
	lo, hi = append(append(lo, t.Lower...), t.Lower...), append(append(hi, t.Upper...), t.Upper...)
	for range q - 2 {
		lo, hi = append(lo, make([]float64, d)...), append(hi, ones(d)...)
	}
	starts := make([]float64, len(pairs)*q*d)
	for i, pr := range pairs {
		x := starts[i*q*d : (i+1)*q*d]
		rank.start(x, pr)
		kg.redeem(x, peaks[0].X)
	}
	climb := func(starts []float64, s maximize.Settings) []maximize.Result {
		newObjective := func() maximize.Objective { return logObjective(kg.evaluator()) }
		ms := maximize.MultiStart{Workers: t.Search.Workers, Settings: s}
		_, all, _ := ms.From(ctx, newObjective, lo, hi, starts) // an ended context shows in ctx.Err below
		slices.SortStableFunc(all, byValue)
		return all
	}
	all := climb(starts, maximize.Settings{MaxEvals: sprintEvals, GradTol: 1e-5, ValueTol: 1e-4})
	for range adoptions {
		finalists := make([]float64, 0, t.Search.Finalists*q*d)
		for _, r := range all[:min(len(all), t.Search.Finalists)] {
			finalists = append(finalists, r.X...)
		}
		rest := all[min(len(all), t.Search.Finalists):]
		all = append(climb(finalists, maximize.Settings{MaxEvals: t.Search.Evals, GradTol: 1e-4, ValueTol: 1e-6}), rest...)
		peak, found := betterPeak(ctx, p, all[0].X[2*d:], peaks[0])
		if !found {
			break
		}
		peaks = slices.Insert(peaks, 0, peak)
		kg.over(peak)
		for _, r := range all { // what gained something over the old x̂ need not over the new one
			kg.redeem(r.X, peak.X)
		}
	}
	x := choose(t, all, d)
	if !t.accepts(x[:d], x[d:2*d]) {
		if pr, pair := c.acceptable(t, ranks); pair != nil {
			x = make([]float64, q*d)
			rank.start(x, pr)
			copy(x, pair)
			kg.redeem(x, peaks[0].X)
		}
	}
	if t.Search.Nested {
		x = polish(ctx, t, kg, x)
	}
	fantasy := make([][]float64, q-2)
	for o := range fantasy {
		fantasy[o] = clone(x[(2+o)*d : (3+o)*d])
	}
	return Choice{
		A: clone(x[:d]), B: clone(x[d : 2*d]), Fantasy: fantasy, Others: t.hills(x, all),
		Value: kg.evaluator().At(x, nil),
		Best:  peaks[0].X, Mean: peaks[0].Mean, Partial: ctx.Err() != nil,
	}
}

// redeem gives the one-shot point x a gain over best, x̂, if it has none. Question (x₁, x₂) as it is, the gain is a
// sum over outcomes, and fantasy points at x̂ contribute 0 (the w of quadratic add up to 0). So each fantasy
// point whose part is not positive retreats half-way to x̂ until it is. A short enough move along the step of the
// quadratic model gains, for it is a direction of ascent; a long one overshoots where the mean falls more steeply
// than its curvature at x̂ tells. A point that gains nowhere on the way ends at x̂, so the gain is never negative.
func (k knowledge) redeem(x, best []float64) {
	e, d := k.evaluator(), len(best)
	if e.At(x, nil) > 0 {
		return
	}
	for at := 2 * d; at < len(x); at += d {
		trial := clone(x[:2*d])
		for range k.points() - 2 {
			trial = append(trial, best...)
		}
		part := trial[at : at+d]
		copy(part, x[at:at+d])
		for n := 0; !(e.At(trial, nil) > 0); n++ {
			if n == bisections {
				copy(part, best)
				break
			}
			for j := range part {
				part[j] = along(best[j], part[j], 0.5)
			}
		}
		copy(x[at:at+d], part)
	}
}

// polish climbs the nested form from a one-shot point and returns the better of the two.
func polish(ctx context.Context, t Task, kg knowledge, x []float64) []float64 {
	d := len(t.Lower)
	n := newNested(kg.evaluator(), d, kg.points(), x[2*d:])
	lo, hi := append(clone(t.Lower), t.Lower...), append(clone(t.Upper), t.Upper...)
	f := func(q, grad []float64) float64 { return logGain(n.At(q, grad), grad) }
	r := maximize.NewLocal(2*d, maximize.Settings{MaxEvals: 50, GradTol: 1e-5, ValueTol: 1e-8}).Maximize(ctx, f, lo, hi, x[:2*d])
	q := clone(r.X)
	best := n.At(q, nil) // also puts the fantasy points where they belong
	if y := append(q, n.Fantasy()...); best > kg.evaluator().At(x, nil) && t.accepts(y[:d], y[d:2*d]) {
		return y
	}
	return x
}

// logGain returns log g and turns the gradient of g into that of log g; −∞ where there is no gain.
func logGain(g float64, grad []float64) float64 {
	if !(g > 0) {
		return math.Inf(-1)
	}
	for i := range grad {
		grad[i] /= g
	}
	return math.Log(g)
}

// logObjective is the logarithm of a gain and its gradient.
func logObjective(e *Evaluator) maximize.Objective {
	return func(x, grad []float64) float64 { return logGain(e.At(x, grad), grad) }
}

// betterPeak climbs the mean from fantasy points that beat the best peak known and returns where it
// ends, if that is higher by more than rounding.
func betterPeak(ctx context.Context, p Utility, fantasy []float64, best Peak) (Peak, bool) {
	d := p.Dim()
	m := gp.NewMoments(1)
	slack := 1e-9 * math.Max(1, math.Abs(best.Mean))
	found := false
	for i := 0; i < len(fantasy); i += d {
		if p.MeanGradient(m, fantasy[i:i+d], nil) <= best.Mean+slack {
			continue
		}
		if up := Recommend(ctx, p, nil, fantasy[i:i+d], 0, 1)[0]; up.Mean > best.Mean+slack {
			best, found = up, true
		}
	}
	return best, found
}

// choose returns the best result whose pair is acceptable, or the best one.
func choose(t Task, all []maximize.Result, d int) []float64 {
	for _, r := range all {
		if t.accepts(r.X[:d], r.X[d:2*d]) {
			return r.X
		}
	}
	return all[0].X
}

// acceptable returns the first of the ranked pairs that may be asked, and its question, in the box; a nil one if there is
// none. All climbs may have ended in one place that may not: what somebody else is looking at, or was skipped.
func (c *candidates) acceptable(t Task, ranks []ranked) (ranked, []float64) {
	for _, pr := range ranks {
		x := slices.Concat(c.row(pr.i), c.row(pr.j))
		for j := range x {
			x[j] = min(max(x[j], t.Lower[j%c.d]), t.Upper[j%c.d]) // x̂ may lie outside
		}
		if !slices.Equal(x[:c.d], x[c.d:]) && t.accepts(x[:c.d], x[c.d:]) {
			return pr, x
		}
	}
	return ranked{}, nil
}
