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
	add(f.corners(t.Seed))
	add(f.changes(peaks[0].X))
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

// corners returns options that may be asked with every continuous coordinate at one of its bounds: what
// says most about far regions, and often what is most uncertain. On a cube of few dimensions that is all
// of them.
func (f *field) corners(seed uint64) []float64 {
	if len(f.free) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 0xc04e))
	var out []float64
	for i := range min(groundCorners, len(f.askable)/f.d) {
		x := clone(f.askable[i*f.d : (i+1)*f.d])
		for _, j := range f.free {
			x[j] = f.ask.lo[j]
			if rng.IntN(2) == 1 {
				x[j] = f.ask.hi[j]
			}
		}
		if f.ask.may(x) {
			out = append(out, x...)
		}
	}
	return out
}

// changesMost bounds the options that changes returns.
const changesMost = 64

// changes returns the feasible options that differ from x in one discrete part: where x̂ has no better
// neighbour in its continuous coordinates, these are its rivals.
func (f *field) changes(x []float64) []float64 {
	var out []float64
	for _, p := range f.discrete {
		for l := range p.count() {
			y := clone(x)
			copy(p.of(y), p.level(l))
			if len(out) < changesMost*f.d && f.dom.feasible(y) {
				out = append(out, y...)
			}
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
		Best: peaks[0].X, Mean: peaks[0].Mean, Others: t.hills(x, all), Partial: ctx.Err() != nil,
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
