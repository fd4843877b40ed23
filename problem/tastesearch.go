package problem

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	exhaustive = 20_000 // combinations of levels that are all tried
	coarse     = 4e-3   // of the range: steps at which a first climb ends
	finest     = 1e-7   // and that of the best few
	finalists  = 6
)

// search finds the best option: all of them where there are few, else a climb from the hints and from the best of many
// uniform ones. hints are points of the unit cube in the coordinates of the continuous parts; the others try every level.
func (t *Taste) search(rng *rand.Rand, hints [][]float64) (float64, []float64) {
	if all, ok := t.all(); ok {
		best := slices.MaxFunc(all, func(a, b []float64) int { return cmp.Compare(t.f(a), t.f(b)) })
		return t.f(best), best
	}
	d := len(t.Parts)
	type start struct {
		x []float64
		f float64
	}
	pool := make([]start, 3000+1000*d)
	for i := range pool {
		x := t.uniform(rng)
		pool[i] = start{x, t.f(x)}
	}
	higher := func(a, b start) int { return cmp.Compare(b.f, a.f) }
	slices.SortStableFunc(pool, higher)
	starts := 30 + 15*d
	if t.Shape == Mixed { // levels cut the hills apart
		starts *= 2
	}
	pool = pool[:starts]
	for _, h := range hints {
		for range 8 { // with other levels of the discrete parts
			x := t.uniform(rng)
			for j, p := range t.Parts {
				if p.Kind == Continuous {
					x[j] = min(1, max(0, h[j]))
				}
			}
			pool = append(pool, start{x, t.f(x)})
		}
	}
	for i, s := range pool {
		pool[i].x, pool[i].f = t.climb(rng, s.x, s.f, 0.05, coarse)
	}
	slices.SortStableFunc(pool, higher)
	best := pool[0]
	for _, s := range pool[:finalists] {
		if x, f := t.climb(rng, s.x, s.f, coarse, finest); f > best.f {
			best = start{x, f}
		}
	}
	for range finalists { // from near the best, in case a narrow ridge stopped the climb
		best.x, best.f = t.climb(rng, best.x, best.f, 0.02, finest)
	}
	return best.f, best.x
}

// all lists the options of a space without continuous parts, if they are few.
func (t *Taste) all() ([][]float64, bool) {
	count := 1
	for _, p := range t.Parts {
		if p.Kind == Continuous || count*p.Levels > exhaustive {
			return nil, false
		}
		count *= p.Levels
	}
	out := make([][]float64, count)
	for i := range out {
		x, rest := make([]float64, len(t.Parts)), i
		for j, p := range t.Parts {
			x[j] = float64(rest % p.Levels)
			rest /= p.Levels
		}
		out[i] = x
	}
	return out, true
}

// climb goes uphill by steps along the axes and as many random directions, twice as long after a success, half as
// long when none of them helps; levels are tried all, one part at a time. No gradient, since there are cliffs.
func (t *Taste) climb(rng *rand.Rand, from []float64, f, step, least float64) ([]float64, float64) {
	x, trial := slices.Clone(from), slices.Clone(from)
	try := func() bool {
		if v := t.f(trial); v > f {
			f = v
			copy(x, trial)
			return true
		}
		copy(trial, x)
		return false
	}
	d := len(t.Parts)
	move := func(along []float64, by float64) bool {
		for j, p := range t.Parts {
			if p.Kind == Continuous {
				trial[j] = min(1, max(0, x[j]+by*along[j]))
			}
		}
		return try()
	}
	along := make([]float64, d)
	for step > least {
		better := false
		for k := range 2 * d {
			if clear(along); k < d {
				if p := t.Parts[k]; p.Kind != Continuous {
					for level := range p.Levels {
						trial[k] = float64(level)
						better = try() || better
					}
					continue
				}
				along[k] = 1
			} else {
				for j := range along {
					along[j] = rng.NormFloat64()
				}
				size := math.Sqrt(dot(along, along))
				for j := range along {
					along[j] /= size
				}
			}
			for _, by := range []float64{step, -step} {
				if move(along, by) {
					better = true
					for by *= 2; move(along, by) && math.Abs(by) < 1; by *= 2 {
					}
					break
				}
			}
		}
		if !better {
			step /= 2
		}
	}
	return x, f
}
