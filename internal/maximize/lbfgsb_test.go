package maximize

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A goldenCase is a problem solved by SciPy; see testdata/golden.py.
type goldenCase struct {
	Name       string
	Start      []float64
	Lo, Hi     []*float64 // null: infinite
	X          []float64
	Value      float64
	Evals      int     // of one run with the default tolerances of this package
	LooseValue float64 `json:"loose_value"` // reached by that run
}

func (c goldenCase) box() (lo, hi []float64, bounded bool) {
	lo, hi = unbounded(len(c.Start))
	for i := range lo {
		if c.Lo[i] != nil {
			lo[i], bounded = *c.Lo[i], true
		}
		if c.Hi[i] != nil {
			hi[i], bounded = *c.Hi[i], true
		}
	}
	return lo, hi, bounded
}

func goldenCases(t *testing.T) []goldenCase {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Tool  string
		Cases []goldenCase
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(golden.Tool, "SciPy ") || len(golden.Cases) != 2*len(problems) {
		t.Fatalf("%d cases by %q for %d problems", len(golden.Cases), golden.Tool, len(problems))
	}
	return golden.Cases
}

// tight lets a search run until floating point ends it.
var tight = Settings{GradTol: 1e-10, ValueTol: -1, MaxEvals: 20000, MaxIters: 20000}

// TestGolden solves every problem, without and with bounds, and compares with SciPy and with the published minima.
func TestGolden(t *testing.T) {
	bad := map[string]float64{ // tolerances on the value where 1e-9 is beyond any first-order method
		"03 Powell badly scaled": 1e-5, // valley 1e8 times as steep as it is long
	}
	bounded, active := 0, 0
	for i, c := range goldenCases(t) {
		p := problems[i/2]
		if p.name != c.Name || !slices.Equal(p.start, c.Start) {
			t.Fatalf("case %d is %q from %v, want %q from %v", i, c.Name, c.Start, p.name, p.start)
		}
		lo, hi, isBounded := c.box()
		r := NewLocal(len(lo), tight).Maximize(context.Background(), p.objective(), lo, hi, c.Start)

		name := c.Name
		if isBounded {
			name += ", bounded"
			bounded++
		}
		tolValue, tolX := 1e-9, 1e-4 // the singular problems 13 and 22 determine x to a quarter of the digits only
		if v, ok := bad[c.Name]; ok {
			tolValue, tolX = v, math.Inf(1)
		}
		if !near(-r.Value, c.Value, tolValue) {
			t.Errorf("%s: minimum %v, SciPy %v (%v, %d evaluations)", name, -r.Value, c.Value, r.Status, r.Evals)
		}
		if !isBounded && !slices.ContainsFunc(p.minima, func(m float64) bool { return near(-r.Value, m, max(1e-8, tolValue)) }) {
			t.Errorf("%s: minimum %v, published %v", name, -r.Value, p.minima)
		}
		for i := range r.X {
			if !near(r.X[i], c.X[i], tolX) {
				t.Errorf("%s: x[%d] = %v, SciPy %v", name, i, r.X[i], c.X[i])
			}
			if lo[i] <= c.X[i] && c.X[i] == hi[i] || c.X[i] == lo[i] {
				active++
				if tolX < 1 && r.X[i] != c.X[i] {
					t.Errorf("%s: x[%d] = %v is not on its bound %v", name, i, r.X[i], c.X[i])
				}
			}
		}
		checkKKT(t, name, p.objective(), lo, hi, r, 1e-5*max(1, -r.Value))
	}
	if bounded != len(problems) || active < 50 {
		t.Errorf("weak test: %d bounded cases, %d active bounds", bounded, active)
	}
}

// checkKKT checks the first-order conditions of r from a fresh evaluation: in the box, value and gradient as
// reported, no free variable with a gradient and none held at a bound it would leave.
func checkKKT(t *testing.T, name string, f Objective, lo, hi []float64, r Result, tol float64) {
	t.Helper()
	g := make([]float64, len(r.X))
	if v := f(r.X, g); v != r.Value || !slices.Equal(g, r.Grad) {
		t.Errorf("%s: value %v, gradient %v, reported %v, %v", name, v, g, r.Value, r.Grad)
	}
	for i, x := range r.X {
		switch {
		case x < lo[i] || x > hi[i]:
			t.Errorf("%s: x[%d] = %v outside [%v, %v]", name, i, x, lo[i], hi[i])
		case lo[i] == hi[i]:
		case x == lo[i] && g[i] > tol, x == hi[i] && g[i] < -tol, lo[i] < x && x < hi[i] && math.Abs(g[i]) > tol:
			t.Errorf("%s: x[%d] = %v in [%v, %v] with gradient %v", name, i, x, lo[i], hi[i], g[i])
		}
	}
}

