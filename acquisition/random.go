package acquisition

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// random asks pairs of one scrambled Sobol sequence in 2D dimensions (§4, "Random"): question k is its point k, whatever the answers.
func (c cube) random(ctx context.Context, t Task) Choice {
	p := t.Posterior
	d := p.Dim()
	x := make([]float64, 2*d)
	sobol.Scrambled(2*d, t.Sequence).At(uint64(t.Count), x)
	for i := range x {
		j := i % d
		x[i] = t.Lower[j] + x[i]*(t.Upper[j]-t.Lower[j])
	}
	peak := c.recommend(ctx, p, t.Shown, t.Previous, t.Seed, t.Search.Workers)[0]
	return Choice{A: x[:d:d], B: x[d:], Value: math.NaN(), Best: peak.X, Mean: peak.Mean}
}

// randomTries bounds the points that are tried for a question; then come the askable options at hand.
const randomTries = 256

// random asks point Count of a scrambled Sobol sequence over the parameters of both sides. What cannot be
// asked is replaced by point Count under another scrambling.
func (f *mixed) random(ctx context.Context, t Task) Choice {
	d := f.d
	peak := f.recommend(ctx, t.utility(), t.Shown, t.Previous, t.Seed, t.Search.Workers)[0]
	c := Choice{Value: math.NaN(), Best: peak.X, Mean: peak.Mean}
	for k := range uint64(randomTries) {
		u := randomPoint(2*len(f.dom.Parts), t.Sequence+k*0x9e3779b97f4a7c15, t.Count)
		draw := func(u []float64) []float64 {
			x := make([]float64, d)
			f.dom.fromUnit(x, u)
			f.ask.place(x)
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
	rows := pick(f.askable, d, rng.Perm(len(f.askable)/d))
	if c.A = t.Hold; c.A == nil {
		c.A = rows[:d]
	}
	c.A, c.B = clone(c.A), t.other(c.A, rows)
	return c
}

// random asks pairs of rows, point Count of a scrambled Sobol sequence in two dimensions.
func (l *list) random(ctx context.Context, t Task) Choice {
	l.mean = make([]float64, l.n)
	t.utility().Means(l.mean, l.rows, l.workers)
	l.best = topRows(l.mean, 1)[0]
	var rows []int
	for i := range l.n {
		if l.asked[i] {
			rows = append(rows, i)
		}
	}
	at := func(u float64) int { return rows[min(int(u*float64(len(rows))), len(rows)-1)] }
	first, second := -1, -1
	for k := range uint64(randomTries) {
		u := randomPoint(2, t.Sequence+k*0x9e3779b97f4a7c15, t.Count)
		i, j := l.hold, at(u[1])
		if i < 0 {
			i = at(u[0])
		}
		if slices.Equal(l.row(i), l.row(j)) {
			continue
		}
		if first, second = i, j; t.accepts(l.row(i), l.row(j)) {
			break
		}
	}
	if first < 0 { // nearly all rows are copies of one
		if first = l.hold; first < 0 {
			first = rows[0]
		}
		second = slices.IndexFunc(rows, func(i int) bool { return !slices.Equal(l.row(i), l.row(first)) })
		second = rows[second]
	}
	return l.choice(ctx, first, second)
}

// randomPoint returns point k of a scrambled Sobol sequence, or a random one where there are more dimensions than the sequence has.
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
