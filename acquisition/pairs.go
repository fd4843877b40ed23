package acquisition

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/xslices"
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
	p, m, all, n := t.Posterior, gp.NewMoments(2), c.m, c.n
	value := func(a Acquisition) func(i, j int) float64 {
		return func(i, j int) float64 {
			return valueOf(a, m, all.Mean[i], all.Mean[j], all.Cov[i*n+i], all.Cov[j*n+j], all.Cov[i*n+j])
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
	climbs := a.from(ctx, func() maximize.Objective { return NewEvaluator(p, acq).At }, starts,
		maximize.Settings{MaxEvals: t.Search.Evals, GradTol: 1e-7, ValueTol: 1e-10}, exchangeRounds, t.Search.Workers)
	x := choose(t, climbs, r.d)
	if !t.accepts(x[:r.d], x[r.d:2*r.d]) {
		if _, pair := c.acceptable(t, pairs, a.limits); pair != nil {
			x = pair
		}
	}
	choice := t.pair(ctx, x, climbs, c.peaks[0])
	choice.Value = NewEvaluator(p, acq).At(x[:2*r.d], nil)
	return choice
}

// valueOf returns an acquisition of two points with these means, variances and covariance; m is a workspace for two.
func valueOf(a Acquisition, m *gp.Moments, mean0, mean1, var0, var1, cov float64) float64 {
	m.Mean[0], m.Mean[1] = mean0, mean1
	m.Cov[0], m.Cov[1], m.Cov[2], m.Cov[3] = var0, cov, cov, var1
	return a.Value(m, nil)
}

// pairs maximises an acquisition of the two options over the rows: pairs of candidates ranked by the screen, if there is one, and then by the acquisition;
// then exchanges of one side. A list of up to listAll rows needs no exchange: all pairs were ranked.
func (l *list) pairs(ctx context.Context, t Task, acq, screen Acquisition) Choice {
	l.learn(t)
	short := l.shortlist(t, l.challengers(ctx, t))
	x := l.pick(short.rows)
	cov := l.panel(x, x).cov[0]
	n := len(short.rows)
	m := gp.NewMoments(2)
	value := func(a Acquisition, i, j int, c float64) float64 {
		return valueOf(a, m, l.mean[i], l.mean[j], l.vars[0][i], l.vars[0][j], c)
	}
	if screen == nil {
		screen = acq
	}
	top := l.acceptable(t, short, func(i, j int) float64 { return value(screen, short.rows[i], short.rows[j], cov[i*n+j]) }, rankKeep)
	for k, p := range top {
		i, j := short.rows[p.i], short.rows[p.j]
		top[k] = ranked{i, j, value(acq, i, j, cov[p.i*n+p.j])}
	}
	slices.SortFunc(top, byScore)
	best := top[0]
	pool := append(topRows(l.score(1), l.n), l.unseen(t.Seed)...) // the rows that one side is exchanged for: all that may be asked
	slices.Sort(pool)
	pool = slices.Compact(pool)
	for failed, round := 0, 0; !short.all && failed < 2 && round < listRounds && ctx.Err() == nil; round++ {
		held := best.i
		if l.hold < 0 && round%2 == 1 {
			held = best.j
		}
		row := l.panel(l.row(held), l.pick(pool)).cov[0]
		var partners []ranked
		for x, i := range pool {
			if !slices.Equal(l.row(i), l.row(held)) {
				partners = append(partners, ranked{x, i, value(screen, held, i, row[x])})
			}
		}
		slices.SortFunc(partners, byScore)
		partners = firstAccepted(partners, rankKeep/4, func(p ranked) bool { return t.accepts(l.row(held), l.row(p.j)) })
		failed++
		for _, p := range partners {
			v := value(acq, held, p.j, row[p.i])
			if cmp.Less(best.score, v) && t.accepts(l.row(held), l.row(p.j)) {
				failed = 0
				if held == best.i {
					best = ranked{held, p.j, v}
				} else {
					best = ranked{p.j, held, v}
				}
			}
		}
	}
	c := l.choice(ctx, best.i, best.j)
	c.Value = NewEvaluator(t.Posterior, acq).At(append(clone(c.A), c.B...), nil)
	c.Others = l.others(t, append([]ranked{best}, top...))
	return c
}

// others returns the pairs after the first.
func (l *list) others(t Task, pairs []ranked) [][]float64 {
	rows := xslices.Map(pairs, func(p ranked) []float64 { return slices.Concat(l.row(p.i), l.row(p.j)) })
	return t.others(rows[0], rows[1:], 0)
}
