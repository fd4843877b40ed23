package prefer

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// everyKind has one parameter of each kind, with ends that are easily missed.
func everyKind() []Parameter {
	return []Parameter{
		Float("f", -3, 7.1), LogFloat("l", 0.2, 2), Int("i", -2, 9), {Name: "s", Type: "int", Low: 0, High: 20, Step: 4},
		{Name: "il", Type: "int", Low: 1, High: 32, Log: true},
		Ordinal("o", ValueOf("S"), ValueOf("M"), ValueOf("L")), Ordinal("n", ValueOf(8), ValueOf(16), ValueOf(64)),
		Categorical("c", "serif", "sans", "mono"), Categorical("t", "yes", "no"), Switch("b"),
		Circle("h", -99, 81), {Name: "hi", Type: "int", Low: -90, High: 270, Step: 40, Circular: true},
	}
}

// TestEveryEnd: the first and the last value of every parameter are options, come back exactly, and one
// step beyond is refused by name, value and what is allowed.
func TestEveryEnd(t *testing.T) {
	for _, p := range everyKind() {
		s := Box(p)
		if _, err := newCoding(s); err != nil {
			t.Fatal(err)
		}
		first, last := ValueOf(p.Low), ValueOf(p.High)
		beyond := []Value{ValueOf(math.Nextafter(p.Low, -100)), ValueOf(math.Nextafter(p.High, 100))}
		switch p.Type {
		case "int":
			beyond = []Value{ValueOf(p.Low - cmp.Or(p.Step, 1)), ValueOf(p.High + cmp.Or(p.Step, 1)), ValueOf(p.Low + 0.5), ValueOf("1")}
		case "ordinal", "categorical":
			first, last, beyond = p.Choices[0], p.Choices[len(p.Choices)-1], []Value{ValueOf("XL"), ValueOf(-1), ValueOf(true)}
		case "bool":
			first, last, beyond = ValueOf(false), ValueOf(true), []Value{ValueOf(1), ValueOf("true")}
		}
		if p.Circular { // its end is its beginning
			last = ValueOf(p.High - cmp.Or(p.Step, 1))
		}
		c, err := newCoding(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []Value{first, last} {
			x, err := c.unit(Option{p.Name: v})
			if err != nil {
				t.Errorf("%s: %v: %v", p.Name, v, err)
				continue
			}
			if back := c.option(x)[p.Name]; back != v {
				t.Errorf("%s: %v came back as %v", p.Name, v, back)
			}
			if text, err := s.Parse(map[string]string{p.Name: v.String()}); err != nil || text[p.Name] != v {
				t.Errorf("%s: %q was read as %v (%v)", p.Name, v.String(), text, err)
			}
		}
		for _, v := range beyond {
			if _, err := c.unit(Option{p.Name: v}); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), `"`+p.Name+`"`) ||
				!strings.Contains(err.Error(), v.String()) || !strings.Contains(err.Error(), p.allowed()) {
				t.Errorf("%s: %v: %v", p.Name, v, err)
			}
		}
	}
}

// TestEveryLevel: all values of a discrete parameter are distinct points, and spread hits each of them.
func TestEveryLevel(t *testing.T) {
	for _, p := range everyKind() {
		if continuous(p) {
			continue
		}
		a := newAxis(p, 0, false)
		hit := map[Value]bool{}
		x := make([]float64, a.width)
		for k := range 10 * len(a.vals) {
			a.spread((float64(k)+0.5)/float64(10*len(a.vals)), x)
			hit[a.decode(x)] = true
		}
		if len(hit) != len(p.Values()) {
			t.Errorf("%s: %d of %d values are ever drawn", p.Name, len(hit), len(p.Values()))
		}
		for _, v := range p.Values() {
			if err := a.encode(v, x); err != nil || a.decode(x) != v {
				t.Errorf("%s: %v came back as %v (%v)", p.Name, v, a.decode(x), err)
			}
		}
	}
}

