package acquisition

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// TestWallQuadratic: a concave quadratic −Σ w (x − c)² whose best feasible point lies on a wall is climbed
// to it, from anywhere, along flat and curved walls and into a corner of two.
func TestWallQuadratic(t *testing.T) {
	for _, c := range []struct {
		name   string
		centre float64
		weight []float64
		ok     func(x []float64) bool
		want   []float64
	}{
		{"line", 0.8, ones(2), func(x []float64) bool { return x[0]+x[1] <= 1 }, []float64{0.5, 0.5}},
		{"plane in 5-D", 0.9, ones(5), func(x []float64) bool { return x[0]+x[1]+x[2]+x[3]+x[4] <= 2 }, fill(5, 0.4)},
		{"ball", 1, ones(3), func(x []float64) bool { return x[0]*x[0]+x[1]*x[1]+x[2]*x[2] <= 0.75 }, fill(3, 0.5)},
		{"corner", 1, ones(2), func(x []float64) bool { return x[0]+3*x[1] <= 1.2 && 3*x[0]+x[1] <= 1.2 }, fill(2, 0.3)},
		// On x + 3y = 1.2 the slope −6(0.2 − 3y) + 8(y − 1) vanishes at y = 9.2/26, where the other wall is far.
		{"beside the corner", 1, []float64{1, 4}, func(x []float64) bool { return x[0]+3*x[1] <= 1.2 && 3*x[0]+x[1] <= 1.2 },
			[]float64{1.2 - 27.6/26, 9.2 / 26}},
	} {
		d := len(c.weight)
		g := newRegion(&Domain{Parts: Cube(d).Parts, Feasible: c.ok}, d, 1)
		a := ascent{in: g, limits: []limits{g.anywhere()}}
		f := func(x, grad []float64) float64 {
			var v float64
			for j, w := range c.weight {
				v -= w * (x[j] - c.centre) * (x[j] - c.centre)
				if grad != nil {
					grad[j] = -2 * w * (x[j] - c.centre)
				}
			}
			return v
		}
		for i := range 20 {
			start := g.sample[i*d : (i+1)*d]
			r := a.climb(t.Context(), f, clone(start), maximize.Settings{MaxEvals: 100, GradTol: 1e-7, ValueTol: 1e-13}, 0)
			if !closeTo(r.X, c.want, 1e-3) || !c.ok(r.X) {
				t.Errorf("%s from %v: ends at %v, want %v", c.name, start, r.X, c.want)
			}
		}
	}
}

// TestRepairGradient: the gradient of the function pulled to the walls against differences, inside, on
// a flat and on a curved wall.
func TestRepairGradient(t *testing.T) {
	s := limits{lo: make([]float64, 3), hi: ones(3), free: []int{0, 1, 2},
		ok: func(x []float64) bool { return x[0]+x[1] <= 1 && x[1]*x[1]+x[2]*x[2] < 0.8 }}
	f := func(x, grad []float64) float64 {
		if grad != nil {
			grad[0], grad[1], grad[2] = 2*x[0]+x[1], x[0], math.Cos(x[2])
		}
		return x[0]*x[0] + x[0]*x[1] + math.Sin(x[2])
	}
	rng := rand.New(rand.NewPCG(3, 4))
	walls := 0
	for range 60 {
		x, g := []float64{rng.Float64(), rng.Float64(), rng.Float64()}, make([]float64, 3)
		r := newRepair([]limits{s}, 3, []float64{0.3, 0.3, 0.3})
		r.objective(f)(x, g)
		if !s.ok(x) {
			walls++
		}
		if r.points(x); !s.ok(r.y) {
			t.Fatalf("%v is pulled to %v, which is infeasible", x, r.y)
		}
		for j := range x {
			const h = 1e-3
			fresh := func(v float64) float64 {
				y := clone(x)
				y[j] = v
				return newRepair([]limits{s}, 3, []float64{0.3, 0.3, 0.3}).objective(f)(y, nil)
			}
			up, here, down := fresh(x[j]+h), fresh(x[j]), fresh(x[j]-h)
			if math.Abs(up-2*here+down) > 1e-5 {
				continue // the difference straddles an edge
			}
			if want := (up - down) / (2 * h); math.Abs(g[j]-want) > 2e-4 {
				t.Errorf("at %v: ∂/∂x[%d] = %g, differences say %g", x, j, g[j], want)
			}
		}
	}
	if walls < 20 {
		t.Errorf("weak test: %d points were outside", walls)
	}
}

// walled fits a quadratic utility in d dimensions, best outside the wall Σx ≤ d/2.
func walled(t testing.TB, d int) (*Domain, *gp.Posterior) {
	t.Helper()
	dom := &Domain{Parts: Cube(d).Parts, Feasible: func(x []float64) bool {
		var s float64
		for _, v := range x {
			s += v
		}
		return s <= float64(d)/2
	}}
	rng := rand.New(rand.NewPCG(uint64(d), 77))
	ds := &gp.Duels{Dim: d}
	f := func(x []float64) float64 {
		var s float64
		for j, v := range x {
			s -= (4 + float64(j)) * (v - 0.75) * (v - 0.75)
		}
		return s
	}
	pts := Cube(d).Points(60*d, 5)
	for i := range 30 * d {
		a, b := pts[2*i*d:(2*i+1)*d], pts[(2*i+1)*d:(2*i+2)*d]
		o := gp.Outcome(-1)
		if f(a)-f(b)+0.1*rng.NormFloat64() > 0 {
			o = 1
		}
		if err := ds.Add(a, b, o); err != nil {
			t.Fatal(err)
		}
	}
	h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: fill(d, 0.9), Outputscale: 20}, Cuts: gp.Cuts{0}}
	p, err := gp.Model{}.Condition(ds, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	return dom, p
}

