package acquisition

import (
	"context"
	"math"
	"slices"
)

// How many of the ranked pairs are scored with the exact inner maximum; how many rows are held while their partners are exchanged, in the first round and in
// each of the others; how many partners are then scored exactly; the rows that may be the best meanwhile; and the rounds there are at most.
const (
	listExact    = 24
	listHeld     = 6
	listHeldNext = 2
	listPartners = 8
	listCore     = 40
	listRounds   = 4
)

// listSearch is the knowledge gradient's search of a list. The inner maximum of the question it settles on is
// exact, over all rows. So is the maximum over pairs up to listAll rows; beyond, it is the best found.
type listSearch struct {
	l      *list
	t      Task
	rivals []int // challengers
	short  shortlist
	pairs  []ranked // of rows, best first

	all  *scan
	full map[int][][]float64 // covariances of a row with all rows, per posterior
}

func (l *list) knowledge(t Task) steps { return &listSearch{l: l, t: t, full: map[int][][]float64{}} }

func (s *listSearch) recommend(context.Context) {
	s.l.learn(s.t)
	s.all = s.l.scan(nil)
}

func (s *listSearch) challengers(ctx context.Context) { s.rivals = s.l.challengers(ctx, s.t) }

// candidates ranks the pairs of the shortlist with the inner maximum over part of it.
func (s *listSearch) candidates() {
	l := s.l
	s.short = l.shortlist(s.t, s.rivals)
	x := l.pick(s.short.rows)
	cov := l.panel(x, x)
	rows := make([][][]float64, len(s.short.rows))
	for i := range rows {
		rows[i] = cov.at(i)
	}
	between := make([]float64, len(l.k))
	best := func(near *scan) []ranked {
		return l.acceptable(s.t, s.short, func(i, j int) float64 {
			for k := range between {
				between[k] = rows[i][k][j]
			}
			return near.gain(s.short.rows[i], s.short.rows[j], between, rows[i], rows[j], nil)
		}, listExact)
	}
	near := l.scan(s.short.rows[:s.short.inner])
	s.pairs = best(near)
	if !(s.pairs[len(s.pairs)-1].score > l.nothing()) {
		still := l.scan(near.rows)
		still.k = near.k.quiet()
		quiet := best(still)
		s.pairs = firstWorthy(s.pairs, quiet, l.nothing())
		if !(quiet[len(quiet)-1].score > l.nothing()) {
			// First come the pairs that gain something, by one answer or by several, then those that gain nothing, by what threatens x̂.
			s.pairs = slices.DeleteFunc(s.pairs, func(p ranked) bool { return p.score < unworthy })
			s.pairs = addOthers(s.pairs, l.threats(s.t, s.short), func(score float64) float64 { return 1e3 * unworthy * (1 - score) })
		}
		s.pairs = s.pairs[:min(len(s.pairs), listExact)]
	}
	for x, p := range s.pairs {
		s.pairs[x].i, s.pairs[x].j = s.short.rows[p.i], s.short.rows[p.j]
	}
}

// climb scores the pairs exactly and exchanges one row after the other.
func (s *listSearch) climb(ctx context.Context) {
	if s.short.all { // their order is exact already
		s.rescore(s.pairs[:1])
		return
	}
	if s.pairs = s.rescore(s.pairs); ctx.Err() == nil {
		s.pairs = s.exchange(ctx, s.pairs)
	}
}

func (s *listSearch) settle(ctx context.Context) Choice {
	l, best := s.l, s.pairs[0]
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
	c.Others = l.others(s.t, s.pairs)
	return c
}

// firstWorthy returns the pairs that gain something, and then those that would without noise, with negative scores. Late in a study hardly any question about
// discrete options gains anything: no single answer can change what is best. Without noise every question about x̂ does, and the order is that of what
// several answers would be worth.
func firstWorthy(pairs, quiet []ranked, nothing float64) []ranked {
	var out []ranked
	for _, p := range pairs {
		if p.score > nothing {
			out = append(out, p)
		}
	}
	return addOthers(out, quiet, func(score float64) float64 { return -1 / math.Max(score, math.SmallestNonzeroFloat64) })
}

// addOthers adds those of more that are not among the pairs, with other scores.
func addOthers(pairs, more []ranked, score func(float64) float64) []ranked {
	for _, p := range more {
		if !slices.ContainsFunc(pairs, func(o ranked) bool { return o.i == p.i && o.j == p.j }) {
			pairs = append(pairs, ranked{p.i, p.j, score(p.score)})
		}
	}
	return pairs
}

// threats returns the pairs of candidates that may be asked, those first whose options are most probably better than x̂: their score is the sum of
// what x̂ is ahead of each by, in deviations of the difference, and negative.
func (l *list) threats(t Task, s shortlist) []ranked {
	z := l.lead(s.rows)
	for x, i := range s.rows {
		if i == l.best {
			z[x] = 0
		} else if !(z[x] > -hopeless) {
			z[x] = -hopeless
		}
	}
	return l.acceptable(t, s, func(i, j int) float64 { return z[i] + z[j] }, listExact)
}

// hopeless is how many deviations behind an option is at most.
const hopeless = 1e3

// unworthy is a score below all of pairs that gain anything without noise.
const unworthy = -1e30

// nothing is the gain that is none: a billionth of a deviation.
func (l *list) nothing() float64 { return 1e-9 * l.sd[l.best] }

// acceptable returns the best count pairs of candidates that may be asked; if none may, the best ones.
func (l *list) acceptable(t Task, s shortlist, score func(i, j int) float64, count int) []ranked {
	var pairs []ranked
	for i := range s.rows {
		for j := range i {
			if !s.asked[i] || !s.asked[j] || l.hold >= 0 && (i != len(s.rows)-1 || slices.Equal(l.row(s.rows[i]), l.row(s.rows[j]))) {
				continue
			}
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

// need computes the covariances of rows with all rows.
func (s *listSearch) need(rows ...int) {
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

// rescore gives the pairs their gains over all rows and returns them best first.
func (s *listSearch) rescore(pairs []ranked) []ranked {
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

func (s *listSearch) gain(i, j int, argmax []int) float64 {
	between := make([]float64, len(s.l.k))
	for k := range between {
		between[k] = s.full[i][k][j]
	}
	return s.all.gain(i, j, between, s.full[i], s.full[j], argmax)
}

// exchange holds rows of the best pairs, one at a time, and looks for a better partner among all rows, until there is none. Partners are ranked with the
// inner maximum over the rows that are best after an answer to one of the pairs; the best few are then scored exactly.
func (s *listSearch) exchange(ctx context.Context, pairs []ranked) []ranked {
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
			if count == held || done[i] || !l.asked[i] || l.hold >= 0 && i != l.hold {
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
		pairs = s.rescore(append(pairs, next[:min(len(next), listPartners)]...))
		if !(pairs[0].score > was) {
			break
		}
		held = listHeldNext
	}
	return pairs
}

// partners returns the best acceptable partners of row i that gain anything; cov are the covariances of the rows of the scan with all rows.
func (s *listSearch) partners(near *scan, cov panel, i int) []ranked {
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
		if !l.asked[j] || l.alike[j] || slices.Equal(l.row(i), l.row(j)) {
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
