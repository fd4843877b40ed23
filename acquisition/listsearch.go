package acquisition

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// How many of the ranked pairs are scored with the exact inner maximum; how many rows are held while their
// partners are exchanged, in the first round and in each of the others; how many partners are then scored
// exactly; the rows that may be the best meanwhile; and the rounds there are at most.
const (
	listExact    = 24
	listHeld     = 6
	listHeldNext = 2
	listPartners = 8
	listCore     = 40
	listRounds   = 4
)

// knowledge maximises the knowledge gradient over pairs of rows. The inner maximum of what is returned is
// exact, over all rows. So is the maximum over pairs up to listAll rows; beyond, it is the best found.
func (l *list) knowledge(ctx context.Context, t Task) Choice {
	l.learn(t)
	short := l.shortlist(ctx, t)
	x := l.pick(short.rows)
	cov := l.panel(x, x)
	rows := make([][][]float64, len(short.rows))
	for i := range rows {
		rows[i] = cov.at(i)
	}
	near := l.scan(short.rows[:short.inner])
	between := make([]float64, len(l.k))
	gains := func(s *scan) func(i, j int) float64 {
		return func(i, j int) float64 {
			if !l.pair(short, i, j) {
				return math.Inf(-1)
			}
			for k := range between {
				between[k] = rows[i][k][j]
			}
			return s.gain(short.rows[i], short.rows[j], between, rows[i], rows[j], nil)
		}
	}
	pairs := l.acceptable(t, short, gains(near), listExact)
	if !(pairs[len(pairs)-1].score > l.nothing()) {
		quiet := l.acceptable(t, short, gains(near.quiet()), listExact)
		pairs = firstWorthy(pairs, quiet, l.nothing())
		pairs = pairs[:min(len(pairs), listExact)]
	}
	for x, p := range pairs {
		pairs[x].i, pairs[x].j = short.rows[p.i], short.rows[p.j]
	}
	s := &settling{l: l, t: t, all: l.scan(nil), full: map[int][][]float64{}}
	if short.all { // their order is exact already
		s.exact(pairs[:1])
	} else if pairs = s.exact(pairs); ctx.Err() == nil {
		pairs = s.exchange(ctx, pairs)
	}
	c := s.choice(ctx, pairs[0])
	c.Others = l.others(t, pairs)
	return c
}

// firstWorthy returns the pairs that gain something, and then those that would without noise, with negative
// scores. Late in a study hardly any question about discrete options gains anything: no single answer can change what
// is best. Without noise every question about x̂ does, and the order is that of what several answers would
// be worth.
func firstWorthy(pairs, quiet []ranked, nothing float64) []ranked {
	var out []ranked
	for _, p := range pairs {
		if p.score > nothing {
			out = append(out, p)
		}
	}
	for _, p := range quiet {
		if !slices.ContainsFunc(out, func(o ranked) bool { return o.i == p.i && o.j == p.j }) {
			out = append(out, ranked{p.i, p.j, -1 / math.Max(p.score, math.SmallestNonzeroFloat64)})
		}
	}
	return out
}

// nothing is the gain that is none: a billionth of a deviation.
func (l *list) nothing() float64 { return 1e-9 * l.sd[l.best] }

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

// exact gives the pairs their gains over all rows and returns them best first.
func (s *settling) exact(pairs []ranked) []ranked {
	var rows []int
	for _, p := range pairs {
		rows = append(rows, p.i, p.j)
	}
	s.need(rows...)
	for x, p := range pairs {
		if g := s.gain(p.i, p.j, nil); g > s.l.nothing() {
			pairs[x].score = g
		}
	}
	slices.SortFunc(pairs, byScore)
	return pairs
}

func (s *settling) gain(i, j int, argmax []int) float64 {
	between := make([]float64, len(s.l.k))
	for k := range between {
		between[k] = s.full[i][k][j]
	}
	return s.all.gain(i, j, between, s.full[i], s.full[j], argmax)
}

// exchange holds rows of the best pairs, one at a time, and looks for a better partner among all rows, until
// there is none. Partners are ranked with the inner maximum over the rows that are best after an answer to
// one of the pairs; the best few are then scored exactly.
func (s *settling) exchange(ctx context.Context, pairs []ranked) []ranked {
	l := s.l
	core := []int{l.best}
	after := make([]int, len(s.all.prob[0]))
	for _, p := range pairs {
		s.gain(p.i, p.j, after)
		for _, i := range after {
			if !slices.Contains(core, i) {
				core = append(core, i)
			}
		}
	}
	core = core[:min(len(core), listCore/2)]
	for _, i := range l.rivals(listCore, apart) {
		if len(core) < listCore && !slices.Contains(core, i) {
			core = append(core, i)
		}
	}
	cov := l.panel(l.pick(core), l.rows)
	near := l.scan(core)
	done := map[int]bool{}
	held := listHeld
	for round := 0; round < listRounds && ctx.Err() == nil; round++ {
		var next []ranked
		hold := []int{l.best} // surprises about x̂ come first
		for _, p := range pairs {
			hold = append(hold, p.i, p.j)
		}
		count := 0
		for _, i := range hold {
			if count == held || done[i] || !l.may(i) || l.hold >= 0 && i != l.hold {
				continue
			}
			done[i] = true
			count++
			s.need(i)
			next = append(next, s.partners(near, cov, i)...)
		}
		if len(next) == 0 {
			break
		}
		slices.SortFunc(next, byScore)
		was := pairs[0].score
		pairs = s.exact(append(pairs, next[:min(len(next), listPartners)]...))
		if !(pairs[0].score > was) {
			break
		}
		held = listHeldNext
	}
	return pairs
}

// partners returns the best acceptable partners of row i that gain anything; cov are the covariances of the
// rows of the scan with all rows.
func (s *settling) partners(near *scan, cov panel, i int) []ranked {
	l := s.l
	a, b, between := make([][]float64, len(l.k)), make([][]float64, len(l.k)), make([]float64, len(l.k))
	for k := range a {
		a[k], b[k] = make([]float64, cov.rows), make([]float64, cov.rows)
		for x := range a[k] {
			a[k][x] = cov.cov[k][x*l.n+i]
		}
	}
	score := make([]float64, l.n)
	for j := range score {
		score[j] = math.NaN()
		if !l.may(j) || l.alike != nil && l.alike[j] || slices.Equal(l.row(i), l.row(j)) {
			continue
		}
		for k := range b {
			between[k] = s.full[i][k][j]
			for x := range b[k] {
				b[k][x] = cov.cov[k][x*l.n+j]
			}
		}
		if g := near.gain(i, j, between, a, b, nil); g > l.nothing() {
			score[j] = g
		}
	}
	var out []ranked
	for _, j := range topRows(score, rankKeep) {
		if len(out) < listPartners && s.t.accepts(l.row(i), l.row(j)) {
			out = append(out, ranked{i, j, score[j]})
		}
	}
	return out
}

// pool returns the rows one side of a pair is exchanged for by pairs: all that may be asked.
func (l *list) pool(t Task) []int {
	pool := append(topRows(l.score(1), l.n), l.unseen(t.Seed)...)
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

// others returns the pairs after the first.
func (l *list) others(t Task, pairs []ranked) [][]float64 {
	rows := make([][]float64, len(pairs))
	for k, p := range pairs {
		rows[k] = slices.Concat(l.row(p.i), l.row(p.j))
	}
	return t.others(rows[0], rows[1:], 0)
}