// TestWallPosterior: the best option on a wall is where the mean is highest along it, and the question
// asked is worth nearly what brute force finds. The reference searches the simplex that the wall makes of
// the cube in coordinates of its own, many starts with the inner maxima on the same coordinates.
func TestWallPosterior(t *testing.T) {
	t.Parallel()
	for _, d := range []int{2, 5} {
		dom, p := walled(t, d)
		best := Recommend(t.Context(), dom, p, nil, nil, 1, 1)[0]
		c, err := Ask(t.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		ref := projection{p, d}
		x := ref.best(t)
		t.Logf("%d-D: best %.4f (mean %.6f), reference %.4f (%.6f)", d, best.X, best.Mean, x, p.Mean(x))
		if best.Mean < p.Mean(x)-1e-6 || !closeTo(best.X, x, 1e-3) {
			t.Errorf("%d-D: best %v with mean %g, reference %v with %g", d, best.X, best.Mean, x, p.Mean(x))
		}
		if !closeTo(c.Best, x, 1e-3) {
			t.Errorf("%d-D: best of the question %v, reference %v", d, c.Best, x)
		}
		top := ref.gain(t, c)
		t.Logf("%d-D: gain %.4e, reference %.4e: %.4f", d, c.Value, top, c.Value/top)
		if c.Value < 0.97*top {
			t.Errorf("%d-D: gain %g, brute force finds %g", d, c.Value, top)
		}
	}
}

// projection is a reference for one linear constraint Σx ≤ d/2: the points are projected on it exactly
// (Duchi et al. 2008 for a box: by bisection of the shift), and a random search refines the best points.
type projection struct {
	p *gp.Posterior
	d int
}

// project moves every point of x to the nearest one of the cube below the wall.
func (r projection) project(x []float64) {
	for i := 0; i < len(x); i += r.d {
		y := x[i : i+r.d]
		sum := func(shift float64) (s float64) {
			for _, v := range y {
				s += min(max(v-shift, 0), 1)
			}
			return s
		}
		lo, hi := 0.0, 2.0
		if sum(0) <= float64(r.d)/2 {
			hi = 0
		}
		for range 60 {
			if mid := (lo + hi) / 2; sum(mid) > float64(r.d)/2 {
				lo = mid
			} else {
				hi = mid
			}
		}
		for j, v := range y {
			y[j] = min(max(v-hi, 0), 1)
		}
	}
}

// refine climbs f by random steps of shrinking size, projected.
func (r projection) refine(f func(x []float64) float64, x []float64, rng *rand.Rand, tries int) ([]float64, float64) {
	top := f(x)
	step := 0.3
	for range tries {
		y := clone(x)
		for j := range y {
			if rng.IntN(3) > 0 {
				y[j] += step * rng.NormFloat64()
			}
		}
		r.project(y)
		if v := f(y); v > top {
			x, top = y, v
			step = math.Min(0.5, 1.5*step)
		} else {
			step = math.Max(1e-5, 0.97*step)
		}
	}
	return x, top
}

func (r projection) best(t *testing.T) []float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 9))
	m := gp.NewMoments(1)
	f := func(x []float64) float64 { return r.p.MeanGradient(m, x, nil) }
	var best []float64
	top := math.Inf(-1)
	for range 6 {
		x := make([]float64, r.d)
		for j := range x {
			x[j] = rng.Float64()
		}
		r.project(x)
		if y, v := r.refine(f, x, rng, 3000); v > top {
			best, top = y, v
		}
	}
	return best
}

// gain is the best one-shot gain random search finds, from the choice itself and from random questions
// with the fantasy points at the best option.
func (r projection) gain(t *testing.T, c Choice) float64 {
	t.Helper()
	kg := NewKG(r.p.Answers(), r.p.Hyper().Cuts, r.p.Noise())
	kg.Base = c.Mean
	e := NewEvaluator(r.p, kg)
	f := func(x []float64) float64 { return e.At(x, nil) }
	rng := rand.New(rand.NewPCG(2, 9))
	_, top := r.refine(f, slices.Concat(c.A, c.B, c.Fantasy[0], c.Fantasy[1]), rng, 3000)
	for range 16 {
		x := make([]float64, 2*r.d)
		for j := range x {
			x[j] = rng.Float64()
		}
		r.project(x)
		x, _ = r.refine(f, slices.Concat(x, c.Best, c.Best), rng, 1500)
		if _, v := r.refine(f, x, rng, 1500); v > top {
			top = v
		}
	}
	return top
}
