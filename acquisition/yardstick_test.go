package acquisition

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prefer-bo/prefer/gp"
)

// yardstick looks for the best gain of a task on the cube by brute force. It has the formula in common with the
// search that it measures, and nothing else: x̂, starts and climbs are its own, and nothing is ranked.
type yardstick struct {
	p    *gp.Posterior
	d    int
	kg   KG
	best []float64 // x̂
	ends []float64 // of climbs of the mean, row by row
	rng  *rand.Rand
	eval *Evaluator
}

// newYardstick finds an x̂ of its own.
func newYardstick(t Task, seed uint64) *yardstick {
	t = t.withDefaults()
	y := &yardstick{p: t.Posterior, d: t.Posterior.Dim(), rng: rand.New(rand.NewPCG(seed, 0x7a4d))}
	y.kg = NewKG(y.p.Answers(), y.p.Hyper().Cuts, y.p.Noise())
	y.kg.Sigma = t.Noise
	m := gp.NewMoments(1)
	mean := func(x, grad []float64) float64 { return y.p.MeanGradient(m, x, grad) }
	rows := len(t.Shown) / y.d
	top := math.Inf(-1)
	for i := range 60 {
		x := y.anywhere()
		if i%2 == 0 && rows > 0 {
			copy(x, t.Shown[y.rng.IntN(rows)*y.d:])
		}
		x, v := ascend(mean, x, fill(y.d, 1), 300)
		if y.ends = append(y.ends, x...); v > top {
			y.best, top = x, v
		}
	}
	y.over(y.best, top)
	return y
}

// over makes gains those over best.
func (y *yardstick) over(best []float64, mean float64) {
	y.best, y.kg.Base = clone(best), mean
	y.eval = NewEvaluator(y.p, y.kg)
}

// end is where a climb ended: a one-shot point and the logarithm of its gain.
type end struct {
	x []float64
	v float64
}

// measure returns the best gain it finds. It climbs from 7·effort starts of seven kinds, goes on with the best of
// them, shakes the best of these and climbs again.
func (y *yardstick) measure(effort int) float64 {
	var ends []end
	climb := func(x []float64, evals int) {
		scale := fill(len(x), 1)
		for j := 2 * y.d; j < len(x); j++ { // fantasy points move less than questions, nobody knows how much
			scale[j] = []float64{1, 0.3, 0.1, 0.03}[len(ends)%4]
		}
		if x, v := ascend(y.logGain, x, scale, evals); !math.IsInf(v, -1) {
			ends = append(ends, end{x, v})
		}
	}
	sort := func() { slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(b.v, a.v) }) }
	for range effort {
		for _, pair := range [][2][]float64{
			{y.anywhere(), y.anywhere()},
			{y.edge(), y.edge()},
			{y.best, y.edge()},
			{y.near(y.best), y.near(y.best)},
			{y.inward(), y.best},
			{y.anywhere(), y.best},
			{y.near(y.hill()), y.best},
		} {
			climb(y.start(pair[0], pair[1]), 80)
		}
	}
	sort()
	for _, e := range slices.Clone(ends[:min(len(ends), effort/4)]) {
		climb(e.x, 500)
	}
	sort()
	for i := range effort {
		x := clone(ends[i%min(len(ends), 8)].x)
		size := math.Exp(-4 * y.rng.Float64())
		for j := range x {
			if y.rng.IntN(3) == 0 {
				x[j] = min(max(x[j]+size*y.rng.NormFloat64(), 0), 1)
			}
		}
		climb(y.start(x[:y.d], x[y.d:2*y.d]), 300)
	}
	sort()
	for _, e := range slices.Clone(ends[:min(len(ends), 4)]) {
		climb(e.x, 2000)
	}
	sort()
	return math.Exp(ends[0].v)
}

func (y *yardstick) anywhere() []float64 {
	x := make([]float64, y.d)
	for j := range x {
		x[j] = y.rng.Float64()
	}
	return x
}

// edge returns a point with some coordinates at a bound and some at those of x̂.
func (y *yardstick) edge() []float64 {
	x := y.anywhere()
	for j := range x {
		switch y.rng.IntN(4) {
		case 0:
			x[j] = 0
		case 1:
			x[j] = 1
		case 2:
			x[j] = y.best[j]
		}
	}
	return x
}

