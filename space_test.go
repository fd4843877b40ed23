package prefer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// ranges of all sorts: round and not, on both sides of zero, over many orders of magnitude.
var ranges = []space.Parameter{
	space.Float("x", 0, 1), space.Float("x", 0.2, 2), space.Float("x", -3, 7.1), space.Float("x", -1e6, -0.1), space.Float("x", 0.1, 0.3),
	space.Float("x", -1e307, 1e307), space.Float("x", 5e-324, 1e-323),
	space.LogFloat("x", 1, 100), space.LogFloat("x", 0.2, 2), space.LogFloat("x", 1e-3, 50), space.LogFloat("x", 0.1, 0.3),
	space.LogFloat("x", 1e-150, 1e150), space.LogFloat("x", 3, math.Nextafter(3, 4)),
}

// TestSpaceEnds: both ends of every range are points of the cube, and the other way round, exactly.
func TestSpaceEnds(t *testing.T) {
	for _, p := range ranges {
		s := space.Box(p)
		if _, err := coding.New(s); err != nil {
			t.Fatal(err)
		}
		for end, x := range []float64{p.Low, p.High} {
			u, err := unitOf(s, space.Option{"x": space.ValueOf(x)})
			if err != nil || u[0] != float64(end) {
				t.Errorf("%v: %g is the point %v (%v), want %d", p, x, u, err, end)
			}
			if got := optionOf(s, []float64{float64(end)}).Float("x"); got != x {
				t.Errorf("%v: the point %d is %g, want %g", p, end, got, x)
			}
		}
	}
}

// TestSpaceMiddle fixes the scales themselves: a log scale has its middle at the geometric mean.
func TestSpaceMiddle(t *testing.T) {
	for _, c := range []struct {
		p    space.Parameter
		u, x float64
	}{
		{space.Float("x", 0.2, 2), 0.5, 1.1},
		{space.Float("x", -3, 7), 0.25, -0.5},
		{space.LogFloat("x", 1, 100), 0.5, 10},
		{space.LogFloat("x", 0.001, 1000), 1. / 6, 0.01},
	} {
		if got := optionOf(space.Box(c.p), []float64{c.u}).Float("x"); math.Abs(got-c.x) > 1e-14*math.Abs(c.x)*10 {
			t.Errorf("%v: the point %g is %g, want %g", c.p, c.u, got, c.x)
		}
		if got, err := unitOf(space.Box(c.p), space.Option{"x": space.ValueOf(c.x)}); err != nil || math.Abs(got[0]-c.u) > 1e-14 {
			t.Errorf("%v: %g is the point %v (%v), want %g", c.p, c.x, got, err, c.u)
		}
	}
}

// TestSpaceRoundTrip: to the unit cube and back. 1e-12 leaves room for ranges whose ends are a
// thousand times their width.
func TestSpaceRoundTrip(t *testing.T) {
	const tol = 1e-12
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var s space.Space
		for j := range 1 + rng.IntN(4) {
			low := 1000 * rng.NormFloat64()
			p := space.Float(fmt.Sprint("x", j), low, low+1+rng.ExpFloat64())
			if rng.IntN(2) == 0 {
				low := math.Exp(20 * rng.NormFloat64())
				p = space.LogFloat(p.Name, low, low*(1.5+math.Exp(5*rng.NormFloat64())))
			}
			s.Parameters = append(s.Parameters, p)
		}
		u := make([]float64, coding.Dimension(s))
		for j := range u {
			u[j] = rng.Float64()
		}
		o := optionOf(s, u)
		back, err := unitOf(s, o)
		if err != nil {
			t.Fatal(err)
		}
		again := optionOf(s, back)
		for j, p := range s.Parameters {
			if math.Abs(back[j]-u[j]) > tol {
				t.Errorf("%v: %v → %v → %v, off by %g", p, u[j], o, back[j], back[j]-u[j])
			}
			x, y := o.Float(p.Name), again.Float(p.Name)
			if math.Abs(x-y) > tol*math.Abs(x) {
				t.Errorf("%v: %v → %v → %v", p, x, back[j], y)
			}
			if x < p.Low || x > p.High {
				t.Errorf("%v: the point %v is %v, outside", p, u[j], x)
			}
		}
	}
}

// TestSpaceOutside: an error names the parameter, the value and the range.
func TestSpaceOutside(t *testing.T) {
	s := space.Box(space.Float("milk", 0.25, 2), space.LogFloat("grind", 0.1, 10))
	good := func() space.Option { return space.Option{"milk": space.ValueOf(1), "grind": space.ValueOf(1)} }
	for _, c := range []struct {
		name  string
		value space.Value
		want  []string
	}{
		{"milk", space.ValueOf(2.5), []string{`"milk"`, "2.5", "[0.25, 2]"}},
		{"milk", space.ValueOf(0.125), []string{`"milk"`, "0.125", "[0.25, 2]"}},
		{"grind", space.ValueOf(0), []string{`"grind"`, "= 0,", "[0.1, 10]"}},
		{"grind", space.ValueOf(math.NaN()), []string{`"grind"`, "NaN", "[0.1, 10]"}},
		{"grind", space.ValueOf(math.Inf(1)), []string{`"grind"`, "+Inf", "[0.1, 10]"}},
		{"grind", space.ValueOf("fine"), []string{`"grind"`, "fine", "[0.1, 10]"}},
		{"milk", space.ValueOf(true), []string{`"milk"`, "true", "[0.25, 2]"}},
		{"sugar", space.ValueOf(1), []string{`"sugar"`, "not a parameter"}},
	} {
		o := good()
		o[c.name] = c.value
		_, err := unitOf(s, o)
		if errcode.Of(err) != "option" {
			t.Errorf("%v: error %v, want option", o, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%v: %q does not say %q", o, err, w)
			}
		}
	}
	o := good()
	delete(o, "milk")
	if _, err := unitOf(s, o); errcode.Of(err) != "option" || !strings.Contains(err.Error(), `no "milk"`) {
		t.Errorf("an option without milk: %v", err)
	}
	if _, err := unitOf(s, good()); err != nil {
		t.Error(err)
	}
}
