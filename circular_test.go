package prefer

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// compass is a circle of whole numbers.
func compass(low, high, step float64) space.Parameter {
	return space.Parameter{Name: "d", Type: "int", Low: low, High: high, Step: step, Circular: true}
}

// TestCircularErrors: what makes no circle is refused by name and value.
func TestCircularErrors(t *testing.T) {
	text := func(s string) (p space.Parameter) {
		if err := json.Unmarshal([]byte(s), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for want, p := range map[string]space.Parameter{
		`"h" is circular from 0 to 0, a period of 0, want a positive one`:              space.Circle("h", 0, 0),
		`"h" is circular from 360 to 0, a period of -360, want a positive one`:         space.Circle("h", 360, 0),
		`"h" has range [0, +Inf], want finite ends`:                                    space.Circle("h", 0, math.Inf(1)),
		`"h" has range [-1.7e+308, 1.7e+308], which is wider than a float64`:           space.Circle("h", -1.7e308, 1.7e308),
		`"h" has circular = true and log = true`:                                       text(`{"name":"h","type":"float","low":1,"high":10,"log":true,"circular":true}`),
		`"h" is float and has step = 5, which only an int has`:                         text(`{"name":"h","type":"float","low":0,"high":10,"step":5,"circular":true}`),
		`"d" is circular with step = 7, which does not divide its period of 360`:       compass(0, 360, 7),
		`"d" is circular with step = 360, the whole period`:                            compass(0, 360, 360),
		`"d" is int with range [0, 0.5], want whole numbers`:                           compass(0, 0.5, 1),
		`"c" is categorical and has circular = true, which only a float or an int has`: text(`{"name":"c","type":"categorical","choices":["a","b"],"circular":true}`),
		`"o" is ordinal and has circular = true`:                                       text(`{"name":"o","type":"ordinal","choices":[1,2],"circular":true}`),
		`"b" is bool and has circular = true`:                                          text(`{"name":"b","type":"bool","circular":true}`),
	} {
		if err := (Config{Space: space.Box(p)}).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	for _, v := range []space.Value{space.ValueOf(360.1), space.ValueOf(-0.1), space.ValueOf("red"), space.ValueOf(math.NaN())} {
		_, err := unitOf(space.Box(space.Circle("h", 0, 360)), space.Option{"h": v})
		if want := fmt.Sprintf(`"h" = %v, want a number from 0 to 360, which is 0 again`, v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	if _, err := unitOf(space.Box(compass(0, 360, 45)), space.Option{"d": space.ValueOf(50)}); err == nil || !strings.Contains(err.Error(), `"d" = 50, want 0, 45, … up to 315, or 360, which is 0 again`) {
		t.Errorf("%v", err)
	}
}

// TestCircularCoding: the ends are one option, what is given comes back to the digit, opposite values are at distance 1 and
// half a period apart, and no value shown is the upper end.
func TestCircularCoding(t *testing.T) {
	for _, p := range []space.Parameter{space.Circle("d", 0, 360), space.Circle("d", -180, 180), space.Circle("d", 7, 7+1e-9), space.Circle("d", 0, 1e-9), space.Circle("d", -1e300, 1e300),
		space.Circle("d", 0, 5e-324*1e6), compass(-4, 4, 2), compass(0, 2, 1), compass(0, 99_998, 1)} {
		c, err := coding.New(space.Box(p))
		if err != nil {
			t.Fatal(err)
		}
		unit := func(v float64) []float64 {
			x, err := c.Unit(space.Option{"d": space.ValueOf(v)})
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		if a, b := unit(p.Low), unit(p.High); !slices.Equal(a, b) || c.Gap(a, b) != 0 || c.Option(b).Float("d") != p.Low {
			t.Errorf("%v: %g is %v, %g is %v", p, p.Low, a, p.High, b)
		}
		middle := p.Low + (p.High-p.Low)/2
		if g, chord := c.Gap(unit(p.Low), unit(middle)), c.Axes[0].Chord(unit(p.Low), unit(middle)); math.Abs(g-0.5) > 1e-6 || math.Abs(chord-1) > 1e-6 {
			t.Errorf("%v: opposite values are %g of a period and %g apart", p, g, chord)
		}
		if got, err := space.Box(p).Parse(map[string]string{p.Name: space.ValueOf(p.High).String()}, false); err != nil || got[p.Name] != space.ValueOf(p.Low) {
			t.Errorf("%v: the end is read as %v, %v", p, got, err)
		}
		x := make([]float64, 2)
		for k := range 1000 {
			c.Axes[0].Spread(float64(k)/1000, x)
			if v := c.Axes[0].Decode(x).Float(); !(v >= p.Low && v < p.High) {
				t.Fatalf("%v: %g is shown", p, v)
			}
		}
	}
	c, err := coding.New(space.Box(space.Circle("h", 0, 360), space.Float("w", 0, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{0, 1, 215, 19.99, 359.9999, 123.456789} {
		o := space.Option{"h": space.ValueOf(v), "w": space.ValueOf(0.5)}
		x, err := c.Unit(o)
		if err != nil || c.Option(x).String() != o.String() {
			t.Errorf("%v came back as %v (%v)", o, c.Option(x), err)
		}
		near := space.Option{"h": space.ValueOf(math.Mod(v+9, 360)), "w": space.ValueOf(0.52)}
		y, _ := c.Unit(near)
		if g := c.Gap(x, y); math.Abs(g-9./360) > 1e-12 {
			t.Errorf("%v and %v are %g apart, want %g", o, near, g, 9./360)
		}
	}
	s := space.Space{Parameters: []space.Parameter{space.Circle("h", 0, 360)}, Constraints: []string{"h < 90"}}
	if _, err := unitOf(s, space.Option{"h": space.ValueOf(360)}); err != nil {
		t.Errorf("360, which is 0, does not meet h < 90: %v", err)
	}
}

// apart is the distance of two values on a circle of that period.
func apart(a, b, period float64) float64 {
	d := math.Abs(math.Mod(a-b, period))
	return min(d, period-d)
}

// circularTaste plays a study with somebody who likes hues near best, and lightness near 0.6 half as much.
func circularTaste(t *testing.T, cfg Config, best float64, answers int) *Study {
	t.Helper()
	s := start(t, cfg)
	taste := func(o space.Option) float64 {
		u := 3 * math.Cos(2*math.Pi*(o.Float("hue")-best)/360)
		if light, ok := o["light"]; ok {
			l := light.Float()
			u -= 6 * (l - 0.6) * (l - 0.6)
		}
		return u
	}
	for range answers {
		q := ask(t, s, "")
		_, lit := q.First["light"]
		if d := apart(q.First.Float("hue"), q.Second.Float("hue"), 360); d < 0.02*360-1e-9 && (len(q.First) == 1 || lit && math.Abs(q.First.Float("light")-q.Second.Float("light")) < 0.02) {
			t.Errorf("%v against %v: closer than anybody can tell", q.First, q.Second)
		}
		c := First
		if taste(q.First) < taste(q.Second) {
			c = Second
		}
		tell(t, s, q.ID, c)
	}
	return s
}

// TestCircularStudy: a taste for red, on both sides of the seam, ends in red, and so does one for any other hue, wherever the
// range is cut. What is told says so: the pick is around a hue and not at an end, and a slice of it has no ends.
func TestCircularStudy(t *testing.T) {
	told := 0
	for i, best := range []float64{0, 355, 90, 250} {
		for _, low := range []float64{0, -180} {
			if low != 0 && i > 0 || testing.Short() && i > 1 {
				continue
			}
			s := circularTaste(t, Config{Space: space.Box(space.Circle("hue", low, low+360), space.Float("light", 0, 1)), Seed: uint64(3 + i), Modelling: Modelling{Search: little}}, best, 20)
			b, err := s.Belief(ctx, Look{})
			if err != nil {
				t.Fatal(err)
			}
			if d := apart(b.Best().Float("hue"), best, 360); d > 25 {
				t.Errorf("a taste for %g ends at %v", best, b.Best())
			}
			switch top := b.Importance()[0]; {
			case top.Kind == importanceAround && strings.HasPrefix(top.Sentence, "hue around "):
				told++
			case top.Parameter != "hue" || top.Kind != importanceUnknown:
				t.Errorf("what matters is %+v", top)
			}
			points, err := b.Slice("hue", 24)
			if err != nil {
				t.Fatal(err)
			}
			if first, last := points[0].Value.Float(), points[23].Value.Float(); len(points) != 24 || first != low || last != low+345 {
				t.Errorf("a slice of %d points from %g to %g", len(points), first, last)
			}
			if jump, step := math.Abs(points[0].Mean-points[23].Mean), math.Abs(points[1].Mean-points[0].Mean); jump > 5*step+0.5 {
				t.Errorf("the mean jumps by %g at the seam, by %g beside it", jump, step)
			}
		}
	}
	if told == 0 {
		t.Error("no study could say which hue is best")
	}
}

// TestCircularMethods: every method asks options of a space of circles alone, with one of them fixed too, at either name of
// the seam, and with main effects in the model.
func TestCircularMethods(t *testing.T) {
	for name, sp := range map[string]space.Space{
		"one":         space.Box(space.Circle("hue", 0, 360)),
		"all":         space.Box(space.Circle("hue", -180, 180), compass(0, 8, 1), space.Circle("hour", 0, 24)),
		"two steps":   space.Box(compass(0, 2, 1), space.Circle("hue", 0, 360)),
		"constrained": {Parameters: []space.Parameter{space.Circle("hue", 0, 360), space.Float("w", 0, 1)}, Constraints: []string{"hue < 100 || hue > 300", "w < 0.8"}},
	} {
		for _, method := range []string{"kg", "eubo", "qeubo", "logei", "bald", "thompson", "random"} {
			if testing.Short() && method != "kg" {
				continue
			}
			cfg := Config{Space: sp, Method: method, Initial: 2, Modelling: Modelling{Search: little, Model: gp.Model{Trend: gp.Gamma(2, 0.15)}}}
			s := circularTaste(t, cfg, 10, 4)
			high := 360.0
			if name == "all" {
				high = 180
			}
			if name == "one" {
				continue // nothing would be left to ask about
			}
			q, err := s.Ask(ctx, Request{Rater: "bob", Fixed: space.Option{"hue": space.ValueOf(high)}})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, method, err)
			}
			if low := math.Mod(high, 360); apart(q.First.Float("hue"), low, 360) > 1e-6 || apart(q.Second.Float("hue"), low, 360) > 1e-6 || q.First.Float("hue") == high {
				t.Errorf("%s, %s: fixed at %g, asks %v against %v", name, method, high, q.First, q.Second)
			}
		}
	}
	s := start(t, Config{Space: space.Box(space.Circle("hue", 0, 360)), Initial: 1})
	if _, err := s.Ask(ctx, Request{Fixed: space.Option{"hue": space.ValueOf(361)}}); err == nil || !strings.Contains(err.Error(), `"hue" = 361`) {
		t.Errorf("%v", err)
	}
	if _, err := s.Ask(ctx, Request{Fixed: space.Option{"hue": space.ValueOf(360)}}); err == nil {
		t.Error("the only parameter is fixed, and there is a question")
	}
}

// TestCircularFeatures: values of a circular feature that differ by periods are the same, and the ends of the period are
// neighbours; a list of hues ends in red if red is liked.
func TestCircularFeatures(t *testing.T) {
	hues := []float64{-10, 350, 15, 90, 180, 270, 330, 710}
	var items []space.Item
	for i, h := range hues {
		items = append(items, space.Item{ID: fmt.Sprint(i), Features: space.Option{"hue": space.ValueOf(h), "kind": space.ValueOf([]string{"a", "b", "c"}[i/2%3])}})
	}
	sp := space.Space{Items: items, Circular: map[string]float64{"hue": 360}}
	code, err := coding.New(sp)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(code.Scales, []int{0, 0, 1, 1, 1}) {
		t.Errorf("scales %v", code.Scales)
	}
	for _, c := range []struct {
		a, b int
		want float64
	}{{0, 1, 0}, {0, 2, 25. / 360}, {4, 0, 170. / 360}, {6, 2, 45. / 360}, {7, 0, 0}} {
		x, y := code.List.Point(code.List.At[c.a]), code.List.Point(code.List.At[c.b])
		copy(x[2:], y[2:]) // the kind apart
		if g := code.Gap(x, y); math.Abs(g-c.want) > 1e-12 {
			t.Errorf("hues %g and %g are %g apart, want %g", hues[c.a], hues[c.b], g, c.want)
		}
	}
	s := start(t, Config{Space: sp, Modelling: Modelling{Search: little}})
	for range 12 {
		q := ask(t, s, "")
		taste := func(o space.Option) float64 {
			i := slices.IndexFunc(items, func(it space.Item) bool { return it.ID == o.Item() })
			return math.Cos(2 * math.Pi * hues[i] / 360)
		}
		c := First
		if taste(q.First) < taste(q.Second) {
			c = Second
		}
		tell(t, s, q.ID, c)
	}
	b, err := s.Belief(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	if best := b.Best().Item(); !slices.Contains([]string{"0", "1", "2", "7"}, best) {
		t.Errorf("a taste for red ends at hue %v", best)
	}
	if err := s.Change(ctx, Change{Join: []space.Item{space.Item{ID: "far", Features: space.Option{"hue": space.ValueOf(1e9), "kind": space.ValueOf("a")}}}}); err == nil || !strings.Contains(err.Error(), `item "far" has "hue" = 1e+09, more than 100 periods of 360`) {
		t.Errorf("%v", err)
	}
	if err := s.Change(ctx, Change{Join: []space.Item{space.Item{ID: "red", Features: space.Option{"hue": space.ValueOf(0), "kind": space.ValueOf("d")}}}}); err != nil || s.state.code.Dim != 6 || !s.state.code.Axes[0].Circular {
		t.Errorf("after a new kind has joined: %d coordinates, %v", s.state.code.Dim, err)
	}
	for want, circular := range map[string]map[string]float64{
		`has "hue" = -1, want a positive period`:                 {"hue": -1},
		`has "hue" = NaN, want a positive period`:                {"hue": math.NaN()},
		`has "size" = 3, which is not a feature of the items`:    {"size": 3},
		`but item "0" has "kind" = a, want a feature of numbers`: {"kind": 3},
	} {
		if err := (Config{Space: space.Space{Items: items, Circular: circular}}).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	if err := (Config{Space: space.Space{Parameters: coffee().Parameters, Circular: sp.Circular}}).Validate(); err == nil || !strings.Contains(err.Error(), "Space.Circular = map[hue:360] beside parameters") {
		t.Errorf("%v", err)
	}
}
