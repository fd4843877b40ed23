package prefer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// ranges of all sorts: round and not, on both sides of zero, over many orders of magnitude.
var ranges = []Parameter{
	Float("x", 0, 1), Float("x", 0.2, 2), Float("x", -3, 7.1), Float("x", -1e6, -0.1), Float("x", 0.1, 0.3),
	Float("x", -1e307, 1e307), Float("x", 5e-324, 1e-323),
	LogFloat("x", 1, 100), LogFloat("x", 0.2, 2), LogFloat("x", 1e-3, 50), LogFloat("x", 0.1, 0.3),
	LogFloat("x", 1e-150, 1e150), LogFloat("x", 3, math.Nextafter(3, 4)),
}

// TestSpaceEnds: both ends of every range are points of the cube, and the other way round, exactly.
func TestSpaceEnds(t *testing.T) {
	for _, p := range ranges {
		s := Box(p)
		if _, err := newCoding(s); err != nil {
			t.Fatal(err)
		}
		for end, x := range []float64{p.Low, p.High} {
			u, err := s.unit(Option{"x": ValueOf(x)})
			if err != nil || u[0] != float64(end) {
				t.Errorf("%v: %g is the point %v (%v), want %d", p, x, u, err, end)
			}
			if got := s.option([]float64{float64(end)}).Float("x"); got != x {
				t.Errorf("%v: the point %d is %g, want %g", p, end, got, x)
			}
		}
	}
}

// TestSpaceMiddle fixes the scales themselves: a log scale has its middle at the geometric mean.
func TestSpaceMiddle(t *testing.T) {
	for _, c := range []struct {
		p    Parameter
		u, x float64
	}{
		{Float("x", 0.2, 2), 0.5, 1.1},
		{Float("x", -3, 7), 0.25, -0.5},
		{LogFloat("x", 1, 100), 0.5, 10},
		{LogFloat("x", 0.001, 1000), 1. / 6, 0.01},
	} {
		if got := Box(c.p).option([]float64{c.u}).Float("x"); math.Abs(got-c.x) > 1e-14*math.Abs(c.x)*10 {
			t.Errorf("%v: the point %g is %g, want %g", c.p, c.u, got, c.x)
		}
		if got, err := Box(c.p).unit(Option{"x": ValueOf(c.x)}); err != nil || math.Abs(got[0]-c.u) > 1e-14 {
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
		var s Space
		for j := range 1 + rng.IntN(4) {
			low := 1000 * rng.NormFloat64()
			p := Float(fmt.Sprint("x", j), low, low+1+rng.ExpFloat64())
			if rng.IntN(2) == 0 {
				low := math.Exp(20 * rng.NormFloat64())
				p = LogFloat(p.Name, low, low*(1.5+math.Exp(5*rng.NormFloat64())))
			}
			s.Parameters = append(s.Parameters, p)
		}
		u := make([]float64, dimension(s))
		for j := range u {
			u[j] = rng.Float64()
		}
		o := s.option(u)
		back, err := s.unit(o)
		if err != nil {
			t.Fatal(err)
		}
		again := s.option(back)
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
	s := Box(Float("milk", 0.25, 2), LogFloat("grind", 0.1, 10))
	good := func() Option { return Option{"milk": ValueOf(1), "grind": ValueOf(1)} }
	for _, c := range []struct {
		name  string
		value Value
		want  []string
	}{
		{"milk", ValueOf(2.5), []string{`"milk"`, "2.5", "[0.25, 2]"}},
		{"milk", ValueOf(0.125), []string{`"milk"`, "0.125", "[0.25, 2]"}},
		{"grind", ValueOf(0), []string{`"grind"`, "= 0,", "[0.1, 10]"}},
		{"grind", ValueOf(math.NaN()), []string{`"grind"`, "NaN", "[0.1, 10]"}},
		{"grind", ValueOf(math.Inf(1)), []string{`"grind"`, "+Inf", "[0.1, 10]"}},
		{"grind", ValueOf("fine"), []string{`"grind"`, "fine", "[0.1, 10]"}},
		{"milk", ValueOf(true), []string{`"milk"`, "true", "[0.25, 2]"}},
		{"sugar", ValueOf(1), []string{`"sugar"`, "no parameter"}},
	} {
		o := good()
		o[c.name] = c.value
		_, err := s.unit(o)
		if !errors.Is(err, ErrOption) {
			t.Errorf("%v: error %v, want ErrOption", o, err)
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
	if _, err := s.unit(o); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), `no "milk"`) {
		t.Errorf("an option without milk: %v", err)
	}
	if _, err := s.unit(good()); err != nil {
		t.Error(err)
	}
}

func TestSpaceValidate(t *testing.T) {
	many := Space{}
	for j := range 32 + 1 {
		many.Parameters = append(many.Parameters, Float(fmt.Sprint(j), 0, 1))
	}
	for _, c := range []struct {
		space Space
		want  string
	}{
		{Space{}, "no parameters"},
		{many, "33 parameters"},
		{Box(Float("", 0, 1)), "parameter 0 has no name"},
		{Box(Float("a", 0, 1), Float("a", 0, 1)), `two parameters are called "a"`},
		{Box(Parameter{Name: "a", Type: "colour", High: 1}), `type "colour"`},
		{Box(Float("a", 1, 1)), `"a" has range [1, 1]`},
		{Box(Float("a", 2, 1)), `"a" has range [2, 1]`},
		{Box(Float("a", 0, math.Inf(1))), `"a" has range [0, +Inf]`},
		{Box(Float("a", math.NaN(), 1)), `"a" has range [NaN, 1]`},
		{Box(LogFloat("a", 0, 1)), `"a" is on a log scale with low = 0`},
		{Box(LogFloat("a", -2, 1)), `"a" is on a log scale with low = -2`},
		{Box(Float("a", -1e308, 1e308)), `"a" has range [-1e+308, 1e+308]`},
		{Box(LogFloat("a", 1e-300, 1e300)), `"a" has range [1e-300, 1e+300]`},
	} {
		if _, err := newCoding(c.space); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one that says %q", c.space, err, c.want)
		}
	}
	many.Parameters = many.Parameters[:32]
	for _, s := range []Space{many, Box(Parameter{Name: "a", High: 1})} {
		if _, err := newCoding(s); err != nil {
			t.Error(err)
		}
	}
	if dimension(many) != 32 {
		t.Errorf("Dim = %d, want %d", dimension(many), 32)
	}
}

// TestSpaceJSON fixes the form in which spaces are written down.
func TestSpaceJSON(t *testing.T) {
	for _, c := range []struct {
		space Space
		text  string
	}{
		{Box(LogFloat("brightness", 0.2, 2)), `{"params":[{"name":"brightness","type":"float","low":0.2,"high":2,"log":true}]}`},
		{Box(Float("milk", 0, 0.1), Float("tilt", -1.5, 1e-9)),
			`{"params":[{"name":"milk","type":"float","low":0,"high":0.1},{"name":"tilt","type":"float","low":-1.5,"high":1e-9}]}`},
	} {
		data, err := json.Marshal(c.space)
		if err != nil || string(data) != c.text {
			t.Errorf("written %s (%v), want %s", data, err, c.text)
		}
		var back Space
		if err := json.Unmarshal([]byte(c.text), &back); err != nil || !reflect.DeepEqual(back, c.space) {
			t.Errorf("read %v (%v), want %v", back, err, c.space)
		}
	}
}
