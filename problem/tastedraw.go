package problem

import (
	"math"
	"math/rand/v2"
	"slices"
)

// features is the number of waves in a draw from a Gaussian process.
const features = 128

// fourier draws from a Gaussian process with lengthscales between lo and hi of the range, by random Fourier features (Rahimi
// and Recht 2007): √(2/m) Σ aₖ cos(wₖᵀu + bₖ), a normal, b uniform, w from the spectral density: normal over the lengthscale for
// the squared exponential (ν = ∞), for Matérn ν a Student t of 2ν degrees of freedom, w = z/ℓ · √(2ν/χ²). ν is drawn from
// those given.
//
// Random points are √(d/6) apart, so lengthscales grow with √d beyond two dimensions, as does the least distance of two hills.
// Those of the coordinates differ by factors of about 1.5.
func fourier(lo, hi float64, orders ...float64) func(*rand.Rand, int) landscape {
	return func(rng *rand.Rand, d int) landscape {
		order := orders[rng.IntN(len(orders))]
		scale := between(rng, lo, hi) * math.Sqrt(max(1, float64(d)/2))
		lengths := make([]float64, d)
		for j := range lengths {
			lengths[j] = scale * math.Exp(0.4*rng.NormFloat64())
		}
		return waves(rng, order, lengths)
	}
}

// waves is a draw with known lengthscales.
func waves(rng *rand.Rand, order float64, lengths []float64) landscape {
	wave, shift, height := make([][]float64, features), make([]float64, features), make([]float64, features)
	for k := range wave {
		stretch := 1.0
		if !math.IsInf(order, 1) {
			chi := 0.0
			for range int(2 * order) {
				chi += square(rng.NormFloat64())
			}
			stretch = math.Sqrt(2 * order / chi)
		}
		wave[k] = make([]float64, len(lengths))
		for j := range lengths {
			wave[k][j] = rng.NormFloat64() * stretch / lengths[j]
		}
		shift[k], height[k] = 2*math.Pi*rng.Float64(), rng.NormFloat64()*math.Sqrt(2.0/features)
	}
	return landscape{f: func(u []float64) float64 {
		s := 0.0
		for k, w := range wave {
			s += height[k] * math.Cos(dot(w, u)+shift[k])
		}
		return s
	}}
}

// ideal is a taste with one ideal point, and a utility that falls with the squared distance q from it: half of them inside the
// space, the others on some of its faces or beyond. Distances are stretched by about 1.5 along axes that may be turned, and q is 1 at a distance
// of √d/2.
func ideal(fall func(q float64) float64) func(*rand.Rand, int) landscape {
	return func(rng *rand.Rand, d int) landscape {
		at := anywhere(rng, d, 0, 1)
		if where := rng.IntN(4); where < 2 { // on a face, or beyond it, and perhaps on others
			must := rng.IntN(d)
			for j := range at {
				if j != must && rng.IntN(4) > 0 {
					continue
				}
				if at[j] = math.Round(at[j]); where == 1 {
					at[j] += (2*at[j] - 1) * 0.5 * rng.Float64()
				}
			}
		}
		axes, weight := rotation(rng, d), make([]float64, d)
		for i := range weight {
			weight[i] = math.Exp(0.4*rng.NormFloat64()) * 2 / math.Sqrt(float64(d))
		}
		return landscape{f: func(u []float64) float64 {
			q := 0.0
			for i, a := range axes {
				q += square(weight[i] * across(a, u, at))
			}
			return fall(q)
		}, hints: [][]float64{at}}
	}
}

// across returns aᵀ(u − at).
func across(a, u, at []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += v * (u[j] - at[j])
	}
	return s
}

// effect is what one coordinate is worth: rising or falling, evenly, ever less or in an S; or highest at some value.
func effect(rng *rand.Rand) func(v float64) float64 {
	at, turned := rng.Float64(), rng.IntN(2) == 0
	var g func(v float64) float64
	switch rng.IntN(5) {
	case 0:
		power := between(rng, 0.4, 2.5)
		g = func(v float64) float64 { return math.Pow(v, power) }
	case 1:
		steep := between(rng, 4, 12)
		g = func(v float64) float64 { return 1 / (1 + math.Exp(-steep*(v-at))) }
	case 2:
		g = func(v float64) float64 { return -2 * square(v-at) }
	case 3:
		g = func(v float64) float64 { return -1.5 * math.Abs(v-at) }
	default:
		wide := between(rng, 0.15, 0.5)
		g = func(v float64) float64 { return math.Exp(-0.5 * square((v-at)/wide)) }
	}
	return func(v float64) float64 {
		if turned {
			v = 1 - v
		}
		return g(v)
	}
}

// additive is a sum of effects of weights that differ by factors of about 2; a fifth of them hardly count.
func additive(rng *rand.Rand, d int) landscape {
	effects, weight := make([]func(float64) float64, d), make([]float64, d)
	for j := range effects {
		effects[j], weight[j] = effect(rng), math.Exp(0.7*rng.NormFloat64())
		if d > 1 && rng.IntN(5) == 0 {
			weight[j] *= 0.02
		}
	}
	return landscape{f: func(u []float64) float64 {
		s := 0.0
		for j, v := range u {
			s += weight[j] * effects[j](v)
		}
		return s
	}}
}

