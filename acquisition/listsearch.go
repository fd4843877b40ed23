package acquisition

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// How many of the ranked pairs are scored with the exact inner maximum, and how many partners of a row in
// an exchange, of which there are at most so many.
const (
	listExact    = 24
	listPartners = 6
	listRounds   = 6
)

// knowledge maximises the knowledge gradient over pairs of rows. The inner maximum of what is returned is
// exact, over all rows. So is the maximum over pairs up to listAll rows; beyond, it is the best found.
func (l *list) knowledge(ctx context.Context, t Task) Choice {
	l.learn(t)
	short := l.shortlist(ctx, t)
	x := l.pick(short.rows)
	cov := l.panel(x, x)
	near := l.scan(short.rows[:short.inner])
	rows := make([][][]float64, len(short.rows))
	for i := range rows {
		rows[i] = cov.at(i)
	}
	between := make([]float64, len(l.k))
	score := func(i, j int) float64 {
		if !l.pair(short, i, j) {
			return math.Inf(-1)
		}
		for k := range between {
			between[k] = rows[i][k][j]
		}
		return near.gain(short.rows[i], short.rows[j], between, rows[i], rows[j], nil)
	}
	var pairs []ranked
	for _, p := range l.acceptable(t, short, score, listExact) {
		pairs = append(pairs, ranked{short.rows[p.i], short.rows[p.j], p.score})
	}
	s := &settling{l: l, t: t, all: l.scan(nil), full: map[int][][]float64{}}
	if short.all {
		pairs = pairs[:1]
	}
	best := s.exact(pairs)
	if !short.all {
		best = s.exchange(ctx, short, best)
	}
	return s.choice(ctx, best)
}

// acceptable returns the best count pairs of candidates that may be asked; if none may, the best ones.
func (l *list) acceptable(t Task, s shortlist, score func(i, j int) float64, count int) []ranked {
	var pairs []ranked
	for i := range s.rows {
		for j := range i {
			if v := score(i, j); v > math.Inf(-1) {
				pairs = append(pairs, ranked{i, j, v})
			}
		}
	}
	slices.SortFunc(pairs, byScore)
	return firstAccepted(pairs, count, func(p ranked) bool { return t.accepts(l.row(s.rows[p.i]), l.row(s.rows[p.j])) })
}

// firstAccepted returns the first count pairs that ok accepts; if there is none, the first count.
func firstAccepted(pairs []ranked, count int, ok func(ranked) bool) []ranked {
	var out []ranked
	for _, p := range pairs {
		if len(out) == count {
			break
		}
		if ok(p) {
			out = append(out, p)
		}
	}
	if out == nil {
		out = pairs[:min(len(pairs), count)]
	}
	return out
}

// settling is the last part of the search of a long list: exact gains, and exchanges of one side.
type settling struct {
	l    *list
	t    Task
	all  *scan
	full map[int][][]float64 // covariances of a row with all rows, per posterior
}

// need computes the covariances of rows with all rows.
func (s *settling) need(rows ...int) {
	var missing []int
	for _, i := range rows {
		if s.full[i] == nil && !slices.Contains(missing, i) {
			missing = append(missing, i)
		}
	}
	if missing == nil {
		return
	}
	p := s.l.panel(s.l.pick(missing), s.l.rows)
	for x, i := range missing {
		s.full[i] = p.at(x)
	}
}

// exact returns the best of the pairs with its gain over all rows.
func (s *settling) exact(pairs []ranked) ranked {
	var rows []int
	for _, p := range pairs {
		rows = append(rows, p.i, p.j)
	}
	s.need(rows...)
	for x, p := range pairs {
		pairs[x].score = s.gain(p.i, p.j, nil)
	}
	return slices.MinFunc(pairs, byScore)
}

