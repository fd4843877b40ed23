package problem

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// landscape is a function on the unit cube, and where its maximum may lie if the draw knows.
type landscape struct {
	f     func(u []float64) float64
	hints [][]float64
}

// Words for all families of a kind in [TasteOptions].
const (
	smoothFamilies   = "smooth"
	ruggedFamilies   = "rugged"
	conjointFamilies = "conjoint"
)

// tasteFamily makes landscapes of at least so many dimensions.
type tasteFamily struct {
	name   string
	kind   string
	least  int
	weight int // how many of its kind when any will do
	draw   func(rng *rand.Rand, d int) landscape
}

// tasteFamilies lists what people's tastes are drawn from. Where any will do a family is drawn with its weight, among those that can have so many parts: of
// all weights the smooth ones have 26, the rugged ones 16, the conjoint ones 21, a third. A word for all of a kind draws among that kind alone.
var tasteFamilies = []tasteFamily{
	{"gp gentle", smoothFamilies, 1, 2, fourier(0.8, 2, math.Inf(1), 2.5)},
	{"gp wavy", smoothFamilies, 1, 4, fourier(0.4, 0.8, math.Inf(1), 2.5)},
	{"ideal distance", smoothFamilies, 1, 2, ideal(func(q float64) float64 { return -math.Sqrt(q) })},
	{"ideal square", smoothFamilies, 1, 2, ideal(func(q float64) float64 { return -q })},
	{"ideal bump", smoothFamilies, 1, 2, ideal(func(q float64) float64 { return math.Exp(-2 * q) })},
	{"additive", smoothFamilies, 1, 4, additive},
	{"linear", smoothFamilies, 1, 1, linear},
	{"interacting", smoothFamilies, 2, 3, interacting},
	{"quadratic", smoothFamilies, 1, 1, known(Quadratic)},
	{"branin", smoothFamilies, 2, 1, known(func(int) Problem { return Branin() })},
	{"hartmann3", smoothFamilies, 3, 1, known(func(int) Problem { return Hartmann3() })},
	{"hartmann6", smoothFamilies, 6, 1, known(func(int) Problem { return Hartmann6() })},
	{"styblinski", smoothFamilies, 1, 1, known(StyblinskiTang)},
	{"rosenbrock", smoothFamilies, 2, 1, known(Rosenbrock)},
	{"gp rough", ruggedFamilies, 1, 3, fourier(0.2, 0.4, 1.5, 2.5)},
	{"ridge", ruggedFamilies, 2, 2, ridge},
	{"plateau", ruggedFamilies, 1, 2, plateau},
	{"cliff", ruggedFamilies, 1, 2, cliff},
	{"hills", ruggedFamilies, 1, 3, hills},
	{"ackley", ruggedFamilies, 1, 1, known(Ackley)},
	{"alpine", ruggedFamilies, 1, 1, known(Alpine1)},
	{"levy", ruggedFamilies, 1, 1, known(Levy)},
	{"griewank", ruggedFamilies, 1, 1, known(Griewank)},
	{"part-worths", conjointFamilies, 1, 7, conjoint},
	{"threshold", conjointFamilies, 1, 4, threshold},
	{"together", conjointFamilies, 2, 4, together},
	{"dominant", conjointFamilies, 2, 3, dominant},
	{indifferent, conjointFamilies, 1, 3, conjoint},
}

// indifferent is the family of people who hardly care: part-worths, with a noise at which not a tenth but 0.3 of the answers about random options are wrong.
const indifferent = "indifferent"

// TasteFamilies returns the names of the families of tastes about parameters and features. Plain lists have two of their own, "own" and "exception".
func TasteFamilies() (names []string) {
	return xslices.Map(tasteFamilies, func(f tasteFamily) string { return f.name })
}

