package acquisition

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// field is the ground of one task: options of the question may be fewer than those of the domain.
type field struct {
	*ground
	ask     side
	askable []float64 // quasi-random options the question may have
}

var _ place = (*field)(nil)

// question returns the sides of a question.
func (f *field) question(t Task) []side {
	first := f.ask
	first.held = t.Hold != nil
	return []side{first, f.ask}
}

// candidates are those of the cube in kind: peaks of the mean, extra points, the best options shown,
// quasi-random options and neighbours of x̂; none of them twice. If one side is held it is the last. The
// function that is returned tells which pairs may be asked.
func (f *field) candidates(t Task, peaks []Peak, extra []float64) (*candidates, func(i, j int) bool) {
	p := t.utility()
	c := &candidates{d: f.d, peaks: peaks, inside: f.ground}
	var asked []bool
	seen := map[string]bool{}
	add := func(rows []float64) {
		for i := 0; i < len(rows); i += f.d {
			x := rows[i : i+f.d]
			if k := key(x); !seen[k] {
				seen[k] = true
				c.x = append(c.x, x...)
				asked = append(asked, f.ask.contains(x))
			}
		}
	}
	most := candidatePeaks
	if f.dom.combinations(groundCover) <= groundCover && len(f.discrete) > 0 {
		most += groundCover
	}
	for _, pk := range peaks[:min(len(peaks), most)] {
		add(pk.X)
	}
	add(extra)
	var shown []float64
	for i := 0; i < len(t.Shown); i += f.d {
		if x := t.Shown[i : i+f.d]; f.dom.Contains(x) {
			shown = append(shown, x...)
		}
	}
	add(Top(p, shown, candidateShown, samePeak))
	count := t.Search.Candidates
	if len(f.discrete) > 0 {
		count *= 2
	}
	add(f.askable[:min(len(f.askable), count*f.d)])
	near := f.dom.Around(p, peaks[0].X, candidateNear, rand.New(rand.NewPCG(t.Seed, 0xca9d)))
	add(near)
	for i := 0; i < len(near); i += f.d { // the best may be outside what can be asked
		f.ask.clip(near[i : i+f.d])
	}
	add(near)
	if t.Hold != nil {
		c.x = append(c.x, t.Hold...)
		asked = append(asked, true)
	}
	c.n = len(c.x) / f.d
	c.fill(t)
	return c, func(i, j int) bool {
		if t.Hold != nil && i != c.n-1 || !asked[i] || !asked[j] {
			return false
		}
		return t.Hold == nil || !slices.Equal(c.row(i), c.row(j))
	}
}

