package problem

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// reference is what BoTorch says: testdata/reference.json.
type reference struct {
	Problems map[string]struct {
		Dim          int
		Lower, Upper []float64
		Inputs       [][]float64 `json:"unit_inputs"`
		Utility      []float64
		Optimum      float64
		Sigma        map[string]float64 `json:"oracle_sigma"`
	}
}

func load(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func TestReference(t *testing.T) {
	var ref reference
	load(t, "reference.json", &ref)
	checked := 0
	for name, want := range ref.Problems {
		p, err := ByName(name)
		if err != nil {
			t.Error(err)
			continue
		}
		for j := range want.Dim {
			if p.Lower[j] != want.Lower[j] || p.Upper[j] != want.Upper[j] {
				t.Errorf("%s: box [%v, %v], want [%v, %v]", name, p.Lower, p.Upper, want.Lower, want.Upper)
			}
		}
		if math.Abs(p.Optimum-want.Optimum) > 1e-12 {
			t.Errorf("%s: optimum %v, want %v", name, p.Optimum, want.Optimum)
		}
		for i, u := range want.Inputs {
			// 1e-12, relative: the rounding of a handful of operations in another order
			if got := p.UnitUtility(u); math.Abs(got-want.Utility[i]) > 1e-12*math.Abs(want.Utility[i]) {
				t.Errorf("%s(%v) = %v, want %v", name, u, got, want.Utility[i])
			}
			checked++
		}
	}
	if checked != 70 {
		t.Errorf("checked %d values, want 7 problems of 10", checked)
	}
}

// TestDefinition evaluates the functions outside BoTorch's list at points where pencil and paper
// will do.
func TestDefinition(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Problem
		x    []float64
		want float64
	}{
		{"flat valley", Rosenbrock(4), []float64{0, 0, 0, 0}, -3},
		{"valley side", Rosenbrock(2), []float64{2, 1}, -901},
		{"origin", StyblinskiTang(4), []float64{0, 0, 0, 0}, 0},
		{"ones", StyblinskiTang(3), []float64{1, 1, 1}, 15},
		{"wave", Griewank(2), []float64{math.Pi, 0}, -2 - math.Pi*math.Pi/4000},
		{"second wave", Griewank(2), []float64{0, math.Sqrt2 * math.Pi}, -2 - 2*math.Pi*math.Pi/4000},
		{"second coordinate", Michalewicz5(), []float64{0, math.Pi / 2, 0, 0, 0}, 1},
		{"moved", LevyEdge(4), []float64{10, -10, -6, -2}, -1},
		{"unmoved", Levy(4), []float64{1, 1, 1, 5}, -1},
		{"first sine", Levy(2), []float64{3, 1}, -1 - 0.25*(1+10*math.Pow(math.Cos(1), 2))},
	} {
		if got := c.p.Utility(c.x); math.Abs(got-c.want) > 1e-12*max(1, math.Abs(c.want)) {
			t.Errorf("%s, %s: %v, want %v", c.p.Name, c.name, got, c.want)
		}
	}
}