// pickFamily returns a family and a number of parts as the options want them.
func pickFamily(rng *rand.Rand, o TasteOptions) (tasteFamily, int, error) {
	if o.Dim < 0 || o.Dim > maxTasteDim {
		return tasteFamily{}, 0, fmt.Errorf("problem: TasteOptions.Dim = %d, want 1 to %d, or 0 for any", o.Dim, maxTasteDim)
	}
	d := o.Dim
	if any := [...]int{1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 6, 7, 8}[rng.IntN(14)]; d == 0 {
		d = any
	}
	var fit []tasteFamily
	for _, f := range tasteFamilies {
		wanted := o.Family == "" || o.Family == f.name || o.Family == f.kind
		if o.Dim == 0 && o.Family == f.name {
			d = max(d, f.least)
		}
		if wanted && f.least <= d {
			fit = append(fit, slices.Repeat([]tasteFamily{f}, f.weight)...)
		}
	}
	if len(fit) == 0 {
		return tasteFamily{}, 0, fmt.Errorf("problem: no family %q in %d dimensions; known are %s, smooth, rugged and conjoint",
			o.Family, d, strings.Join(TasteFamilies(), ", "))
	}
	return fit[rng.IntN(len(fit))], d, nil
}

// rotation returns the rows of a random rotation of d dimensions (Gram and Schmidt on normal vectors), or, with probability
// ½ and always in one dimension, of flips alone.
func rotation(rng *rand.Rand, d int) [][]float64 {
	rotate := rng.IntN(2) == 0
	rows := make([][]float64, d)
	for i := range rows {
		rows[i] = make([]float64, d)
		if !rotate {
			rows[i][i] = float64(1 - 2*rng.IntN(2))
			continue
		}
		for j := range rows[i] {
			rows[i][j] = rng.NormFloat64()
		}
		for _, r := range rows[:i] {
			along := dot(r, rows[i])
			for j := range rows[i] {
				rows[i][j] -= along * r[j]
			}
		}
		size := math.Sqrt(dot(rows[i], rows[i]))
		for j := range rows[i] {
			rows[i][j] /= size
		}
	}
	return rows
}

func dot(a, b []float64) float64 {
	return sumOf(a, func(i int, v float64) float64 { return v * b[i] })
}

// anywhere returns a point drawn uniformly from [lo, hi]ᵈ.
func anywhere(rng *rand.Rand, d int, lo, hi float64) []float64 {
	return xslices.Times(d, func(j int) float64 { return lo + (hi-lo)*rng.Float64() })
}

// between returns a number drawn uniformly on a log scale.
func between(rng *rand.Rand, lo, hi float64) float64 { return lo * math.Pow(hi/lo, rng.Float64()) }

const features = 128 // the number of waves in a draw from a Gaussian process

// fourier draws from a Gaussian process with lengthscales between lo and hi of the range, by random Fourier features (Rahimi and Recht 2007): √(2/m) Σ aₖ
// cos(wₖᵀu + bₖ), a normal, b uniform, w from the spectral density: normal over the lengthscale for the squared exponential (ν = ∞), for Matérn ν a Student t
// of 2ν degrees of freedom, w = z/ℓ · √(2ν/χ²). ν is drawn from those given.
//
// Random points are √(d/6) apart, so lengthscales grow with √d beyond two dimensions, as does the least distance of two hills.
// Those of the coordinates differ by factors of about 1.5.
func fourier(lo, hi float64, orders ...float64) func(*rand.Rand, int) landscape {
	return func(rng *rand.Rand, d int) landscape {
		order := orders[rng.IntN(len(orders))]
		scale := between(rng, lo, hi) * math.Sqrt(max(1, float64(d)/2))
		lengths := xslices.Times(d, func(j int) float64 { return scale * math.Exp(0.4*rng.NormFloat64()) })
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
		return sumOf(wave, func(k int, w []float64) float64 { return height[k] * math.Cos(dot(w, u)+shift[k]) })
	}}
}

// ideal is a taste with one ideal point, and a utility that falls with the squared distance q from it: half of them inside the space, the others on some of
// its faces or beyond. Distances are stretched by about 1.5 along axes that may be turned, and q is 1 at a distance of √d/2.
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
		axes := rotation(rng, d)
		weight := xslices.Times(d, func(int) float64 { return math.Exp(0.4*rng.NormFloat64()) * 2 / math.Sqrt(float64(d)) })
		return landscape{f: func(u []float64) float64 {
			return fall(sumOf(axes, func(i int, a []float64) float64 { return square(weight[i] * across(a, u, at)) }))
		}, hints: [][]float64{at}}
	}
}

