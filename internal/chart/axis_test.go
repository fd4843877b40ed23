package chart

import (
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestHue: a hue has the colours that the options have; nothing else has any.
func TestHue(t *testing.T) {
	best := space.Option{"hue": space.ValueOf(10), "lightness": space.ValueOf(70), "chroma": space.ValueOf(0.1)}
	for drawing, want := range map[string]string{"": "oklch(0.700 0.100 120.0)", "fill:hsl(3 2% 1%)": "hsl(120.0 62% 55%)", "fill:oklch(1 2 3)": "oklch(0.7 0.13 120.0)"} {
		if got := Hue("Hue", best, drawing)(120); got != want {
			t.Errorf("%q: %s, want %s", drawing, got, want)
		}
	}
	if Hue("chroma", best, "") != nil {
		t.Error("a chroma has colours")
	}
	space := space.Space{Circular: map[string]float64{"turn": 12}, Parameters: []space.Parameter{space.LogFloat("k", 1, 9)}}
	if p, q := ParameterOf(space, "turn"), ParameterOf(space, "k"); !p.Circular || p.High != 12 || !q.Log {
		t.Errorf("%+v, %+v", p, q)
	}
}
