package acquisition

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/xslices"
)

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
		m.Mean[0], m.Mean[1] = l.mean[i], l.mean[j]
		m.Cov[0], m.Cov[3] = l.vars[0][i], l.vars[0][j]
		m.Cov[1], m.Cov[2] = c, c
		return a.Value(m, nil)
	}
	if screen == nil {
		screen = acq
	}
	top := l.acceptable(t, short, func(i, j int) float64 {
		if !l.pair(short, i, j) {
			return math.Inf(-1)
		}
		return value(screen, short.rows[i], short.rows[j], cov[i*n+j])
	}, rankKeep)
	for k, p := range top {
		i, j := short.rows[p.i], short.rows[p.j]
		top[k] = ranked{i, j, value(acq, i, j, cov[p.i*n+p.j])}
	}
	slices.SortFunc(top, byScore)
	best := top[0]
	pool := l.pool(t)
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

// pool returns the rows one side of a pair is exchanged for by pairs: all that may be asked.
func (l *list) pool(t Task) []int {
	pool := append(topRows(l.score(1), l.n), l.unseen(t.Seed)...)
	slices.Sort(pool)
	return slices.Compact(pool)
}

// others returns the pairs after the first.
func (l *list) others(t Task, pairs []ranked) [][]float64 {
	rows := xslices.Map(pairs, func(p ranked) []float64 { return slices.Concat(l.row(p.i), l.row(p.j)) })
	return t.others(rows[0], rows[1:], 0)
}