func (s *settling) gain(i, j int, argmax []int) float64 {
	between := make([]float64, len(s.l.k))
	for k := range between {
		between[k] = s.full[i][k][j]
	}
	return s.all.gain(i, j, between, s.full[i], s.full[j], argmax)
}

// exchange holds one side of the best pair and looks for a better partner, then the other side, until
// neither has one. Partners are ranked with the inner maximum over the rows of the shortlist that may be
// the best and the best rows of the pair at hand; the best few are then scored exactly.
func (s *settling) exchange(ctx context.Context, short shortlist, best ranked) ranked {
	l := s.l
	after := make([]int, len(s.all.prob[0]))
	s.gain(best.i, best.j, after)
	inner := slices.Clone(short.rows[:short.inner])
	for _, i := range after {
		if !slices.Contains(inner, i) {
			inner = append(inner, i)
		}
	}
	pool := l.pool(s.t)
	cov := l.panel(l.pick(pool), l.pick(inner))
	near := l.scan(inner)
	between := make([]float64, len(l.k))
	a := make([][]float64, len(l.k))
	for failed, round := 0, 0; failed < 2 && round < listRounds && ctx.Err() == nil; round++ {
		held, was := best.i, best.j
		if l.hold < 0 && round%2 == 1 {
			held, was = best.j, best.i
		}
		s.need(held)
		for k := range a {
			a[k] = make([]float64, len(inner))
			for x, i := range inner {
				a[k][x] = s.full[held][k][i]
			}
		}
		var partners []ranked
		for x, i := range pool {
			if i == was || slices.Equal(l.row(i), l.row(held)) {
				continue
			}
			for k := range between {
				between[k] = s.full[held][k][i]
			}
			partners = append(partners, ranked{held, i, near.gain(held, i, between, a, cov.at(x), nil)})
		}
		slices.SortFunc(partners, byScore)
		partners = firstAccepted(partners, listPartners, func(p ranked) bool { return s.t.accepts(l.row(p.i), l.row(p.j)) })
		failed++
		if len(partners) == 0 || !s.t.accepts(l.row(partners[0].i), l.row(partners[0].j)) {
			continue
		}
		if up := s.exact(partners); up.score > best.score {
			if held != best.i { // keep the sides, so that rounds alternate
				up.i, up.j = up.j, up.i
			}
			best, failed = up, 0
		}
	}
	return best
}

// pool returns the rows one side of a pair is exchanged for: all that may be asked if they are not too
// many, else those with the highest hopes.
func (l *list) pool(t Task) []int {
	score := l.score(1)
	most := listPool / 2
	if l.n <= listModerate {
		most = l.n
	}
	pool := append(topRows(score, most), l.unseen(t.Seed)...)
	if most < l.n {
		pool = append(pool, topRows(l.score(2), most)...)
	}
	slices.Sort(pool)
	return slices.Compact(pool)
}

// choice spells out the pair.
func (s *settling) choice(ctx context.Context, best ranked) Choice {
	l := s.l
	s.need(best.i, best.j)
	after := make([]int, len(s.all.prob[0]))
	s.gain(best.i, best.j, after)
	c := l.choice(ctx, best.i, best.j)
	kg := s.t.knowledge()
	kg.over(Peak{c.Best, c.Mean})
	x := append(clone(c.A), c.B...)
	for _, i := range after {
		c.Fantasy = append(c.Fantasy, clone(l.row(i)))
		x = append(x, l.row(i)...)
	}
	c.Value = kg.evaluator().At(x, nil)
	return c
}

// pairs maximises an acquisition of the two options over the rows: pairs of candidates ranked by the
// screen, if there is one, and then by the acquisition; then exchanges of one side. A list of up to listAll
// rows needs no exchange: all pairs were ranked.
func (l *list) pairs(ctx context.Context, t Task, acq, screen Acquisition) Choice {
	l.learn(t)
	short := l.shortlist(ctx, t)
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
	best := slices.MinFunc(top, byScore)
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
	return c
}