// across returns aᵀ(u − at).
func across(a, u, at []float64) float64 {
	return sumOf(a, func(j int, v float64) float64 { return v * (u[j] - at[j]) })
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
	worths := make([]worth, d)
	for j := range worths {
		g := effect(rng)
		worths[j] = worth{math.Exp(0.7 * rng.NormFloat64()), g}
		if d > 1 && rng.IntN(5) == 0 {
			worths[j].weight *= 0.02
		}
	}
	return sum(worths)
}

// linear is a weighted sum of normal weights. Its best option is a corner.
func linear(rng *rand.Rand, d int) landscape {
	weight := xslices.Times(d, func(j int) float64 { return rng.NormFloat64() })
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
		a, q := across(axis, u, at), sumOf(u, func(j int, v float64) float64 { return square(v - at[j]) })
		return math.Exp(-0.5*square(a/wide)) - slope*math.Sqrt(max(0, q-a*a))/math.Sqrt(float64(d))
	}, hints: [][]float64{at}}
}

// plateau is a smooth taste whose upper part, or lower part, is all the same.
func plateau(rng *rand.Rand, d int) landscape {
	base := fourier(0.5, 1.5, math.Inf(1))(rng, d)
	if rng.IntN(2) == 0 {
		base = ideal(func(q float64) float64 { return -q })(rng, d)
	}
	values := xslices.Times(512, func(i int) float64 { return base.f(anywhere(rng, d, 0, 1)) })
	slices.Sort(values)
	if rng.IntN(2) == 0 { // the best 4 to 30 %
		top := values[int(float64(len(values))*(1-between(rng, 0.04, 0.3)))]
		return landscape{f: func(u []float64) float64 { return min(base.f(u), top) }, hints: base.hints}
	}
	floor := values[int(float64(len(values))*(1-between(rng, 0.1, 0.4)))]
	return landscape{f: func(u []float64) float64 { return max(base.f(u), floor) }, hints: base.hints}
}

// cliff is a taste for more and more in a random direction, and on top of a gentle one, up to a point: a hundredth of the range further all is lost.
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
			q := sumOf(u, func(j int, v float64) float64 { return square((v - c[j]) / wide[k]) })
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
				s := sumOf(a, func(j int, v float64) float64 { return v * (u[active[j]] - at[active[j]]) })
				x[i] += (p.Upper[i] - p.Lower[i]) * zoom * s
			}
			return p.F(x)
		}, hints: [][]float64{at}}
	}
}

// The conjoint families are tastes as analyses of real choices find them: a sum of part-worths, one per part, in which more or less of nearly everything is
// simply better, and what such sums leave out. Best options lie at the ends of most parts and inside of a few.
//
// Weights are lognormal(0, 0.8): the middle half of them differs by a factor of 3, and the larger of two is 2.5 times the other in
// the median. Either end is as likely to be the better one.

// worth is what one part is worth, between about 0 and its weight.
type worth struct {
	weight float64
	g      func(v float64) float64
}

func sum(worths []worth) landscape {
	return landscape{f: func(u []float64) float64 {
		return sumOf(worths, func(j int, w worth) float64 { return w.weight * w.g(u[j]) })
	}}
}

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
		out[j] = worth{math.Exp(0.8 * rng.NormFloat64()), even(rng)}
		if rng.IntN(4) == 0 {
			out[j].g = idealValue(rng)
		}
	}
	return out
}

func conjoint(rng *rand.Rand, d int) landscape { return sum(partWorths(rng, d)) }

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
	return sum(worths)
}

// together adds the product of two parts, as heavy as both: one is worth more, or less, where there is much of the other.
//
//	w (2u_j − 1)(2u_k − 1),   |w| = w_j + w_k
func together(rng *rand.Rand, d int) landscape {
	worths, two := partWorths(rng, d), rng.Perm(d)
	j, k := two[0], two[1]
	weight := float64(1-2*rng.IntN(2)) * (worths[j].weight + worths[k].weight)
	base := sum(worths).f
	return landscape{f: func(u []float64) float64 { return base(u) + weight*(2*u[j]-1)*(2*u[k]-1) }}
}

// dominant has one part that weighs five times as much as all others together.
func dominant(rng *rand.Rand, d int) landscape {
	worths, first := partWorths(rng, d), rng.IntN(d)
	worths[first].weight = 0 // so that the sum is that of the others
	worths[first].weight = 5 * sumOf(worths, func(_ int, w worth) float64 { return w.weight })
	return sum(worths)
}
