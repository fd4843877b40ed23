package acquisition

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/maximize"
)

// mixedSearch is the knowledge gradient's search on a mixed region.
type mixedSearch struct {
	oneShot
	at *mixed
}

func (f *mixed) knowledge(t Task) steps {
	s := &mixedSearch{newOneShot(t, f.region), f}
	if len(f.discrete) > 0 || f.dom.Feasible != nil {
		s.more = 2 // every combination of levels, every corner of the walls has its own hills
	}
	s.mend = func(x []float64) {
		for at := 2 * f.d; at < len(x); at += f.d {
			f.retreat(x[at:at+f.d], s.c.row(0))
		}
	}
	return s
}

func (s *mixedSearch) recommend(ctx context.Context) {
	s.oneShot.recommend(ctx)
	s.in.promising(s.t.Posterior, s.peaks)
}

// retreat moves x towards best, which shares its levels, until it is feasible.
func (f *mixed) retreat(x, best []float64) {
	for range bisections {
		if f.dom.feasible(x) {
			return
		}
		was := clone(x)
		for j := range x {
			x[j] = along(best[j], x[j], 0.5)
		}
		for _, j := range f.circles {
			copy(x[j:j+2], was[j:j+2])
			towards(x[j:j+2], best[j:j+2], 0.5)
		}
	}
	copy(x, best)
}

// challengers are the peaks of challenge against x̂.
func (s *mixedSearch) challengers(ctx context.Context) {
	f, t, d, best := s.at, s.t, s.in.d, s.peaks[0].X
	champion := f.anywhere()
	champion.held = true
	a := ascent{in: f.region, limits: []limits{f.ask, champion}, pair: true, short: true}
	e := t.expected(challenge{t.Noise})
	raw := slices.Concat(f.askable, f.corners(t.Seed), f.changes(best))
	value, x := make([]float64, len(raw)/d), make([]float64, 2*d)
	copy(x[d:], best)
	for i := range value {
		copy(x, raw[i*d:(i+1)*d])
		if value[i] = e.At(x, nil); !f.ask.contains(x[:d]) || slices.Equal(x[:d], best) {
			value[i] = math.NaN()
		}
	}
	var starts []float64
	for _, i := range topRows(value, 2*challengeStarts) {
		starts = append(append(starts, raw[i*d:(i+1)*d]...), best...)
	}
	if starts == nil {
		return
	}
	newObjective := func() maximize.Objective { return t.expected(challenge{t.Noise}).At }
	for _, r := range a.from(ctx, newObjective, starts, maximize.Settings{MaxEvals: 30, GradTol: 1e-5, ValueTol: 1e-5}, 2, t.Search.Workers) {
		if !closeToAny(r.X[:d], s.rivals, d, samePeak) {
			s.rivals = append(s.rivals, r.X[:d]...)
		}
	}
}

func (s *mixedSearch) candidates() {
	p := s.t.utility()
	around := func(x []float64, rng *rand.Rand) []float64 { return s.in.dom.Around(p, x, candidateSlope, rng) }
	s.rankAll(s.at.candidates(s.t, s.peaks, s.rivals, s.at.inward(p, s.peaks[0].X), slopes(s.peaks, s.t.Seed, around)))
	if !(s.ranks[min(len(s.ranks), s.t.Search.Starts)-1].score > 0) {
		quiet, _ := s.kg.quiet().ranking(s.c, s.t.utility()).pairs()
		s.ranks = firstWorthy(s.ranks, quiet, 0)
	}
	s.begin()

	// A duel with x̂ whose winner is the best gains something, always; what is close to the winner may gain more.
	d, best := s.in.d, s.peaks[0].X
	champion := s.t.Hold
	if champion == nil && s.at.ask.contains(best) {
		champion = best
	}
	for i := 0; i < len(s.rivals) && champion != nil; i += d {
		if y := s.rivals[i : i+d]; !slices.Equal(champion, y) {
			s.starts = append(append(append(s.starts, champion...), y...), y...)
			for range s.kg.points() - 3 {
				s.starts = append(s.starts, best...)
			}
		}
	}
}

func (s *mixedSearch) settle(ctx context.Context) Choice {
	return s.choice(ctx, s.inner(ctx, s.best(ctx)))
}

// inner improves the fantasy points of a question that is settled: each outcome may go to any peak of the
// mean or option of the question, and climbs from there.
func (s *mixedSearch) inner(ctx context.Context, x []float64) []float64 {
	d := s.in.d
	eval := s.kg.evaluator()
	best := maximize.Result{X: clone(x), Value: eval.At(x, nil)}
	trial := make([]float64, len(x))
	for o := 2; o < s.kg.points(); o++ {
		for i := range min(len(s.peaks), candidatePeaks) + 2 {
			copy(trial, best.X)
			switch i {
			case 0, 1:
				copy(trial[o*d:(o+1)*d], best.X[i*d:(i+1)*d])
			default:
				copy(trial[o*d:(o+1)*d], s.peaks[i-2].X)
			}
			if v := eval.At(trial, nil); v > best.Value && s.in.dom.Contains(trial[o*d:(o+1)*d]) {
				best = maximize.Result{X: clone(trial), Value: v}
			}
		}
	}
	a := s.ascent()
	a.limits[0].held, a.limits[1].held, a.pair = true, true, false
	effort := maximize.Settings{MaxEvals: 100, GradTol: 1e-8, ValueTol: 1e-12}
	if up := a.climb(ctx, eval.At, best.X, effort, exchangeRounds); up.Value >= best.Value {
		best = up
	}
	return best.X
}