// TestEconomy prints the evaluations taken beside SciPy's, at equal tolerances, and holds the sum over the problems
// that both solve. A search that stops early on a problem it has not solved is not economical.
func TestEconomy(t *testing.T) {
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-34s %6s %6s   %-12s %-12s\n", "problem (B: with bounds)", "ours", "SciPy", "value", "SciPy")
	solved := func(v, best float64) bool { return near(v, best, 1e-4) }
	var ours, scipy, oursSolved, scipySolved int
	cases := goldenCases(t)
	for i, c := range cases {
		p := problems[i/2]
		lo, hi, isBounded := c.box()
		r := NewLocal(len(lo), Settings{}).Maximize(context.Background(), p.objective(), lo, hi, c.Start)
		name := c.Name
		if isBounded {
			name += " B"
		}
		note := ""
		if !solved(-r.Value, c.Value) {
			note += " ours stops early"
		}
		if !solved(c.LooseValue, c.Value) {
			note += " SciPy stops early"
		}
		fmt.Fprintf(&table, "%-34s %6d %6d   %-12.6g %-12.6g%s\n", name, r.Evals, c.Evals, -r.Value, c.LooseValue, note)
		if solved(-r.Value, c.Value) {
			oursSolved++
		}
		if solved(c.LooseValue, c.Value) {
			scipySolved++
		}
		if note == "" {
			ours += r.Evals
			scipy += c.Evals
		}
	}
	fmt.Fprintf(&table, "%-34s %6d %6d   solved %d and %d of %d\n", "sum where both solve it",
		ours, scipy, oursSolved, scipySolved, len(cases))
	t.Log(table.String())
	if oursSolved < scipySolved || float64(ours) > 1.1*float64(scipy) {
		t.Errorf("solved %d with %d evaluations, SciPy %d with %d", oursSolved, ours, scipySolved, scipy)
	}
}

// quadratic returns −(½xᵀAx − bᵀx) for a symmetric A given by rows.
func quadratic(a *mat.SymDense, b []float64) Objective {
	n := len(b)
	return func(x, grad []float64) float64 {
		var f float64
		for i := range n {
			var ax float64
			for j := range n {
				ax += a.At(i, j) * x[j]
			}
			f += x[i] * (b[i] - ax/2)
			if grad != nil {
				grad[i] = b[i] - ax
			}
		}
		return f
	}
}

// bruteForce maximises a concave quadratic in a box by trying all 3ⁿ choices of variables at the lower bound, at the
// upper bound and free.
func bruteForce(a *mat.SymDense, b, lo, hi []float64) float64 {
	n := len(b)
	f := quadratic(a, b)
	best := math.Inf(-1)
	total := 1
	for range n {
		total *= 3
	}
	for code := range total {
		x := make([]float64, n)
		var free []int
		for i, c := 0, code; i < n; i, c = i+1, c/3 {
			switch c % 3 {
			case 0:
				x[i] = lo[i]
			case 1:
				x[i] = hi[i]
			case 2:
				free = append(free, i)
			}
		}
		if k := len(free); k > 0 {
			sub, rhs := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
			for p, i := range free {
				v := b[i]
				for j := range n {
					v -= a.At(i, j) * x[j] // free ones are zero here
				}
				rhs.SetVec(p, v)
				for q := p; q < k; q++ {
					sub.SetSym(p, q, a.At(i, free[q]))
				}
			}
			var sol mat.VecDense
			if sol.SolveVec(sub, rhs) != nil {
				continue
			}
			inside := true
			for p, i := range free {
				x[i] = sol.AtVec(p)
				inside = inside && lo[i] <= x[i] && x[i] <= hi[i]
			}
			if !inside {
				continue
			}
		}
		best = max(best, f(x, nil))
	}
	return best
}

