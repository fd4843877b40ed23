package prefer

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// everyKind has one parameter of each kind, with ends that are easily missed.
func everyKind() []space.Parameter {
	return []space.Parameter{
		space.Float("f", -3, 7.1), space.LogFloat("l", 0.2, 2), space.Int("i", -2, 9), {Name: "s", Type: "int", Low: 0, High: 20, Step: 4},
		{Name: "il", Type: "int", Low: 1, High: 32, Log: true},
		space.Ordinal("o", space.ValueOf("S"), space.ValueOf("M"), space.ValueOf("L")), space.Ordinal("n", space.ValueOf(8), space.ValueOf(16), space.ValueOf(64)),
		space.Categorical("c", "serif", "sans", "mono"), space.Categorical("t", "yes", "no"), space.Switch("b"),
		space.Circle("h", -99, 81), {Name: "hi", Type: "int", Low: -90, High: 270, Step: 40, Circular: true},
	}
}

// TestEveryEnd: the first and the last value of every parameter are options, come back exactly, and one
// step beyond is refused by name, value and what is allowed.
func TestEveryEnd(t *testing.T) {
	for _, p := range everyKind() {
		s := space.Box(p)
		if _, err := coding.New(s); err != nil {
			t.Fatal(err)
		}
		first, last := space.ValueOf(p.Low), space.ValueOf(p.High)
		beyond := []space.Value{space.ValueOf(math.Nextafter(p.Low, -100)), space.ValueOf(math.Nextafter(p.High, 100))}
		switch p.Type {
		case "int":
			beyond = []space.Value{space.ValueOf(p.Low - cmp.Or(p.Step, 1)), space.ValueOf(p.High + cmp.Or(p.Step, 1)), space.ValueOf(p.Low + 0.5), space.ValueOf("1")}
		case "ordinal", "categorical":
			first, last, beyond = p.Choices[0], p.Choices[len(p.Choices)-1], []space.Value{space.ValueOf("XL"), space.ValueOf(-1), space.ValueOf(true)}
		case "bool":
			first, last, beyond = space.ValueOf(false), space.ValueOf(true), []space.Value{space.ValueOf(1), space.ValueOf("true")}
		}
		if p.Circular { // its end is its beginning
			last = space.ValueOf(p.High - cmp.Or(p.Step, 1))
		}
		c, err := coding.New(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []space.Value{first, last} {
			x, err := c.Unit(space.Option{p.Name: v})
			if err != nil {
				t.Errorf("%s: %v: %v", p.Name, v, err)
				continue
			}
			if back := c.Option(x)[p.Name]; back != v {
				t.Errorf("%s: %v came back as %v", p.Name, v, back)
			}
			if text, err := s.Parse(map[string]string{p.Name: v.String()}, false); err != nil || text[p.Name] != v {
				t.Errorf("%s: %q was read as %v (%v)", p.Name, v.String(), text, err)
			}
		}
		for _, v := range beyond {
			if _, err := c.Unit(space.Option{p.Name: v}); errcode.Of(err) != "option" || !strings.Contains(err.Error(), `"`+p.Name+`"`) ||
				!strings.Contains(err.Error(), v.String()) || !strings.Contains(err.Error(), p.Allowed()) {
				t.Errorf("%s: %v: %v", p.Name, v, err)
			}
		}
	}
}

// TestEveryLevel: all values of a discrete parameter are distinct points, and spread hits each of them.
func TestEveryLevel(t *testing.T) {
	for _, p := range everyKind() {
		if coding.Continuous(p) {
			continue
		}
		a := coding.NewAxis(p, 0, false)
		hit := map[space.Value]bool{}
		x := make([]float64, a.Width)
		for k := range 10 * len(a.Vals) {
			a.Spread((float64(k)+0.5)/float64(10*len(a.Vals)), x)
			hit[a.Decode(x)] = true
		}
		if len(hit) != len(p.Values()) {
			t.Errorf("%s: %d of %d values are ever drawn", p.Name, len(hit), len(p.Values()))
		}
		for _, v := range p.Values() {
			if err := a.Encode(v, x); err != nil || a.Decode(x) != v {
				t.Errorf("%s: %v came back as %v (%v)", p.Name, v, a.Decode(x), err)
			}
		}
	}
}

// TestScales: the coordinates of a categorical share one lengthscale, wherever it stands.
func TestScales(t *testing.T) {
	c, f, k := space.Categorical("c", "u", "v", "w"), space.Float("f", 0, 1), space.Switch("k")
	for _, test := range []struct {
		space space.Space
		want  []int
	}{
		{space.Box(f, k), nil},
		{space.Box(c), []int{0, 0, 0}},
		{space.Box(c, f), []int{0, 0, 0, 1}},
		{space.Box(space.Circle("h", 0, 1), f, c), []int{0, 0, 1, 2, 2, 2}},
		{space.Box(f, k, c, space.Categorical("d", "x", "y", "z")), []int{0, 1, 2, 2, 2, 3, 3, 3}},
		{list(names(3)...), []int{-1}},
	} {
		code, err := coding.New(test.space)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(code.Scales, test.want) || code.Scales == nil != (test.want == nil) {
			t.Errorf("%v: scales %v, want %v", test.space, code.Scales, test.want)
		}
	}
}

// TestMixedRoundTrip: random options of all kinds survive the way to the model and back, and JSON.
func TestMixedRoundTrip(t *testing.T) {
	s := space.Box(everyKind()...)
	c, err := coding.New(s)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	x, u := make([]float64, c.Dim), make([]float64, len(c.Axes))
	for range 500 {
		for j := range u {
			u[j] = rng.Float64()
		}
		c.Spread(x, u)
		o := c.Option(x)
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		var read space.Option
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		y, err := c.Unit(read)
		if err != nil {
			t.Fatal(err)
		}
		if coding.Gap(x, y) > 1e-12 {
			t.Errorf("%v: %v → %v", o, x, y)
		}
		for _, p := range s.Parameters {
			if !coding.Continuous(p) && c.Option(y)[p.Name] != o[p.Name] {
				t.Errorf("%s: %v → %v", p.Name, o[p.Name], c.Option(y)[p.Name])
			}
		}
	}
}

// TestSpaceParse reads options as people type them.
func TestSpaceParse(t *testing.T) {
	s := space.Box(everyKind()...)
	typed := map[string]string{"f": "7.1", "l": "0.2", "i": "-2", "s": "20", "il": "32", "o": "M", "n": "64", "c": "mono", "t": "no", "b": "on", "h": "81", "hi": "-10"}
	o, err := s.Parse(typed, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unitOf(s, o); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string]string{"f": "8", "l": "0", "i": "1.5", "s": "2", "il": "0", "o": "m", "n": "7", "c": "Mono", "t": "maybe", "b": "2", "h": "81.5", "hi": "0", "zz": "1"} {
		was, had := typed[name]
		typed[name] = bad
		if _, err := s.Parse(typed, false); errcode.Of(err) != "option" || !strings.Contains(err.Error(), `"`+name+`"`) {
			t.Errorf("%s=%s: %v", name, bad, err)
		}
		delete(typed, name)
		if had {
			if _, err := s.Parse(typed, false); errcode.Of(err) != "option" {
				t.Errorf("without %s: %v", name, err)
			}
			if _, err := s.Parse(typed, true); err != nil {
				t.Errorf("partial without %s: %v", name, err)
			}
			typed[name] = was
		}
	}
}
