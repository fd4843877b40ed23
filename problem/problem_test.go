package problem

import (
	"math"
	"testing"
)

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

func TestUnits(t *testing.T) {
	for _, p := range All() {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
		u := make([]float64, p.Dim)
		for j := range u {
			u[j] = float64(j+1) / float64(p.Dim+1)
		}
		x := p.Raw(u)
		for j, v := range unitOf(p, x) {
			if x[j] <= p.Lower[j] || x[j] >= p.Upper[j] || math.Abs(v-u[j]) > 1e-15 {
				t.Errorf("%s: %v in the cube is %v in the box is %v in the cube", p.Name, u[j], x[j], v)
			}
		}
		if a, b := p.UnitUtility(u), p.Utility(x); a != b || p.Gap(u) != p.Optimum-a {
			t.Errorf("%s: UnitUtility %v, Utility %v, Gap %v", p.Name, a, b, p.Gap(u))
		}
	}
}

// unitOf maps a point in raw units to the unit cube; the inverse of Raw up to rounding.
func unitOf(p Problem, x []float64) []float64 {
	u := make([]float64, p.Dim)
	for j, v := range x {
		u[j] = (v - p.Lower[j]) / (p.Upper[j] - p.Lower[j])
	}
	return u
}

func TestMisuse(t *testing.T) {
	p := Branin()
	mustPanic(t, "Utility of 3 coordinates", func() { p.Utility(make([]float64, 3)) })
	mustPanic(t, "UnitUtility of 1 coordinate", func() { p.UnitUtility(make([]float64, 1)) })
	mustPanic(t, "Gap of none", func() { p.Gap(nil) })
	mustPanic(t, "dimension 0", func() { Levy(0) })
	mustPanic(t, "dimension 65", func() { Ackley(65) })
	mustPanic(t, "a Rosenbrock valley in one dimension", func() { Rosenbrock(1) })
}

func TestValidate(t *testing.T) {
	for name, spoil := range map[string]func(p *Problem){
		"no dimension":      func(p *Problem) { p.Dim = 0 },
		"no function":       func(p *Problem) { p.F = nil },
		"short bounds":      func(p *Problem) { p.Lower = p.Lower[:1] },
		"empty box":         func(p *Problem) { p.Lower[1] = p.Upper[1] },
		"endless box":       func(p *Problem) { p.Upper[0] = math.Inf(1) },
		"bound not a value": func(p *Problem) { p.Lower[0] = math.NaN() },
		"optimum":           func(p *Problem) { p.Optimum = math.NaN() },
		"maximiser":         func(p *Problem) { p.Maximisers[1] = nil },
	} {
		p := Branin()
		spoil(&p)
		if p.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := NewTop(p, Calibration{Points: 1 << 10}); err == nil {
			t.Errorf("%s: calibrated", name)
		}
		if _, err := NewRater(p, 0); err == nil {
			t.Errorf("%s: has a rater", name)
		}
	}
}

// TestFresh: changing a problem changes no other copy.
func TestFresh(t *testing.T) {
	for i, p := range All() {
		p.Lower[0], p.Maximisers[0][0] = 99, 99
		if q := All()[i]; q.Lower[0] == 99 || q.Maximisers[0][0] == 99 {
			t.Errorf("%s is shared", p.Name)
		}
		if p.F(p.Upper) != All()[i].F(p.Upper) {
			t.Errorf("%s: the function reads the fields", p.Name)
		}
	}
}

// TestMean: against integrals by hand, Σx² and ½Σ(x⁴ − 16x² + 5x) on [−5, 5]ᵈ among them, and the middles of a fine grid.
func TestMean(t *testing.T) {
	for _, c := range []struct {
		p    Problem
		want float64
	}{{StyblinskiTang(4), 4 * (16*25.0/3 - 625.0/5) / 2}, {Griewank(1), gridMean(Griewank(1))}, {Branin(), gridMean(Branin())}, {Alpine1(1), gridMean(Alpine1(1))}} {
		if got := c.p.Mean(); math.Abs(got-c.want) > 3e-3*(c.p.Optimum-c.want) {
			t.Errorf("%s: mean %g, want %g", c.p.Name, got, c.want)
		}
	}
}

// gridMean is the mean over the middles of 1000 cells in one dimension, 1000² in two.
func gridMean(p Problem) float64 {
	const n = 1000
	sum, u := 0.0, make([]float64, p.Dim)
	for i := range int(math.Pow(n, float64(p.Dim))) {
		for j := range u {
			u[j] = (float64(i%n) + 0.5) / n
			i /= n
		}
		sum += p.UnitUtility(u)
	}
	return sum / math.Pow(n, float64(p.Dim))
}
