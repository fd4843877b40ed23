package judges

import (
	"context"
	"math"
	"math/rand/v2"
)

// elo asks random pairs and rates them as chess players are: R ← R + K (won − expected), expected 1/(1 + 10^((R' − R)/400)), K = 32. The best has the highest rating.
type elo struct {
	r      *rand.Rand
	rating []float64
	a, b   int
}

func newElo(r *rand.Rand, n int) *elo { return &elo{r: r, rating: make([]float64, n)} }

func (p *elo) next(context.Context) (int, int, error) {
	n := len(p.rating)
	p.a, p.b = p.r.IntN(n), p.r.IntN(n-1)
	if p.b >= p.a {
		p.b++
	}
	return p.a, p.b, nil
}

func (p *elo) told(_ context.Context, tookA, _ bool) error {
	const k = 32
	won := 0.0
	if tookA {
		won = 1
	}
	step := k * (won - 1/(1+math.Pow(10, (p.rating[p.b]-p.rating[p.a])/400)))
	p.rating[p.a] += step
	p.rating[p.b] -= step
	return nil
}

func (p *elo) pick(context.Context) (int, float64, error) { return most(p.r, p.rating), 0, nil }