// near returns a point in a random direction from x, up to a lengthscale or so away.
func (y *yardstick) near(x []float64) []float64 {
	x = clone(x)
	size := math.Exp(-5 * y.rng.Float64())
	for j, l := range y.p.Hyper().Kernel.Lengthscale {
		x[j] = min(max(x[j]+size*math.Min(l, 1)*y.rng.NormFloat64(), 0), 1)
	}
	return x
}

// hill returns one of the ends of climbs of the mean.
func (y *yardstick) hill() []float64 {
	i := y.rng.IntN(len(y.ends) / y.d)
	return y.ends[i*y.d : (i+1)*y.d]
}

// inward returns x̂ with one or two coordinates elsewhere.
func (y *yardstick) inward() []float64 {
	x := clone(y.best)
	for range 1 + y.rng.IntN(2) {
		x[y.rng.IntN(y.d)] = y.rng.Float64()
	}
	return x
}

// start returns a one-shot point of a question: each fantasy point is the best of a few, the others being at x̂.
func (y *yardstick) start(a, b []float64) []float64 {
	plain := slices.Concat(a, b)
	for range y.kg.Outcomes() {
		plain = append(plain, y.best...)
	}
	x, trial := clone(plain), clone(plain)
	for at := 2 * y.d; at < len(x); at += y.d {
		tries := [][]float64{a, b, y.near(a), y.near(b), y.anywhere(), y.hill(), y.inward(), y.inward(), y.inward()}
		for range 10 {
			tries = append(tries, y.near(y.best))
		}
		top := 0.0
		for _, f := range tries {
			copy(trial[at:], f)
			if v := y.eval.At(trial, nil); v > top {
				top = v
				copy(x[at:], f)
			}
		}
		copy(trial[at:], y.best)
	}
	return x
}

func (y *yardstick) logGain(x, grad []float64) float64 {
	v := y.eval.At(x, grad)
	if !(v > 0) {
		return math.Inf(-1)
	}
	for i := range grad {
		grad[i] /= v
	}
	return math.Log(v)
}

// ascend climbs f in the unit cube by the spectral projected gradient method (Birgin, Martínez and Raydan 2000), in
// coordinates divided by scale, with at most evals evaluations. It returns the best point seen.
func ascend(f func(x, grad []float64) float64, x, scale []float64, evals int) ([]float64, float64) {
	const memory = 6
	n := len(x)
	x = clone(x)
	g, xn, gn, dir := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	v := f(x, g)
	best, top := clone(x), v
	last := []float64{v}
	step := 0.0
	for j, s := range g {
		step = math.Max(step, math.Abs(s*scale[j]))
	}
	step = 0.05 / step
	for evals--; evals > 0 && !math.IsInf(v, 0); {
		slope, long := 0.0, 0.0
		for j := range dir {
			dir[j] = min(max(x[j]+step*scale[j]*scale[j]*g[j], 0), 1) - x[j]
			slope += dir[j] * g[j]
			long = math.Max(long, math.Abs(dir[j]))
		}
		if !(long > 1e-10) || !(slope > 0) {
			break
		}
		vn, floor := 0.0, slices.Min(last)
		for t := 1.0; evals > 0; t /= 3 {
			for j := range xn {
				xn[j] = min(max(x[j]+t*dir[j], 0), 1)
			}
			vn = f(xn, gn)
			if evals--; vn >= floor+1e-4*t*slope || t*long < 1e-12 {
				break
			}
		}
		if !(vn >= floor) {
			break
		}
		var ss, sy float64
		for j := range x {
			s := xn[j] - x[j]
			ss += s * s / (scale[j] * scale[j])
			sy -= s * (gn[j] - g[j])
		}
		if step *= 1e3; sy > 0 {
			step = ss / sy
		}
		step = min(max(step, 1e-12), 1e6)
		copy(x, xn)
		copy(g, gn)
		if v = vn; v > top {
			top = v
			copy(best, x)
		}
		if last = append(last, v); len(last) > memory {
			last = last[1:]
		}
	}
	return best, top
}
