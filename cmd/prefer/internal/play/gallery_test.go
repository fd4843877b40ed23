package play

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/terminal"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/space"
)

var mixed = space.Box(space.Float("sugar", 0, 5), space.LogFloat("grind", 0.1, 10), space.Parameter{Name: "water", Type: "int", Low: 100, High: 300, Step: 50},
	space.Ordinal("size", space.ValueOf("S"), space.ValueOf("M"), space.ValueOf("L")), space.Categorical("milk", "none", "oat"), space.Switch("foam"))

var colours = space.Box(space.Float("hue", 0, 360), space.Float("chroma", 0, 1), space.Float("lightness", 0.25, 0.95))

// randomOption is anywhere in a space.
func randomOption(t *testing.T, s space.Space, rng *rand.Rand) space.Option {
	t.Helper()
	code, err := coding.New(s)
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, len(code.Axes))
	for j := range u {
		u[j] = rng.Float64()
	}
	o, ok := code.At(u)
	if !ok {
		t.Fatalf("no option at %v", u)
	}
	return o
}

func galleryOf(t *testing.T, space space.Space, st terminal.Style) *gallery {
	t.Helper()
	study, err := prefer.New(t.Context(), prefer.Config{Space: space})
	if err != nil {
		t.Fatal(err)
	}
	return newGallery(study, st)
}

func TestCard(t *testing.T) {
	g := galleryOf(t, mixed, terminal.Style{Unicode: true})
	o := space.Option{"sugar": space.ValueOf(1.23456), "grind": space.ValueOf(1), "water": space.ValueOf(300),
		"size": space.ValueOf("M"), "milk": space.ValueOf("oat"), "foam": space.ValueOf(true)}
	want := []string{
		"╭─ ← 1 ────────────────────────────╮",
		"│ sugar  1.23  ━━━━●───────────    │",
		"│ grind  1     ━━━━━━━━●───────    │",
		"│ water  300   ━━━━━━━━━━━━━━━●    │",
		"│ size   M     ━━━━━━━━●───────    │",
		"│ milk   oat                       │",
		"│ foam   yes                       │",
		"╰──────────────────────────────────╯",
	}
	if diff := cmp.Diff(want, g.card(o, "← 1", 36, 0)); diff != "" {
		t.Error(diff)
	}
	if got, want := g.line(o), "sugar 1.23, grind 1, water 300, size M, milk oat, foam yes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	ascii := galleryOf(t, mixed, terminal.Style{})
	for _, line := range ascii.card(o, "1", 36, 9) {
		if strings.ContainsFunc(line, func(r rune) bool { return r > 127 }) {
			t.Errorf("%q is not ASCII", line)
		}
	}
}

func TestItemCard(t *testing.T) {
	features := func(n float64) map[string]space.Value {
		return map[string]space.Value{"price": space.ValueOf(n), "bio": space.ValueOf(true)}
	}
	g := galleryOf(t, space.Space{Items: []space.Item{
		space.Item{ID: "a", Text: "A long description that does not fit", Media: "shop/a.png", Features: features(1.23456)},
		space.Item{ID: "b", Media: "shop/b.png", Features: features(2)},
		space.Item{ID: "c", Features: features(3.14159)}}}, terminal.Style{})
	for id, want := range map[string][]string{
		"a": {"A long description", "that does not fit", "a.png"}, "b": {"b.png"}, "c": {"c", "bio true", "price 3.14"},
	} {
		if diff := cmp.Diff(want, g.body(space.ItemOption(id), 20)); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// Whatever the size, cards fit the window, and their lines have the same width.
func TestPairFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, st := range []terminal.Style{{}, {Unicode: true, Colours: 16}, {Unicode: true, Colours: terminal.TrueColour}} {
		for _, space := range []space.Space{mixed, colours} {
			g := galleryOf(t, space, st)
			for range 200 {
				n, rows := 12+rng.IntN(120), 1+rng.IntN(60)
				lines := g.pair(randomOption(t, space, rng), randomOption(t, space, rng), [2]string{"1", "2"}, n, rows)
				for _, line := range lines {
					if terminal.Width(line) != terminal.Width(lines[0]) || terminal.Width(line) > max(n, 14) {
						t.Fatalf("%d columns: %q takes %d, the first line %d", n, line, terminal.Width(line), terminal.Width(lines[0]))
					}
				}
			}
		}
	}
}

// position is the way back from a space's option at a point.
func TestPosition(t *testing.T) {
	code, err := coding.New(mixed)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, at := range []float64{0, 0.5, 1} {
		u := make([]float64, len(code.Axes))
		for j := range u {
			u[j] = at
		}
		o, ok := code.At(u)
		if !ok {
			t.Fatalf("no option at %v", u)
		}
		for _, p := range mixed.Parameters {
			got, ok := view.Position(p, o[p.Name])
			if has := p.Type != "categorical" && p.Type != "bool"; ok != has {
				t.Errorf("%s has a position: %t", p.Name, ok)
			} else if has {
				checked++
				if got < at-1e-12 || got > at+1e-12 {
					t.Errorf("%s at %v is at %v", p.Name, at, got)
				}
			}
		}
	}
	if checked != 12 {
		t.Errorf("%d positions checked", checked)
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		p    space.Parameter
		v    space.Value
		want string
	}{
		{space.Float("x", 0, 0.5), space.ValueOf(0.123456), "0.123"}, {space.Float("x", 0, 360), space.ValueOf(123.456), "123"},
		{space.Float("x", 0, 1e6), space.ValueOf(123456.7), "123457"}, {space.Float("x", 0, 1e-20), space.ValueOf(1.2345e-21), "1.23e-21"},
		{space.LogFloat("x", 0.1, 10), space.ValueOf(0.123456), "0.123"}, {space.Int("x", 1, 9), space.ValueOf(7), "7"},
		{space.Switch("x"), space.ValueOf(false), "no"}, {space.Categorical("x", "a"), space.ValueOf("a"), "a"},
	} {
		if got := format(c.p, c.v); got != c.want {
			t.Errorf("%v of %+v is %q, want %q", c.v, c.p, got, c.want)
		}
	}
}

func TestIsColour(t *testing.T) {
	hue, chroma, light := space.Float("hue", 0, 360), space.Float("chroma", 0, 1), space.Float("lightness", 0.2, 0.9)
	for _, c := range []struct {
		space space.Space
		want  bool
	}{
		{space.Box(hue, chroma, light), true}, {space.Box(light, space.Int("hue", 0, 360), chroma), true},
		{space.Box(hue, chroma), false}, {space.Box(hue, chroma, light, space.Switch("shadow")), false},
		{space.Box(hue, chroma, space.Float("lightness", 0, 100)), false}, {space.Box(hue, hue, light), false},
		{space.Box(space.Categorical("hue", "red", "blue"), chroma, light), false}, {space.Box(space.Switch("hue"), chroma, light), false},
	} {
		if got := isColour(c.space); got != c.want {
			t.Errorf("%v: %t", c.space, got)
		}
	}
}

func TestColourName(t *testing.T) {
	for want, lch := range map[string][3]float64{
		"light soft teal": {0.85, 0.3, 205}, "dark vivid blue": {0.3, 0.9, 265}, "green": {0.6, 0.6, 150}, "pink": {0.6, 0.6, 359}, "light grey": {0.9, 0.05, 10},
	} {
		o := space.Option{"lightness": space.ValueOf(lch[0]), "chroma": space.ValueOf(lch[1]), "hue": space.ValueOf(lch[2])}
		if got := colourName(o); got != want {
			t.Errorf("%v is called %q, want %q", lch, got, want)
		}
	}
}
