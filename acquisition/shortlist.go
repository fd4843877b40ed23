package acquisition

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Sizes of the search of a list. Up to listAll rows every pair is scored exactly; in longer lists pairs of
// candidates are ranked, of which there are a few of each kind.
const (
	listAll = 300

	// Rows that may be the best after an answer while pairs are ranked:
	listRivals = 96 // the most likely to overtake x̂, of rivalPool promising ones
	rivalPool  = 1024
	listApart  = 48 // the same, some lengthscales apart
	listInner  = 96 // highest mean + one, two and three deviations, each

	// Candidates for the question:
	listMeans    = 32 // highest mean
	listUpside   = 48 // highest mean + one deviation
	listHopes    = 32 // highest mean + two
	listDoubts   = 16 // highest deviation
	listDraws    = 24 // best in joint draws over drawPool promising rows
	drawPool     = 192
	listExplored = 12 // rivals that are explored
	listExtremes = 2  // rows for each of four ways to explore a rival
	listSpread   = 24
	listUnseen   = 4 // of rows that are all alike

	thompsonPool = 512
)

// hope returns mean + c·sd of all rows but those alike, which have NaN.
func (l *list) hope(c float64) []float64 {
	s := make([]float64, l.n)
	for i := range s {
		s[i] = l.mean[i] + c*l.sd[i]
		if l.alike[i] {
			s[i] = math.NaN()
		}
	}
	return s
}

// score is hope with NaN for those that may not be asked, too.
func (l *list) score(c float64) []float64 {
	s := l.hope(c)
	for i, ok := range l.asked {
		if !ok {
			s[i] = math.NaN()
		}
	}
	return s
}

// unseen returns a few of the rows that are alike and may be asked, others for other seeds.
func (l *list) unseen(seed uint64) []int {
	var out []int
	for i, alike := range l.alike {
		if alike && l.asked[i] && i != l.hold {
			out = append(out, i)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0x11e3))
	for k := range min(listUnseen, len(out)) {
		j := k + rng.IntN(len(out)-k)
		out[k], out[j] = out[j], out[k]
	}
	return out[:min(listUnseen, len(out))]
}

// shortlist is the rows whose pairs are ranked and those that may be the best after an answer while they are, the latter first and x̂ before all.
type shortlist struct {
	rows  []int
	asked []bool // may be an option of the question
	inner int    // the first so many may be the best
	all   bool   // nothing was left out: the inner maximum is exact, and the pairs are all there are
}

// shortlist picks candidates, among them the challengers. An option that is there twice counts once; the row held, if any, is the last.
func (l *list) shortlist(t Task, challengers []int) shortlist {
	unseen := l.unseen(t.Seed)
	s := shortlist{all: l.short()}
	var ask, best []int
	if s.all {
		ask, best = topRows(l.score(0), l.n), l.everyone(unseen)
	} else {
		ask, best = append(l.promising(t), challengers...), l.contenders()
	}
	asked := map[int]bool{}
	for _, i := range append(ask, unseen...) {
		asked[i] = i != l.hold
	}
	seen := map[int]bool{l.hold: true} // it comes at the end
	add := func(rows []int) {
		for _, i := range rows {
			if !seen[i] {
				seen[i] = true
				s.rows, s.asked = append(s.rows, i), append(s.asked, asked[i])
			}
		}
	}
	if l.best == l.hold {
		s.rows, s.asked = []int{l.best}, []bool{false}
	}
	add([]int{l.best})
	add(best)
	s.inner = len(s.rows)
	add(slices.Sorted(maps.Keys(asked)))
	if l.hold >= 0 {
		s.rows, s.asked = append(s.rows, l.hold), append(s.asked, true)
	}
	return s
}

// short reports whether the list is, rows that are all alike counting as a few: then all pairs are ranked.
func (l *list) short() bool {
	known := l.n
	for _, alike := range l.alike {
		if alike {
			known--
		}
	}
	return known+listUnseen <= listAll
}

// everyone returns all rows of a short list, of those alike the unseen ones and one that may be the best although it may not be asked.
func (l *list) everyone(unseen []int) []int {
	var out []int
	for i, alike := range l.alike {
		if !alike {
			out = append(out, i)
		}
	}
	out = append(out, unseen...)
	if i := slices.Index(l.alike, true); i >= 0 {
		out = append(out, i)
	}
	return out
}