// TestQuadratic is a property test on concave quadratics in random boxes, starts anywhere, against all active sets.
func TestQuadratic(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(7, seed))
		n := 1 + r.IntN(6)
		g := mat.NewDense(n, n, normals(r, n*n))
		var a mat.SymDense
		a.SymOuterK(1, g)
		b, x0 := normals(r, n), normals(r, n)
		lo, hi := make([]float64, n), make([]float64, n)
		for i := range n {
			a.SetSym(i, i, a.At(i, i)+0.1)
			lo[i] = r.NormFloat64()
			hi[i] = lo[i]
			if r.IntN(5) > 0 {
				hi[i] += r.ExpFloat64()
			}
		}
		f := quadratic(&a, b)
		res := NewLocal(n, Settings{GradTol: 1e-9, ValueTol: -1}).Maximize(context.Background(), f, lo, hi, x0)
		if want := bruteForce(&a, b, lo, hi); !near(res.Value, want, 1e-9) {
			t.Errorf("seed %d: maximum %v, want %v (%v)", seed, res.Value, want, res.Status)
		}
		if size := projected(res, lo, hi); res.Status != Converged || size > 1e-9 {
			t.Errorf("seed %d: %v after %d evaluations, projected gradient %v", seed, res.Status, res.Evals, size)
		}
		for i := range n {
			if res.X[i] < lo[i] || res.X[i] > hi[i] {
				t.Errorf("seed %d: x[%d] = %v outside [%v, %v]", seed, i, res.X[i], lo[i], hi[i])
			}
		}
	}
}

// inBox wraps f to fail the test when it is called outside the box.
func inBox(t *testing.T, f Objective, lo, hi []float64) Objective {
	return func(x, grad []float64) float64 {
		for i, v := range x {
			if !(lo[i] <= v && v <= hi[i]) {
				t.Errorf("called at x[%d] = %v, outside [%v, %v]", i, v, lo[i], hi[i])
			}
		}
		return f(x, grad)
	}
}

func TestStaysInBox(t *testing.T) {
	for i, c := range goldenCases(t) {
		lo, hi, _ := c.box()
		NewLocal(len(lo), Settings{}).Maximize(context.Background(), inBox(t, problems[i/2].objective(), lo, hi), lo, hi, c.Start)
	}
}

func TestFixedVariables(t *testing.T) {
	const n = 6
	lo, hi, x0 := repeat(n, -2), repeat(n, 2), repeat(n, -1.2, 1)
	for _, i := range []int{1, 4} {
		lo[i], hi[i] = 0.25, 0.25
	}
	r := NewLocal(n, Settings{}).Maximize(context.Background(), inBox(t, chain, lo, hi), lo, hi, x0)
	if r.X[1] != 0.25 || r.X[4] != 0.25 {
		t.Errorf("fixed variables moved: %v", r.X)
	}
	checkKKT(t, "fixed", chain, lo, hi, r, 1e-3)

	// All fixed: one evaluation, at the only point there is.
	r = NewLocal(n, Settings{}).Maximize(context.Background(), chain, repeat(n, 3), repeat(n, 3), x0)
	if r.Status != Converged || r.Evals != 1 || r.Iters != 0 || !slices.Equal(r.X, repeat(n, 3)) || projected(r, r.X, r.X) != 0 {
		t.Errorf("all fixed: %+v", r)
	}
}

func TestStartAtSolution(t *testing.T) {
	r := NewLocal(4, Settings{}).Maximize(context.Background(), chain, repeat(4, -2), repeat(4, 2), repeat(4, 1))
	if r.Status != Converged || r.Evals != 1 || r.Value != 0 {
		t.Errorf("%+v", r)
	}
	// In a corner that holds the maximum.
	r = NewLocal(2, Settings{}).Maximize(context.Background(), linear(1, 2), repeat(2, 0), repeat(2, 1), repeat(2, 1))
	if r.Status != Converged || r.Evals != 1 || r.Value != 3 {
		t.Errorf("corner: %+v", r)
	}
}

// linear returns Σ cᵢxᵢ.
func linear(c ...float64) Objective {
	return func(x, grad []float64) float64 {
		if grad != nil {
			copy(grad, c)
		}
		return dot(c, x)
	}
}

func TestLinear(t *testing.T) {
	r := NewLocal(3, Settings{}).Maximize(context.Background(), linear(1, -1e6, 1e-5), repeat(3, 0), repeat(3, 1), repeat(3, 0.5))
	if want := []float64{1, 0, 1}; !slices.Equal(r.X, want) || r.Status != Converged {
		t.Errorf("%+v, want the corner %v", r, want)
	}
	t.Logf("%d evaluations", r.Evals)
	// Without a bound the value rises for ever; the limits end it.
	lo, hi := unbounded(1)
	r = NewLocal(1, Settings{MaxEvals: 50}).Maximize(context.Background(), linear(1), lo, hi, []float64{0})
	if r.Status != EvalLimit || r.Evals != 50 || !(r.X[0] > 1e6) {
		t.Errorf("unbounded: %+v", r)
	}
}

