package acquisition

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// knowledge is oneShot on a ground: the same steps, with climbs that know levels and constraints.
func (f *field) knowledge(ctx context.Context, t Task) Choice {
	p := t.utility()
	d := f.d
	peaks := f.recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	kg := t.knowledge()
	kg.over(peaks[0])
	rivals := f.challengers(ctx, t, peaks[0].X)
	c, may := f.candidates(t, peaks, rivals)
	rank := kg.ranking(c, p)
	scored := func(r ranker) []ranked {
		return bestPairs(c.n, func(i, j int) float64 {
			if !may(i, j) {
				return math.Inf(-1)
			}
			return r.score(i, j)
		})
	}
	ranks := scored(rank)
	if !(ranks[min(len(ranks), t.Search.Starts)-1].score > 0) {
		ranks = firstWorthy(ranks, scored(kg.quiet().ranking(c, p)), 0)
	}
	more := 1
	if len(f.discrete) > 0 || f.dom.Feasible != nil {
		more = 2 // every combination of levels, every corner of the walls has its own hills
	}
	pairs := c.starts(p, ranks, more*t.Search.Starts)

	q := kg.points()
	a := ascent{g: f.ground, sides: f.question(t), pair: true}
	for range q - 2 {
		a.sides = append(a.sides, f.anywhere())
	}
	starts := make([]float64, len(pairs)*q*d)
	start := func(x []float64, pr ranked) {
		rank.start(x, pr)
		for o := range q - 2 {
			f.retreat(x[(2+o)*d:(3+o)*d], c.row(0))
		}
	}
	for i, pr := range pairs {
		start(starts[i*q*d:(i+1)*q*d], pr)
	}
	champion := t.Hold
	if champion == nil && f.ask.contains(c.row(0)) {
		champion = c.row(0)
	}
	for i := 0; i < len(rivals) && champion != nil; i += d {
		// A duel with x̂ whose winner is the best gains something, always; what is close to the winner may
		// gain more.
		if y := rivals[i : i+d]; !slices.Equal(champion, y) {
			starts = append(append(append(starts, champion...), y...), y...)
			for range q - 3 {
				starts = append(starts, c.row(0)...)
			}
		}
	}
	newObjective := func() maximize.Objective { return logObjective(kg.evaluator()) }
	all := a.from(ctx, newObjective, starts, maximize.Settings{MaxEvals: sprintEvals, GradTol: 1e-5, ValueTol: 1e-4}, 1, t.Search.Workers)
	for range adoptions {
		finalists := min(len(all), more*t.Search.Finalists)
		var next []float64
		for _, r := range all[:finalists] {
			next = append(next, r.X...)
		}
		all = append(a.from(ctx, newObjective, next, maximize.Settings{MaxEvals: t.Search.Evals, GradTol: 1e-4, ValueTol: 1e-6}, exchangeRounds, t.Search.Workers), all[finalists:]...)
		peak, found := f.betterPeak(ctx, p, all[0].X[2*d:], peaks[0])
		if !found {
			break
		}
		peaks = slices.Insert(peaks, 0, peak)
		kg.over(peak)
	}
	x := choose(t, all, d)
	if !t.accepts(x[:d], x[d:2*d]) {
		for _, pr := range ranks {
			if t.accepts(c.row(pr.i), c.row(pr.j)) {
				x = make([]float64, q*d)
				start(x, pr)
				break
			}
		}
	}
	x = f.inner(ctx, kg, x, peaks)
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

// retreat moves x towards best, which shares its levels, until it is feasible.
func (f *field) retreat(x, best []float64) {
	for range bisections {
		if f.dom.feasible(x) {
			return
		}
		for j := range x {
			x[j] = along(best[j], x[j], 0.5)
		}
	}
	copy(x, best)
}

// inner improves the fantasy points of a question that is settled: each outcome may go to any peak of the
// mean or option of the question, and climbs from there.
func (f *field) inner(ctx context.Context, kg knowledge, x []float64, peaks []Peak) []float64 {
	d, q := f.d, kg.points()
	eval := kg.evaluator()
	best := maximize.Result{X: clone(x), Value: eval.At(x, nil)}
	trial := make([]float64, len(x))
	for o := 2; o < q; o++ {
		for i := range min(len(peaks), candidatePeaks) + 2 {
			copy(trial, best.X)
			switch i {
			case 0, 1:
				copy(trial[o*d:(o+1)*d], best.X[i*d:(i+1)*d])
			default:
				copy(trial[o*d:(o+1)*d], peaks[i-2].X)
			}
			if v := eval.At(trial, nil); v > best.Value && f.dom.Contains(trial[o*d:(o+1)*d]) {
				best = maximize.Result{X: clone(trial), Value: v}
			}
		}
	}
	held := f.anywhere()
	held.held = true
	a := ascent{g: f.ground, sides: []side{held, held}}
	for range q - 2 {
		a.sides = append(a.sides, f.anywhere())
	}
	s := maximize.Settings{MaxEvals: 100, GradTol: 1e-8, ValueTol: 1e-12}
	if up := a.climb(ctx, eval.At, best.X, s, exchangeRounds); up.Value >= best.Value {
		best = up
	}
	return best.X
}

// betterPeak is that of the cube with climbs on the ground.
func (f *field) betterPeak(ctx context.Context, p Utility, fantasy []float64, best Peak) (Peak, bool) {
	m := gp.NewMoments(1)
	slack := 1e-9 * math.Max(1, math.Abs(best.Mean))
	found := false
	a := ascent{g: f.ground, sides: []side{f.anywhere()}}
	mean := func(x, grad []float64) float64 { return p.MeanGradient(m, x, grad) }
	for i := 0; i < len(fantasy); i += f.d {
		x := fantasy[i : i+f.d]
		if mean(x, nil) <= best.Mean+slack {
			continue
		}
		up := a.climb(ctx, mean, clone(x), maximize.Settings{MaxEvals: 100, GradTol: 1e-7, ValueTol: 1e-13}, exchangeRounds)
		if up.Value > best.Mean+slack {
			best, found = Peak{up.X, up.Value}, true
		}
	}
	return best, found
}

// challengers returns the peaks of challenge against best, row by row.
func (f *field) challengers(ctx context.Context, t Task, best []float64) []float64 {
	d := f.d
	champion := f.anywhere()
	champion.held = true
	a := ascent{g: f.ground, sides: []side{f.ask, champion}, pair: true}
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
		return nil
	}
	newObjective := func() maximize.Objective { return t.expected(challenge{t.Noise}).At }
	var out []float64
	for _, r := range a.from(ctx, newObjective, starts, maximize.Settings{MaxEvals: 30, GradTol: 1e-5, ValueTol: 1e-5}, 2, t.Search.Workers) {
		if !closeToAny(r.X[:d], out, d, samePeak) {
			out = append(out, r.X[:d]...)
		}
	}
	return out
}