// TestCategoriesAreEquallyFar: no choice of a categorical lies between two others.
func TestCategoriesAreEquallyFar(t *testing.T) {
	for n := 2; n <= 6; n++ {
		c, err := newCoding(Box(Categorical("c", strings.Split("uvwxyz", "")[:n]...), Float("f", 0, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 3, false: n + 1}[n == 2] - map[bool]int{true: 1, false: 0}[n == 2]; c.dim != want {
			t.Errorf("%d choices and a float are %d coordinates, want %d", n, c.dim, want)
		}
		for i, v := range c.axes[0].vals {
			for j, w := range c.axes[0].vals[:i] {
				x, _ := c.unit(Option{"c": v, "f": ValueOf(0.5)})
				y, _ := c.unit(Option{"c": w, "f": ValueOf(0.5)})
				var r2 float64
				for k := range x {
					r2 += (x[k] - y[k]) * (x[k] - y[k])
				}
				if math.Abs(r2-1) > 1e-15 {
					t.Errorf("choices %d and %d of %d are %g apart", i, j, n, math.Sqrt(r2))
				}
			}
		}
	}
}

// TestScales: the coordinates of a categorical share one lengthscale, wherever it stands.
func TestScales(t *testing.T) {
	c, f, k := Categorical("c", "u", "v", "w"), Float("f", 0, 1), Switch("k")
	for _, test := range []struct {
		space Space
		want  []int
	}{
		{Box(f, k), nil},
		{Box(c), []int{0, 0, 0}},
		{Box(c, f), []int{0, 0, 0, 1}},
		{Box(Circle("h", 0, 1), f, c), []int{0, 0, 1, 2, 2, 2}},
		{Box(f, k, c, Categorical("d", "x", "y", "z")), []int{0, 1, 2, 2, 2, 3, 3, 3}},
		{list(names(3)...), []int{-1}},
	} {
		code, err := newCoding(test.space)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(code.scales, test.want) || code.scales == nil != (test.want == nil) {
			t.Errorf("%v: scales %v, want %v", test.space, code.scales, test.want)
		}
	}
}

// TestMixedRoundTrip: random options of all kinds survive the way to the model and back, and JSON.
func TestMixedRoundTrip(t *testing.T) {
	s := Box(everyKind()...)
	c, err := newCoding(s)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	x, u := make([]float64, c.dim), make([]float64, len(c.axes))
	for range 500 {
		for j := range u {
			u[j] = rng.Float64()
		}
		c.spread(x, u)
		o := c.option(x)
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		var read Option
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		y, err := c.unit(read)
		if err != nil {
			t.Fatal(err)
		}
		if gap(x, y) > 1e-12 {
			t.Errorf("%v: %v → %v", o, x, y)
		}
		for _, p := range s.Parameters {
			if !continuous(p) && c.option(y)[p.Name] != o[p.Name] {
				t.Errorf("%s: %v → %v", p.Name, o[p.Name], c.option(y)[p.Name])
			}
		}
	}
}

func TestParameterMistakes(t *testing.T) {
	for _, c := range []struct {
		p    Parameter
		want string
	}{
		{Parameter{Name: "x", Type: "real"}, `"real"`},
		{Parameter{Name: "x", Type: "int", Low: 0, High: 7, Step: 2}, "want high = 6 or 8"},
		{Parameter{Name: "x", Type: "int", Low: 0.5, High: 7}, "whole numbers"},
		{Parameter{Name: "x", Type: "int", Low: 0, High: 8, Step: 1.5}, "step = 1.5"},
		{Parameter{Name: "x", Type: "int", Low: 0, High: 8, Step: -1}, "step = -1"},
		{Parameter{Name: "x", Type: "int", Low: 1, High: 9, Step: 2, Log: true}, "log scale with step = 2"},
		{Parameter{Name: "x", Type: "int", Low: 0, High: 9, Log: true}, "low > 0"},
		{Parameter{Name: "x", Type: "int", Low: 0, High: 1e6}, "at most 100000"},
		{Parameter{Name: "x", Type: "int", Low: 0, High: 1 << 54}, "whole numbers"},
		{Parameter{Name: "x", Low: 0, High: 1, Step: 0.1}, "step = 0.1"},
		{Parameter{Name: "x", Low: 0, High: 1, Choices: []Value{ValueOf("a")}}, "choices"},
		{Parameter{Name: "x", Type: "ordinal", Choices: []Value{ValueOf("a")}}, "1 choices"},
		{Parameter{Name: "x", Type: "categorical", Choices: []Value{ValueOf("a"), ValueOf("b"), ValueOf("a")}}, "a twice"},
		{Parameter{Name: "x", Type: "ordinal", Choices: []Value{ValueOf(1), ValueOf(math.NaN())}}, "NaN"},
		{Parameter{Name: "x", Type: "ordinal", Low: 1, Choices: []Value{ValueOf("a"), ValueOf("b")}}, "range"},
		{Parameter{Name: "x", Type: "bool", High: 1}, "bool"},
	} {
		_, err := newCoding(Box(c.p))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("%+v: error %v, want one about %q", c.p, err, c.want)
		}
	}
}

// TestSpaceParse reads options as people type them.
func TestSpaceParse(t *testing.T) {
	s := Box(everyKind()...)
	typed := map[string]string{"f": "7.1", "l": "0.2", "i": "-2", "s": "20", "il": "32", "o": "M", "n": "64", "c": "mono", "t": "no", "b": "on", "h": "81", "hi": "-10"}
	o, err := s.Parse(typed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.unit(o); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string]string{"f": "8", "l": "0", "i": "1.5", "s": "2", "il": "0", "o": "m", "n": "7", "c": "Mono", "t": "maybe", "b": "2", "h": "81.5", "hi": "0", "zz": "1"} {
		was, had := typed[name]
		typed[name] = bad
		if _, err := s.Parse(typed); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), `"`+name+`"`) {
			t.Errorf("%s=%s: %v", name, bad, err)
		}
		delete(typed, name)
		if had {
			if _, err := s.Parse(typed); !errors.Is(err, ErrOption) {
				t.Errorf("without %s: %v", name, err)
			}
			if _, err := s.ParseSome(typed); err != nil {
				t.Errorf("partial without %s: %v", name, err)
			}
			typed[name] = was
		}
	}
}
