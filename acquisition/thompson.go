package acquisition

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// thompson draws two functions from the posterior and asks their maximisers against each other.
func thompson(ctx context.Context, t Task) Choice {
	p := t.Posterior
	d := p.Dim()
	peaks := Recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)
	fs := p.Functions(rand.New(rand.NewPCG(t.Seed, uint64(t.Count))), 2)
	raw := sobol.Points(d, t.Search.Candidates, t.Seed^uint64(t.Count))
	raw = append(raw, peaks[0].X...)
	raw = append(raw, Around(p, peaks[0].X, candidateNear, rand.New(rand.NewPCG(t.Seed, 0x7450)))...)
	side := func(f *gp.Function) []float64 {
		ms := maximize.MultiStart{Workers: t.Search.Workers, Starts: 4, Settings: maximize.Settings{MaxEvals: t.Search.Evals}}
		best, _, _ := ms.Maximize(ctx, func() maximize.Objective { // an ended context shows in ctx.Err below
			m := gp.NewMoments(1)
			return func(x, grad []float64) float64 { return f.At(m, x, grad) }
		}, t.Lower, t.Upper, raw)
		return best.X
	}
	return Choice{A: side(fs[0]), B: side(fs[1]), Value: math.NaN(),
		Best: peaks[0].X, Mean: peaks[0].Mean, Partial: ctx.Err() != nil}
}
