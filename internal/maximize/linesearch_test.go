package maximize

import (
	"math"
	"math/rand/v2"
	"testing"
)

// moreThuente are the six test functions of More1994, §5, with their derivatives.
var moreThuente = []struct {
	name string
	f    func(t float64) (value, slope float64)
}{
	{"5.1", func(t float64) (float64, float64) {
		const b = 2
		return -t / (t*t + b), (t*t - b) / ((t*t + b) * (t*t + b))
	}},
	{"5.2", func(t float64) (float64, float64) {
		const b = 0.004
		return math.Pow(t+b, 5) - 2*math.Pow(t+b, 4), 5*math.Pow(t+b, 4) - 8*math.Pow(t+b, 3)
	}},
	{"5.3", func(t float64) (float64, float64) {
		const b, l = 0.01, 39
		var v, s float64
		switch {
		case t <= 1-b:
			v, s = 1-t, -1
		case t >= 1+b:
			v, s = t-1, 1
		default:
			v, s = (t-1)*(t-1)/(2*b)+b/2, (t-1)/b
		}
		c := 2 * (1 - b) / (l * math.Pi)
		return v + c*math.Sin(l*math.Pi/2*t), s + c*l*math.Pi/2*math.Cos(l*math.Pi/2*t)
	}},
	{"5.4", yanai(0.001, 0.001)},
	{"5.5", yanai(0.01, 0.001)},
	{"5.6", yanai(0.001, 0.01)},
}

// yanai is the family of Yanai, Ozawa and Kaneko used in More1994, Eq. 5.4.
func yanai(b1, b2 float64) func(t float64) (float64, float64) {
	gamma := func(b float64) float64 { return math.Sqrt(1+b*b) - b }
	return func(t float64) (float64, float64) {
		u, v := math.Hypot(1-t, b2), math.Hypot(t, b1)
		return gamma(b1)*u + gamma(b2)*v, -gamma(b1)*(1-t)/u + gamma(b2)*t/v
	}
}

// TestLineSearch starts each function from steps six orders of magnitude apart, much as the paper does, and checks
// the strong Wolfe conditions at the accepted step.
func TestLineSearch(t *testing.T) {
	checked := 0
	for _, c := range moreThuente {
		f0, g0 := c.f(0)
		const h = 1e-6
		up, _ := c.f(0.3 + h)
		down, _ := c.f(0.3 - h)
		if _, s := c.f(0.3); !near(s, (up-down)/(2*h), 1e-6) {
			t.Fatalf("%s: slope %v, central difference %v", c.name, s, (up-down)/(2*h))
		}
		for _, first := range []float64{1e-3, 1e-1, 1, 10, 1e3} {
			var ls lineSearch
			ls.start(f0, g0, f0, first, math.Inf(1))
			evals := 0
			for out := again; out == again; {
				v, s := c.f(ls.t)
				out = ls.next(v, s)
				evals++
				if evals > 20 || out == failed {
					t.Fatalf("%s from %v: outcome %v after %d evaluations", c.name, first, out, evals)
				}
			}
			v, s := c.f(ls.t)
			if v > f0+armijo*ls.t*g0 || math.Abs(s) > wolfe*math.Abs(g0) && !ls.settled {
				t.Errorf("%s from %v: step %v with value %v, slope %v breaks the Wolfe conditions", c.name, first, ls.t, v, s)
			}
			t.Logf("%s from %8v: step %.4g, %d evaluations", c.name, first, ls.t, evals)
			checked++
		}
	}
	if checked != 30 {
		t.Errorf("checked %d searches", checked)
	}
}

// TestLineSearchLongest stops at the longest step when the function still falls there.
func TestLineSearchLongest(t *testing.T) {
	var ls lineSearch
	ls.start(0, -1, 0, 1, 3)
	steps := []float64{}
	out := again
	for out == again && len(steps) < 10 {
		steps = append(steps, ls.t)
		out = ls.next(-ls.t, -1)
	}
	if out != accepted || ls.t != 3 {
		t.Errorf("outcome %v at %v after %v, want the longest step 3", out, ls.t, steps)
	}
}

// TestLineSearchWall: beyond 0.3 the function is not finite; the search must find a step below without coming back.
func TestLineSearchWall(t *testing.T) {
	f := func(t float64) (float64, float64) { return -t - t*t, -1 - 2*t } // ever steeper towards the wall
	var ls lineSearch
	ls.start(0, -1, 0, 1, math.Inf(1))
	out, beyond := again, 0
	for range 20 {
		if ls.t > 0.3 {
			beyond++
			out = ls.wall()
		} else {
			v, s := f(ls.t)
			out = ls.next(v, s)
		}
		if out != again {
			break
		}
	}
	if out != accepted || ls.t != 0.25 || beyond != 1 {
		t.Errorf("outcome %v at %v, %d trials beyond the wall", out, ls.t, beyond)
	}
}

