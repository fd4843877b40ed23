package acquisition

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// pairStarts is the number of local searches of a pair: its surface is smoother than the one-shot
// form's and needs fewer.
const pairStarts = 6

// searchPair maximises an acquisition of the two options alone: all pairs of candidates are ranked by
// a cheap formula on their joint moments, the best of them by the acquisition itself, and local
// searches climb from the best distinct ones. A nil screen stands for the acquisition itself.
func searchPair(ctx context.Context, t Task, acq, screen Acquisition) Choice {
	p := t.Posterior
	d := p.Dim()
	peaks := Recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	c := newCandidates(t, peaks, nil)
	m := gp.NewMoments(2)
	first := screen
	if first == nil {
		first = acq
	}
	var pairs []ranked
	for i := range c.n {
		for j := range i {
			c.pair(m, i, j)
			if v := first.Value(m, nil); !math.IsNaN(v) {
				pairs = append(pairs, ranked{i, j, v})
			}
		}
	}
	slices.SortFunc(pairs, byScore)
	pairs = pairs[:min(len(pairs), rankKeep)]
	if screen != nil {
		for k := range pairs {
			c.pair(m, pairs[k].i, pairs[k].j)
			pairs[k].score = acq.Value(m, nil)
		}
		slices.SortFunc(pairs, byScore)
	}
	near := func(a, b int) bool { return closeTo(c.row(a), c.row(b), 0.05) }
	chosen := spreadOut(pairs, pairStarts, func(a, b ranked) bool {
		return near(a.i, b.i) && near(a.j, b.j) || near(a.i, b.j) && near(a.j, b.i)
	})
	starts := make([]float64, 0, 2*d*len(chosen))
	for _, pr := range chosen {
		starts = append(append(starts, c.row(pr.i)...), c.row(pr.j)...)
	}
	lo, hi := append(clone(t.Lower), t.Lower...), append(clone(t.Upper), t.Upper...)
	ms := maximize.MultiStart{Workers: t.Search.Workers,
		Settings: maximize.Settings{MaxEvals: t.Search.Evals, GradTol: 1e-7, ValueTol: 1e-10}}
	newObjective := func() maximize.Objective { return NewEvaluator(p, acq).At }
	_, all, _ := ms.From(ctx, newObjective, lo, hi, starts) // an ended context shows in ctx.Err below
	slices.SortStableFunc(all, byValue)
	x := choose(t, all, d)
	if !t.accepts(x[:d], x[d:2*d]) {
		if _, pair := c.acceptable(t, pairs); pair != nil {
			x = pair
		}
	}
	return Choice{
		A: clone(x[:d]), B: clone(x[d : 2*d]), Value: NewEvaluator(p, acq).At(x[:2*d], nil),
		Best: peaks[0].X, Mean: peaks[0].Mean, Others: t.hills(x, all), Partial: ctx.Err() != nil,
	}
}