// TestNotFinite puts regions without a value in the way.
func TestNotFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ctx := context.Background()
	for _, bad := range []float64{nan, -inf, inf} {
		// log(1−x²)-like wall: a maximum at 0 with no value outside |x| < 0.3.
		f := func(x, grad []float64) float64 {
			if math.Abs(x[0]) >= 0.3 {
				grad[0] = nan
				return bad
			}
			grad[0] = -2*x[0] + 0.1
			return -x[0]*x[0] + 0.1*x[0]
		}
		r := NewLocal(1, Settings{}).Maximize(ctx, f, []float64{-100}, []float64{100}, []float64{-0.29})
		if !near(r.X[0], 0.05, 1e-4) || r.Status > Stalled {
			t.Errorf("%v around: %+v", bad, r)
		}
		// The maximum of the finite part lies at the wall.
		g := func(x, grad []float64) float64 {
			if x[0] > 0.3 {
				return bad
			}
			grad[0] = 1
			return x[0]
		}
		r = NewLocal(1, Settings{}).Maximize(ctx, g, []float64{-100}, []float64{100}, []float64{-0.29})
		if !(r.X[0] > 0.29 && r.X[0] <= 0.3) || r.Value != r.X[0] {
			t.Errorf("%v beyond a wall: %+v", bad, r)
		}
		// A start without a value.
		r = NewLocal(1, Settings{}).Maximize(ctx, g, []float64{-1}, []float64{1}, []float64{0.9})
		if r.Status != NotFinite || r.Evals != 1 || r.X[0] != 0.9 || math.Float64bits(r.Value) != math.Float64bits(bad) {
			t.Errorf("start in %v: %+v", bad, r)
		}
	}
	// A finite value with a broken gradient is no better.
	h := func(x, grad []float64) float64 { grad[0] = nan; return 1 }
	r := NewLocal(1, Settings{}).Maximize(ctx, h, []float64{-1}, []float64{1}, []float64{0})
	if r.Status != NotFinite || r.Value != 1 || !math.IsNaN(r.Grad[0]) {
		t.Errorf("gradient NaN: %+v", r)
	}
}

// TestHuge runs into overflow: gradients whose squares are infinite must end the search, not poison it.
func TestHuge(t *testing.T) {
	for _, scale := range []float64{1e100, 1e200, 1e300, 1e-200, 1e-320} {
		f := func(x, grad []float64) float64 {
			grad[0], grad[1] = scale*(1-x[0]), scale*(0.5-x[1])
			return -scale * ((1-x[0])*(1-x[0]) + (0.5-x[1])*(0.5-x[1])) / 2
		}
		lo, hi := repeat(2, -2), repeat(2, 2)
		r := NewLocal(2, Settings{GradTol: 1e-6 * min(1, scale)}).Maximize(context.Background(), inBox(t, f, lo, hi), lo, hi, repeat(2, -1))
		t.Logf("scale %v: %v at %v, %d evaluations", scale, r.Status, r.X, r.Evals)
		if !allFinite(r.X) || !finite(r.Value) || r.Value < -8*scale {
			t.Errorf("scale %v: %+v", scale, r)
		}
		if scale == 1e100 && (r.Status != Converged || !near(r.X[0], 1, 1e-5)) {
			t.Errorf("scale %v: %+v", scale, r)
		}
	}
}

// TestScaleFree: in a bounded box, multiplying f by a power of two changes no step.
func TestScaleFree(t *testing.T) {
	const n = 6
	lo, hi, x0 := repeat(n, -2), repeat(n, 2), repeat(n, -1.2, 1)
	run := func(c float64) Result {
		f := func(x, grad []float64) float64 {
			v := c * chain(x, grad)
			for i := range grad {
				grad[i] *= c
			}
			return v
		}
		return NewLocal(n, Settings{GradTol: -1, ValueTol: -1, MaxIters: 25}).Maximize(context.Background(), f, lo, hi, x0).Clone()
	}
	want := run(1)
	for _, c := range []float64{0x1p-20, 0x1p20} {
		if got := run(c); !slices.Equal(got.X, want.X) || got.Evals != want.Evals {
			t.Errorf("scale %v: %v, want %v", c, got.X, want.X)
		}
	}
}

