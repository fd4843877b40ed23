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

// thompson draws two functions from the posterior and asks their maximisers against each other.
func (c cube) thompson(ctx context.Context, t Task) Choice {
	p := t.Posterior
	d := p.Dim()
	peaks := c.recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	fs := p.Functions(rand.New(rand.NewPCG(t.Seed, uint64(t.Count))), 2)
	raw := sobol.Points(d, t.Search.Candidates, t.Seed^uint64(t.Count))
	raw = append(raw, peaks[0].X...)
	raw = append(raw, Around(p, peaks[0].X, candidateNear, rand.New(rand.NewPCG(t.Seed, 0x7450)))...)
	side := func(f *gp.Function) []float64 {
		ms := maximize.MultiStart{Workers: t.Search.Workers, Starts: 4, Settings: maximize.Settings{MaxEvals: t.Search.Evals}}
		best, _ := ms.Maximize(ctx, func() maximize.Objective { // an ended context shows in ctx.Err below
			m := gp.NewMoments(1)
			return func(x, grad []float64) float64 { return f.At(m, x, grad) }
		}, t.Lower, t.Upper, raw)
		return best.X
	}
	return Choice{A: side(fs[0]), B: side(fs[1]), Value: math.NaN(),
		Best: peaks[0].X, Mean: peaks[0].Mean, Partial: ctx.Err() != nil}
}

// On a mixed region, with a side held, one maximiser plays against that. If the two are the same option, the
// second function's next best local maximum takes part.
func (f *mixed) thompson(ctx context.Context, t Task) Choice {
	p := t.Posterior
	d := f.d
	peak := f.recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)[0]
	fs := p.Functions(rand.New(rand.NewPCG(t.Seed, uint64(t.Count))), 2)
	raw := clone(f.askable)
	if f.ask.contains(peak.X) {
		raw = append(raw, peak.X...)
	}
	a := ascent{in: f.region, limits: []limits{f.ask}}
	maxima := func(fn *gp.Function) []float64 {
		m := gp.NewMoments(1)
		value := make([]float64, len(raw)/d)
		for i := range value {
			value[i] = fn.At(m, raw[i*d:(i+1)*d], nil)
		}
		var out []float64
		for _, r := range a.from(ctx, func() maximize.Objective {
			m := gp.NewMoments(1)
			return func(x, grad []float64) float64 { return fn.At(m, x, grad) }
		}, pick(raw, d, topRows(value, 4)), maximize.Settings{MaxEvals: t.Search.Evals}, exchangeRounds, t.Search.Workers) {
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

// other returns the first of the rows that differs from a and may be asked against it, else the first that differs.
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

// thompson asks the best rows of two joint draws over the promising rows, or that of one against the row
// held. The second passes over what is equal to the first, or may not be asked with it, if it can.
func (l *list) thompson(ctx context.Context, t Task) Choice {
	l.learn(t)
	pool := append(topRows(l.score(2), thompsonPool), l.unseen(t.Seed)...)
	best := l.draws(pool, 2*listDraws, rand.New(rand.NewPCG(t.Seed, uint64(t.Count))))
	first := l.hold
	if first < 0 {
		first, best = best[0], best[1:]
	}
	c := l.choice(ctx, first, first)
	c.B = t.other(c.A, l.pick(append(best, pool...)))
	return c
}