// promising returns rows to ask about: high means, high hopes, what was shown, what is in doubt and a spread.
func (l *list) promising(t Task) []int {
	doubts := l.score(0)
	for i := range doubts {
		doubts[i] += l.sd[i] - l.mean[i]
	}
	out := slices.Concat(topRows(l.score(0), listMeans), topRows(l.score(1), listUpside), topRows(l.score(2), listHopes),
		l.shown(t, candidateShown), topRows(doubts, listDoubts))
	for _, i := range spreadRows(l.n, listSpread, t.Seed) {
		if !math.IsNaN(doubts[i]) {
			out = append(out, i)
		}
	}
	return out
}

// challengers returns the best rows of joint draws, and those that tell most about the rivals of x̂. A short list
// needs none, and an ended context has no time for them.
func (l *list) challengers(ctx context.Context, t Task) []int {
	if l.short() || ctx.Err() != nil {
		return nil
	}
	drawn := l.draws(topRows(l.score(2), drawPool), listDraws, rand.New(rand.NewPCG(t.Seed, 0xd4a3)))
	return append(drawn, l.explorers(l.rivals(listExplored, apart))...)
}

// contenders returns the rows that may be the best after an answer.
func (l *list) contenders() []int {
	out := append(l.rivals(listRivals, 0), l.rivals(listApart, apart)...)
	for c := range 3 {
		out = append(out, topRows(l.hope(float64(1+c)), listInner)...)
	}
	return out
}

// rivals returns the rows most likely to overtake x̂: of those with the highest hopes, the ones that x̂ is
// ahead of by the fewest deviations of their difference, none within apart lengthscales of a better one.
func (l *list) rivals(count int, apart float64) []int {
	rows := append(topRows(l.hope(2), rivalPool/2), topRows(l.hope(0), rivalPool/2)...)
	slices.Sort(rows)
	rows = slices.Compact(rows)
	var out []int
	for _, x := range topRows(l.lead(rows), len(rows)) {
		if len(out) < count && !slices.ContainsFunc(out, func(i int) bool { return l.near(i, rows[x], apart) }) {
			out = append(out, rows[x])
		}
	}
	return out
}

// lead returns by how many deviations of their difference each of the rows is ahead of x̂, a negative number as a rule; NaN for x̂ itself and copies of it.
func (l *list) lead(rows []int) []float64 {
	cov := l.panel(l.row(l.best), l.pick(rows)).at(0)
	out := make([]float64, len(rows))
	for x, i := range rows {
		var sd float64
		for k, s := range l.k {
			sd += s.weight * math.Sqrt(math.Max(0, l.vars[k][i]+l.vars[k][l.best]-2*cov[k][x]))
		}
		if out[x] = (l.mean[i] - l.mean[l.best]) / sd; !(sd > untouched*l.sd[i]) {
			out[x] = math.NaN()
		}
	}
	return out
}

// near reports whether rows i and j are within so many lengthscales of each other in every coordinate.
func (l *list) near(i, j int, apart float64) bool {
	a, b := l.row(i), l.row(j)
	for c, v := range l.scale {
		if !(math.Abs(a[c]-b[c]) < apart*v) {
			return false
		}
	}
	return true
}

// explorers returns the rows whose utilities say most about whether a rival is better than x̂: those with the highest and the lowest covariance with the
// difference, and the highest and lowest correlation. Late in a study x̂ and its rivals are too much alike for an answer about them to tell much beside its
// noise; two rows that differ a lot, the one correlated with the difference and the other against it, tell more.
func (l *list) explorers(rivals []int) []int {
	cov := l.panel(l.pick(append([]int{l.best}, rivals...)), l.rows)
	here := cov.at(0)
	score := make([]float64, l.n)
	var out []int
	for r := range rivals {
		rival := cov.at(1 + r)
		for _, way := range []struct{ sign, power float64 }{{1, 0}, {-1, 0}, {1, 1}, {-1, 1}} {
			for i := range score {
				score[i] = math.NaN()
				if !l.asked[i] {
					continue
				}
				score[i] = 0
				for k, s := range l.k {
					score[i] += way.sign * s.weight * (rival[k][i] - here[k][i])
				}
				if way.power > 0 {
					score[i] /= l.sd[i]
				}
			}
			out = append(out, topRows(score, listExtremes)...)
		}
	}
	return out
}

// shown returns the askable rows among the options shown, the n with the highest means.
func (l *list) shown(t Task, n int) []int {
	was := map[float64][][]float64{}
	for i := 0; i < len(t.Shown); i += l.d {
		x := t.Shown[i : i+l.d]
		was[x[0]] = append(was[x[0]], x)
	}
	score := make([]float64, l.n)
	for i := range score {
		score[i] = math.NaN()
		if !l.asked[i] {
			continue
		}
		for _, x := range was[l.rows[i*l.d]] {
			if slices.Equal(x, l.row(i)) {
				score[i] = l.mean[i]
			}
		}
	}
	return topRows(score, n)
}