// knowledge is oneShot on a ground: the same steps, with climbs that know levels and constraints.
func (f *field) knowledge(ctx context.Context, t Task) Choice {
	p := t.utility()
	d := f.d
	peaks := f.recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	kg := t.knowledge()
	kg.over(peaks[0])
	c, may := f.candidates(t, peaks, f.challengers(ctx, t, peaks[0].X))
	rank := kg.ranking(c, p)
	ranks := bestPairs(c.n, func(i, j int) float64 {
		if !may(i, j) {
			return math.Inf(-1)
		}
		return rank.score(i, j)
	})
	pairs := c.starts(p, ranks, t.Search.Starts)

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
	newObjective := func() maximize.Objective { return logObjective(kg.evaluator()) }
	all := a.from(ctx, newObjective, starts, maximize.Settings{MaxEvals: sprintEvals, GradTol: 1e-5, ValueTol: 1e-4}, 0, t.Search.Workers)
	for range adoptions {
		finalists := t.Search.Finalists
		if len(f.discrete) > 0 {
			finalists *= 2
		}
		finalists = min(len(all), finalists)
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
		A: clone(x[:d]), B: clone(x[d : 2*d]), Fantasy: fantasy,
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
	n := len(f.askable) / d
	value, x := make([]float64, n), make([]float64, 2*d)
	copy(x[d:], best)
	for i := range value {
		copy(x, f.askable[i*d:(i+1)*d])
		value[i] = e.At(x, nil)
	}
	var starts []float64
	for _, i := range topRows(value, 2*challengeStarts) {
		if y := f.askable[i*d : (i+1)*d]; !slices.Equal(y, best) {
			starts = append(append(starts, y...), best...)
		}
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

// pairs is searchPair on a ground.
func (f *field) pairs(ctx context.Context, t Task, acq, screen Acquisition) Choice {
	p := t.Posterior
	d := f.d
	peaks := f.recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	c, may := f.candidates(t, peaks, nil)
	m := gp.NewMoments(2)
	value := func(a Acquisition) func(i, j int) float64 {
		return func(i, j int) float64 {
			if !may(i, j) {
				return math.Inf(-1)
			}
			c.pair(m, i, j)
			return a.Value(m, nil)
		}
	}
	var pairs []ranked
	if screen == nil {
		pairs = bestPairs(c.n, value(acq))
	} else {
		pairs = bestPairs(c.n, value(screen))
		for k := range pairs {
			pairs[k].score = value(acq)(pairs[k].i, pairs[k].j)
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
	a := ascent{g: f.ground, sides: f.question(t), pair: true}
	all := a.from(ctx, func() maximize.Objective { return NewEvaluator(p, acq).At }, starts,
		maximize.Settings{MaxEvals: t.Search.Evals, GradTol: 1e-7, ValueTol: 1e-10}, exchangeRounds, t.Search.Workers)
	x := choose(t, all, d)
	if !t.accepts(x[:d], x[d:2*d]) {
		for _, pr := range pairs {
			if t.accepts(c.row(pr.i), c.row(pr.j)) {
				x = slices.Concat(c.row(pr.i), c.row(pr.j))
				break
			}
		}
	}
	return Choice{
		A: clone(x[:d]), B: clone(x[d : 2*d]), Value: NewEvaluator(p, acq).At(x[:2*d], nil),
		Best: peaks[0].X, Mean: peaks[0].Mean, Partial: ctx.Err() != nil,
	}
}

// thompson asks the maximisers of two drawn functions, or of one against the option held. If they are the
// same option, the second function's next best local maximum takes part.
func (f *field) thompson(ctx context.Context, t Task) Choice {
	p := t.Posterior
	d := f.d
	peak := f.recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)[0]
	fs := p.Functions(rand.New(rand.NewPCG(t.Seed, uint64(t.Count))), 2)
	raw := clone(f.askable)
	if f.ask.contains(peak.X) {
		raw = append(raw, peak.X...)
	}
	a := ascent{g: f.ground, sides: []side{f.ask}}
	maxima := func(fn *gp.Function) []float64 {
		m := gp.NewMoments(1)
		value := make([]float64, len(raw)/d)
		for i := range value {
			value[i] = fn.At(m, raw[i*d:(i+1)*d], nil)
		}
		var starts, out []float64
		for _, i := range topRows(value, 4) {
			starts = append(starts, raw[i*d:(i+1)*d]...)
		}
		for _, r := range a.from(ctx, func() maximize.Objective {
			m := gp.NewMoments(1)
			return func(x, grad []float64) float64 { return fn.At(m, x, grad) }
		}, starts, maximize.Settings{MaxEvals: t.Search.Evals}, exchangeRounds, t.Search.Workers) {
			out = append(out, r.X...)
		}
		return append(out, raw...)
	}
	first := t.Hold
	if first == nil {
		first = maxima(fs[0])[:d]
	}
	c := Choice{A: clone(first), Value: math.NaN(), Best: peak.X, Mean: peak.Mean, Partial: ctx.Err() != nil}
	c.B = t.other(c.A, maxima(fs[1]))
	return c
}

// other returns the first of the rows that differs from a and may be asked against it, else the first
// that differs.
func (t Task) other(a, rows []float64) []float64 {
	d := len(a)
	var any []float64
	for i := 0; i < len(rows); i += d {
		b := rows[i : i+d]
		if slices.Equal(a, b) {
			continue
		}
		if t.accepts(a, b) {
			return clone(b)
		}
		if any == nil {
			any = clone(b)
		}
	}
	return any
}

// randomTries bounds the points that are tried for a question; then come the askable options at hand.
const randomTries = 256

// random asks point Count of a scrambled Sobol sequence over the parameters of both sides. What cannot be
// asked is replaced by point Count under another scrambling.
func (f *field) random(ctx context.Context, t Task) Choice {
	d := f.d
	peak := f.recommend(ctx, t.utility(), t.Shown, t.Previous, t.Seed, t.Search.Workers)[0]
	c := Choice{Value: math.NaN(), Best: peak.X, Mean: peak.Mean}
	for k := range uint64(randomTries) {
		u := randomPoint(2*len(f.dom.Parts), t.Sequence+k*0x9e3779b97f4a7c15, t.Count)
		draw := func(u []float64) []float64 {
			x := make([]float64, d)
			f.dom.place(x, u)
			for _, j := range f.free {
				x[j] = f.ask.lo[j] + x[j]*(f.ask.hi[j]-f.ask.lo[j])
			}
			return x
		}
		c.A, c.B = t.Hold, draw(u[len(u)/2:])
		if c.A == nil {
			c.A = draw(u[:len(u)/2])
		}
		if (t.Hold != nil || f.ask.may(c.A)) && f.ask.may(c.B) && !slices.Equal(c.A, c.B) && t.accepts(c.A, c.B) {
			c.A = clone(c.A)
			return c
		}
	}
	rng := rand.New(rand.NewPCG(t.Sequence, uint64(t.Count)))
	var rows []float64
	for _, i := range rng.Perm(len(f.askable) / d) {
		rows = append(rows, f.askable[i*d:(i+1)*d]...)
	}
	if c.A = t.Hold; c.A == nil {
		c.A = rows[:d]
	}
	c.A, c.B = clone(c.A), t.other(c.A, rows)
	return c
}

// randomPoint returns point k of a scrambled Sobol sequence, or a random one where there are more
// dimensions than the sequence has.
func randomPoint(d int, seed uint64, k int) []float64 {
	u := make([]float64, d)
	if d <= sobol.MaxDim {
		sobol.Scrambled(d, seed).At(uint64(k), u)
		return u
	}
	rng := rand.New(rand.NewPCG(seed, uint64(k)))
	for i := range u {
		u[i] = rng.Float64()
	}
	return u
}