func TestLimits(t *testing.T) {
	lo, hi, x0 := repeat(8, -2), repeat(8, 2), repeat(8, -1.2, 1)
	run := func(s Settings) Result { return NewLocal(8, s).Maximize(context.Background(), chain, lo, hi, x0) }
	if r := run(Settings{MaxEvals: 1}); r.Status != EvalLimit || r.Evals != 1 || !slices.Equal(r.X, x0) {
		t.Errorf("one evaluation: %+v", r)
	}
	if r := run(Settings{MaxEvals: 17}); r.Status != EvalLimit || r.Evals != 17 {
		t.Errorf("17 evaluations: %+v", r)
	}
	if r := run(Settings{MaxIters: 3}); r.Status != IterLimit || r.Iters != 3 {
		t.Errorf("3 iterations: %+v", r)
	}
	// A gradient with the wrong sign cannot be followed.
	wrong := func(x, grad []float64) float64 { grad[0] = 2 * x[0]; return -x[0] * x[0] }
	r := NewLocal(1, Settings{}).Maximize(context.Background(), wrong, []float64{-2}, []float64{2}, []float64{0.5})
	if r.Status != LineSearchFailed || r.Value < -0.25 || r.Evals > 60 {
		t.Errorf("wrong gradient: %+v", r)
	}
}

func TestCancellation(t *testing.T) {
	lo, hi, x0 := repeat(8, -2), repeat(8, 2), repeat(8, -1.2, 1)
	for _, after := range []int{0, 1, 2, 10} {
		ctx, cancel := context.WithCancelCause(context.Background())
		evals, best := 0, math.Inf(-1)
		if after == 0 {
			cancel(errors.New("early"))
		}
		f := func(x, grad []float64) float64 {
			if evals++; evals == after {
				cancel(errors.New("enough"))
			}
			v := chain(x, grad)
			best = max(best, v)
			return v
		}
		r := NewLocal(8, Settings{}).Maximize(ctx, f, lo, hi, x0)
		if r.Status != Cancelled || r.Evals != max(after, 1) || r.Evals != evals || r.Value != best {
			t.Errorf("cancelled after %d: %+v, best seen %v", after, r, best)
		}
		cancel(nil)
	}
}

// TestRepeatable: a second run, in a used workspace, is the same to the bit.
func TestRepeatable(t *testing.T) {
	for i, c := range goldenCases(t) {
		lo, hi, _ := c.box()
		f := problems[i/2].objective()
		l := NewLocal(len(lo), Settings{})
		first := l.Maximize(context.Background(), f, lo, hi, c.Start).Clone()
		second := l.Maximize(context.Background(), f, lo, hi, c.Start)
		if !slices.Equal(first.X, second.X) || first.Value != second.Value || !slices.Equal(first.Grad, second.Grad) ||
			first.Evals != second.Evals || first.Iters != second.Iters || first.Status != second.Status {
			t.Errorf("%s: %+v, then %+v", c.Name, first, second)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, top := range []float64{2, 0.7} { // without and with active bounds
		const n = 24
		lo, hi, x0 := repeat(n, -2), repeat(n, 2, top), repeat(n, -1.2, 1)
		l := NewLocal(n, Settings{})
		ctx := context.Background()
		if a := testing.AllocsPerRun(10, func() { l.Maximize(ctx, chain, lo, hi, x0) }); a != 0 {
			t.Errorf("%v allocations per search", a)
		}
	}
}

// TestMemory: any memory finds the maximum, more of it mostly sooner.
func TestMemory(t *testing.T) {
	const n = 12
	for _, m := range []int{1, 2, 3, 5, 10, 20, 40} {
		r := NewLocal(n, Settings{Memory: m, MaxEvals: 5000, MaxIters: 5000}).
			Maximize(context.Background(), chain, repeat(n, -2), repeat(n, 2), repeat(n, -1.2, 1))
		t.Logf("memory %2d: %v after %d evaluations", m, r.Status, r.Evals)
		if r.Value < -4 { // the chain has a local maximum of value about −4 in the corner x₁ = −1
			t.Errorf("memory %d: %+v", m, r)
		}
	}
}

// TestCurvature: with the curvature of a quadratic given, the first step lands on its maximum.
func TestCurvature(t *testing.T) {
	f := func(x, g []float64) float64 {
		var v float64
		for i := range x {
			v -= 3.5 * (x[i] - 0.3) * (x[i] - 0.3)
			g[i] = -7 * (x[i] - 0.3)
		}
		return v
	}
	lo, hi := []float64{-10, -10}, []float64{10, 10}
	r := NewLocal(2, Settings{Curvature: 7}).Maximize(context.Background(), f, lo, hi, []float64{2, -5})
	if r.Status != Converged || r.Evals != 2 {
		t.Errorf("%v after %d evaluations, want converged after 2", r.Status, r.Evals)
	}
}

// projected returns the size of the projected gradient at a result.
func projected(r Result, lo, hi []float64) float64 {
	g := slices.Clone(r.Grad)
	for i := range g {
		g[i] = -g[i]
	}
	return projectedGradient(r.X, g, lo, hi)
}