// TestOptima: the constants are those of testdata/optima.py, to the last digit.
func TestOptima(t *testing.T) {
	var ref struct {
		Optima map[string]struct {
			Optimum    string
			Maximisers [][]string
		}
	}
	load(t, "optima.json", &ref)
	same := func(name string, got float64, want string) {
		t.Helper()
		w, err := strconv.ParseFloat(want, 64)
		// one unit in the last place: 3π and the multiples of a coordinate's optimum are rounded products
		if err != nil || math.Abs(got-w) > 0x1p-52*math.Abs(w) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if len(ref.Optima) < 5 {
		t.Errorf("%d optima", len(ref.Optima))
	}
	for name, want := range ref.Optima {
		p, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		same(name, p.Optimum, want.Optimum)
		if len(p.Maximisers) != len(want.Maximisers) {
			t.Fatalf("%s: %d maximisers, want %d", name, len(p.Maximisers), len(want.Maximisers))
		}
		for i, x := range want.Maximisers {
			for j, v := range x {
				same(name, p.Maximisers[i][j], v)
			}
		}
	}
}

// TestMaximisers: the optimum is attained, in raw units and through the cube, and the gap is not
// negative beyond rounding.
func TestMaximisers(t *testing.T) {
	for _, p := range All() {
		if len(p.Maximisers) == 0 {
			t.Errorf("%s has no maximiser", p.Name)
		}
		for _, x := range p.Maximisers {
			if got := p.Utility(x); math.Abs(got-p.Optimum) > 1e-12 {
				t.Errorf("%s(%v) = %v, want %v", p.Name, x, got, p.Optimum)
			}
			for j, v := range x {
				if v < p.Lower[j] || v > p.Upper[j] {
					t.Errorf("%s: maximiser %v outside the box", p.Name, x)
				}
			}
			// Cusps and steep valleys feel the rounding of the change of units: 1e-13 in x can be worth 1e-13·slope.
			if gap := p.Gap(unitOf(p, x)); gap < -1e-12 || gap > 1e-10 {
				t.Errorf("%s: gap %g at %v", p.Name, gap, x)
			}
		}
	}
}

// TestAlpineRoots: the seven other zeros of a term are maximisers as well.
func TestAlpineRoots(t *testing.T) {
	p := Alpine1(7)
	a := math.Asin(0.1)
	roots := []float64{-a, a - math.Pi, -a - 2*math.Pi, a - 3*math.Pi, a + math.Pi, 2*math.Pi - a, a + 3*math.Pi}
	if got := p.Utility(roots); math.Abs(got) > 1e-13 {
		t.Errorf("utility %v where sin x = −0.1", got)
	}
}

// climb is a pattern search on the cube: along coordinates, halving the step when none helps.
func climb(p Problem, u []float64, step, stop float64) float64 {
	at := p.UnitUtility(u)
	for step > stop {
		moved := false
		for j := range u {
			for _, s := range []float64{step, -step} {
				old := u[j]
				u[j] = min(1, max(0, old+s))
				if v := p.UnitUtility(u); v > at {
					at, moved = v, true
				} else {
					u[j] = old
				}
			}
		}
		if !moved {
			step /= 2
		}
	}
	return at
}

// TestNothingBetter: neither points all over the box, nor points near the maximisers, nor local
// searches from both beat the optimum; and on problems with few basins the search finds it.
func TestNothingBetter(t *testing.T) {
	const points, starts = 20000, 40
	for _, p := range All() {
		highest := math.Inf(-1)
		see := func(v float64) {
			if highest = max(highest, v); v-p.Optimum > 1e-12 || math.IsNaN(v) {
				t.Errorf("%s: utility %v above the optimum %v", p.Name, v, p.Optimum)
			}
		}
		all := sobol.Points(p.Dim, points, 3)
		for i := range points {
			u := all[i*p.Dim : (i+1)*p.Dim]
			see(p.UnitUtility(u))
			if i < starts {
				see(climb(p, u, 0.1, 1e-6))
			}
		}
		found := highest
		for i := range points {
			at, shrink := unitOf(p, p.Maximisers[i%len(p.Maximisers)]), math.Exp2(-float64(i%40))
			for j := range at {
				at[j] = min(1, max(0, at[j]+shrink*(all[i*p.Dim+j]-0.5)))
			}
			see(p.UnitUtility(at))
			if i%1000 == 0 {
				see(climb(p, at, shrink, 1e-12))
			}
		}
		switch p.Name {
		case "ackley6", "alpine7", "michalewicz5", "griewank5", "levy6", "rosenbrock4", "levyedge4": // too rugged or too narrow for 40 starts
		default:
			if p.Optimum-found > 1e-6 {
				t.Errorf("%s: the search ended at %v, the optimum is %v", p.Name, found, p.Optimum)
			}
		}
	}
}
