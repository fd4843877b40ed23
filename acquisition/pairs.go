package acquisition

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// pairStarts is the number of local searches of a pair: its surface is smoother than the one-shot form's and needs fewer.
const pairStarts = 6

// Maximize asks the question for which a formula of its two options alone is highest, on any domain: the search of "eubo", "bald" and the others, for a
// formula of one's own. All pairs of candidates are ranked by screen, a cheaper formula that agrees roughly, the best of them by acq itself, and local
// searches climb from the best distinct ones; on a list one side after the other is exchanged. A nil screen stands for acq. A question has no order, so
// neither should the formula.
func Maximize(ctx context.Context, t Task, acq, screen Acquisition) (Choice, error) {
	if acq == nil {
		return Choice{}, errors.New("acquisition: Maximize has no acquisition to maximise")
	}
	for _, a := range []Acquisition{acq, screen} {
		if a != nil && a.Points() != 2 {
			return Choice{}, fmt.Errorf("acquisition: Maximize: %T has %d points, want 2, the options of a question", a, a.Points())
		}
	}
	t, err := t.prepareAlone()
	if err != nil {
		return Choice{}, err
	}
	at, err := t.space()
	if err != nil {
		return Choice{}, err
	}
	return at.pairs(ctx, t, acq, screen), nil
}

// climbPairs ranks the pairs of candidates and climbs from the best.
func (r *region) climbPairs(ctx context.Context, t Task, c *candidates, acq, screen Acquisition) Choice {
	p := t.Posterior
	m := gp.NewMoments(2)
	value := func(a Acquisition) func(i, j int) float64 {
		return func(i, j int) float64 {
			c.pair(m, i, j)
			return a.Value(m, nil)
		}
	}
	var pairs []ranked
	if screen == nil {
		pairs, _ = c.best(value(acq))
	} else {
		pairs, _ = c.best(value(screen))
		for k, pr := range pairs {
			pairs[k].score = value(acq)(pr.i, pr.j)
		}
		slices.SortFunc(pairs, byScore)
	}
	near := func(a, b int) bool { return closeTo(c.row(a), c.row(b), 0.05) }
	var starts []float64
	for _, pr := range spreadOut(pairs, pairStarts, func(a, b ranked) bool {
		return near(a.i, b.i) && near(a.j, b.j) || near(a.i, b.j) && near(a.j, b.i)
	}) {
		starts = append(append(starts, c.row(pr.i)...), c.row(pr.j)...)
	}
	a := ascent{in: r, limits: r.question(t), pair: true, short: true}
	all := a.from(ctx, func() maximize.Objective { return NewEvaluator(p, acq).At }, starts,
		maximize.Settings{MaxEvals: t.Search.Evals, GradTol: 1e-7, ValueTol: 1e-10}, exchangeRounds, t.Search.Workers)
	x := choose(t, all, r.d)
	if !t.accepts(x[:r.d], x[r.d:2*r.d]) {
		if _, pair := c.acceptable(t, pairs, a.limits); pair != nil {
			x = pair
		}
	}
	choice := t.pair(ctx, x, all, c.peaks[0])
	choice.Value = NewEvaluator(p, acq).At(x[:2*r.d], nil)
	return choice
}
