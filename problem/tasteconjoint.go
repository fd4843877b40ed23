package problem

import (
	"math"
	"math/rand/v2"
)

// The conjoint families are tastes as analyses of real choices find them: a sum of part-worths, one per part, in which more or less
// of nearly everything is simply better, and what such sums leave out. Best options lie at the ends of most parts and inside of a
// few.
//
// Weights are lognormal(0, 0.8): the middle half of them differs by a factor of 3, and the larger of two is 2.5 times the other in
// the median. Either end is as likely to be the better one.

// worth is what one part is worth, between about 0 and its weight.
type worth struct {
	weight float64
	g      func(v float64) float64
}

func sumWorths(worths []worth, u []float64) float64 {
	s := 0.0
	for j, w := range worths {
		s += w.weight * w.g(u[j])
	}
	return s
}

// partWeight draws the weight of a part.
func partWeight(rng *rand.Rand) float64 { return math.Exp(0.8 * rng.NormFloat64()) }

// even is worth more and more, or less and less, by equal steps.
func even(rng *rand.Rand) func(v float64) float64 {
	if rng.IntN(2) == 0 {
		return func(v float64) float64 { return 1 - v }
	}
	return func(v float64) float64 { return v }
}

// idealValue is best at a value of the inner 0.7 of the range, and loses as much by a step of half the range as an even part does
// from end to end, or by its square.
func idealValue(rng *rand.Rand) func(v float64) float64 {
	at := 0.15 + 0.7*rng.Float64()
	if rng.IntN(2) == 0 {
		return func(v float64) float64 { return 1 - 2*math.Abs(v-at) }
	}
	return func(v float64) float64 { return 1 - 4*square(v-at) }
}

// partWorths has even parts, and an ideal value in one part of four.
func partWorths(rng *rand.Rand, d int) []worth {
	out := make([]worth, d)
	for j := range out {
		out[j] = worth{partWeight(rng), even(rng)}
		if rng.IntN(4) == 0 {
			out[j].g = idealValue(rng)
		}
	}
	return out
}

func conjoint(rng *rand.Rand, d int) landscape {
	worths := partWorths(rng, d)
	return landscape{f: func(u []float64) float64 { return sumWorths(worths, u) }}
}

// threshold wants "at least this much": in half of the parts, and in one at least, more is worth nothing beyond some value, or, one
// time in three, less is not taken: a tenth of the range below it twice the weight is lost.
func threshold(rng *rand.Rand, d int) landscape {
	worths, must := partWorths(rng, d), rng.IntN(d)
	for j := range worths {
		if j != must && rng.IntN(2) == 0 {
			continue
		}
		at, rising, taken := 0.2+0.6*rng.Float64(), even(rng), rng.IntN(3) > 0
		worths[j].g = func(v float64) float64 {
			if v = rising(v); taken {
				return min(v, at) / at
			}
			return v - 2*min(1, max(0, (at-v)/0.1))
		}
	}
	return landscape{f: func(u []float64) float64 { return sumWorths(worths, u) }}
}

// together adds the product of two parts, as heavy as both: one is worth more, or less, where there is much of the other.
//
//	w (2u_j − 1)(2u_k − 1),   |w| = w_j + w_k
func together(rng *rand.Rand, d int) landscape {
	worths, two := partWorths(rng, d), rng.Perm(d)
	j, k := two[0], two[1]
	weight := float64(1-2*rng.IntN(2)) * (worths[j].weight + worths[k].weight)
	return landscape{f: func(u []float64) float64 {
		return sumWorths(worths, u) + weight*(2*u[j]-1)*(2*u[k]-1)
	}}
}

// dominant has one part that weighs five times as much as all others together.
func dominant(rng *rand.Rand, d int) landscape {
	worths, first := partWorths(rng, d), rng.IntN(d)
	rest := 0.0
	for j, w := range worths {
		if j != first {
			rest += w.weight
		}
	}
	worths[first].weight = 5 * rest
	return landscape{f: func(u []float64) float64 { return sumWorths(worths, u) }}
}