// TestLineSearchHole: a hole inside a bracketed interval does not trap the search.
func TestLineSearchHole(t *testing.T) {
	f := func(t float64) (float64, float64) { d := t - 0.4; return 50 * d * d, 100 * d }
	for _, hole := range [][2]float64{{0.3, 0.5}, {0.35, 0.6}, {0.01, 0.9}} {
		f0, g0 := f(0)
		var ls lineSearch
		ls.start(f0, g0, f0, 1, math.Inf(1))
		out := again
		for range 20 {
			if ls.t > hole[0] && ls.t < hole[1] {
				out = ls.wall()
			} else {
				v, s := f(ls.t)
				out = ls.next(v, s)
			}
			if out != again {
				break
			}
		}
		v, _ := f(ls.t)
		if out != accepted || !(v < f0) || ls.t > hole[0] && ls.t < hole[1] {
			t.Errorf("hole %v: outcome %v at %v", hole, out, ls.t)
		}
	}
}

// TestLineSearchNoise: where rounding hides the decrease, the slope alone decides.
func TestLineSearchNoise(t *testing.T) {
	var ls lineSearch
	const f0, g0 = 1.0, -1e-12
	ls.start(f0, g0, f0, 1, math.Inf(1))
	if out := ls.next(math.Nextafter(f0, 2), 1e-14); out != accepted {
		t.Errorf("a step to slope 1e-14 from 1e-12, value one ulp up: outcome %v", out)
	}
	ls.start(f0, g0, f0, 1, math.Inf(1))
	if out := ls.next(1+1e-10, 1e-14); out != again {
		t.Errorf("a rise that is not rounding: outcome %v", out)
	}
	ls.start(f0, -1, f0, 1, math.Inf(1))
	if out := ls.next(f0, 0.5); out != again {
		t.Errorf("no decrease where one is due, by chance the same value: outcome %v", out)
	}
	// A wrong gradient: the value rises at every step. The search gives up as soon as no step left can be seen.
	ls.start(f0, g0, f0, 1, math.Inf(1))
	out, evals := again, 0
	for out == again && evals < 100 {
		out = ls.next(f0+1e-3*ls.t+1e-9, 1e-3)
		evals++
	}
	if out != failed || evals > 40 {
		t.Errorf("wrong gradient: outcome %v after %d evaluations", out, evals)
	}
}

// TestCubicRatio recovers the minimiser of random cubics that have one.
func TestCubicRatio(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	checked := 0
	for range 1000 {
		// f = c₃t³ + c₂t² + c₁t has its minimiser where 3c₃t² + 2c₂t + c₁ = 0 with positive curvature.
		c3, c2, c1 := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		disc := c2*c2 - 3*c3*c1
		if disc < 0.01 || math.Abs(c3) < 0.01 {
			continue
		}
		want := (-c2 + math.Sqrt(disc)) / (3 * c3)
		at := func(t float64) end { return end{t, ((c3*t+c2)*t + c1) * t, (3*c3*t+2*c2)*t + c1} }
		a, b := at(r.NormFloat64()), at(r.NormFloat64())
		if math.Abs(a.t-b.t) < 0.1 {
			continue
		}
		if got := a.t + cubicRatio(a, b)*(b.t-a.t); !near(got, want, 1e-6) {
			t.Errorf("cubic %v %v %v from %v, %v: minimiser %v, want %v", c3, c2, c1, a.t, b.t, got, want)
		}
		checked++
	}
	if checked < 300 {
		t.Errorf("checked %d cubics", checked)
	}
}

// FuzzLineSearch feeds arbitrary values: the search never proposes a step that is not finite, not positive or too
// long, and ends.
func FuzzLineSearch(f *testing.F) {
	f.Add(uint64(1), 1.0)
	f.Add(uint64(2), 1e300)
	f.Add(uint64(3), 1e-300)
	f.Fuzz(func(t *testing.T, seed uint64, scale float64) {
		if !finite(scale) || scale == 0 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 0))
		longest := 1 + 10*r.Float64()
		var ls lineSearch
		f0 := scale * r.NormFloat64()
		ls.start(f0, -math.Abs(scale)*r.ExpFloat64()-math.SmallestNonzeroFloat64, f0, 1, longest)
		for range 200 {
			if !(ls.t > 0) || ls.t > longest {
				t.Fatalf("step %v, longest %v", ls.t, longest)
			}
			var out outcome
			if r.IntN(5) == 0 {
				out = ls.wall()
			} else {
				v, s := scale*r.NormFloat64(), scale*r.NormFloat64()
				if r.IntN(3) == 0 {
					v = f0
				}
				out = ls.next(v, s)
			}
			if out != again {
				return
			}
		}
	})
}
