package acquisition

import (
	"context"
	"math"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// random asks pairs of one scrambled Sobol sequence in 2D dimensions (§4, "Random"): question k is its
// point k, whatever the answers.
func random(ctx context.Context, t Task) Choice {
	p := t.Posterior
	d := p.Dim()
	x := make([]float64, 2*d)
	sobol.Scrambled(2*d, t.Sequence).At(uint64(t.Count), x)
	for i := range x {
		j := i % d
		x[i] = t.Lower[j] + x[i]*(t.Upper[j]-t.Lower[j])
	}
	peak := Recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)[0]
	return Choice{A: x[:d:d], B: x[d:], Value: math.NaN(), Best: peak.X, Mean: peak.Mean}
}