// linear is a weighted sum of normal weights. Its best option is a corner.
func linear(rng *rand.Rand, d int) landscape {
	weight := make([]float64, d)
	for j := range weight {
		weight[j] = rng.NormFloat64()
	}
	return landscape{f: func(u []float64) float64 { return dot(weight, u) }}
}

// interacting adds products of two effects to an additive taste, as heavy as its sum.
func interacting(rng *rand.Rand, d int) landscape {
	base := additive(rng, d)
	type product struct {
		j, k   int
		g, h   func(float64) float64
		weight float64
	}
	products := make([]product, d)
	for i := range products {
		two := rng.Perm(d)
		products[i] = product{two[0], two[1], effect(rng), effect(rng), 3 * rng.NormFloat64()}
	}
	return landscape{f: func(u []float64) float64 {
		s := base.f(u)
		for _, p := range products {
			s += p.weight * p.g(u[p.j]) * p.h(u[p.k])
		}
		return s
	}}
}

// ridge is a narrow crest in a random direction that rises slowly to a point of it.
func ridge(rng *rand.Rand, d int) landscape {
	at, wide, slope := anywhere(rng, d, 0, 1), between(rng, 0.05, 0.15), between(rng, 0.2, 0.6)
	axis := rotation(rng, d)[0]
	return landscape{f: func(u []float64) float64 {
		along, a := 0.0, across(axis, u, at)
		for j, v := range u {
			along += square(v - at[j])
		}
		return math.Exp(-0.5*square(a/wide)) - slope*math.Sqrt(max(0, along-a*a))/math.Sqrt(float64(d))
	}, hints: [][]float64{at}}
}

// plateau is a smooth taste whose upper part, or lower part, is all the same.
func plateau(rng *rand.Rand, d int) landscape {
	base := fourier(0.5, 1.5, math.Inf(1))(rng, d)
	if rng.IntN(2) == 0 {
		base = ideal(func(q float64) float64 { return -q })(rng, d)
	}
	values := make([]float64, 512)
	for i := range values {
		values[i] = base.f(anywhere(rng, d, 0, 1))
	}
	slices.Sort(values)
	if rng.IntN(2) == 0 { // the best 4 to 30 %
		top := values[int(float64(len(values))*(1-between(rng, 0.04, 0.3)))]
		return landscape{f: func(u []float64) float64 { return min(base.f(u), top) }, hints: base.hints}
	}
	floor := values[int(float64(len(values))*(1-between(rng, 0.1, 0.4)))]
	return landscape{f: func(u []float64) float64 { return max(base.f(u), floor) }, hints: base.hints}
}

// cliff is a taste for more and more in a random direction, and on top of a gentle one, up to a point: a hundredth of the range
// further all is lost.
func cliff(rng *rand.Rand, d int) landscape {
	base, at, axis := fourier(0.8, 2, math.Inf(1))(rng, d), anywhere(rng, d, 0.15, 0.85), rotation(rng, d)[0]
	drop, rise, wide := between(rng, 1.5, 4), between(rng, 0.5, 2), between(rng, 0.002, 0.01)
	return landscape{f: func(u []float64) float64 {
		a := across(axis, u, at)
		return 0.5*base.f(u) + rise*a - drop/(1+math.Exp(-a/wide))
	}}
}

// hills is the highest of two to five bumps of different heights and widths.
func hills(rng *rand.Rand, d int) landscape {
	centres, height, wide := make([][]float64, 2+rng.IntN(4)), make([]float64, 5), make([]float64, 5)
	for k := range centres {
		centres[k] = anywhere(rng, d, 0, 1)
		height[k] = 0.6 + 0.4*rng.Float64()
		wide[k] = between(rng, 0.08, 0.25) * math.Sqrt(float64(d))
	}
	return landscape{f: func(u []float64) float64 {
		best := 0.0
		for k, c := range centres {
			q := 0.0
			for j, v := range u {
				q += square((v - c[j]) / wide[k])
			}
			best = max(best, height[k]*math.Exp(-0.5*q))
		}
		return best
	}, hints: centres}
}

// known is a function of the catalogue, seen through a window that is 0.4 to 0.8 of its box, turned, flipped and moved: a
// maximiser comes to lie anywhere in the cube. A function of fewer dimensions has idle coordinates beside its own.
//
//	f(lower + (upper − lower)(u* + sR(u − c)))
func known(of func(d int) Problem) func(*rand.Rand, int) landscape {
	return func(rng *rand.Rand, d int) landscape {
		p := of(d)
		active := rng.Perm(d)[:p.Dim]
		axes, at, zoom := rotation(rng, p.Dim), anywhere(rng, d, 0, 1), 0.4+0.4*rng.Float64()
		peak := p.Maximisers[rng.IntN(len(p.Maximisers))]
		return landscape{f: func(u []float64) float64 {
			x := slices.Clone(peak)
			for i, a := range axes {
				s := 0.0
				for j, v := range a {
					s += v * (u[active[j]] - at[active[j]])
				}
				x[i] += (p.Upper[i] - p.Lower[i]) * zoom * s
			}
			return p.F(x)
		}, hints: [][]float64{at}}
	}
}
