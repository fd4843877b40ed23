package play

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

func TestIsColour(t *testing.T) {
	hue, chroma, light := prefer.Float("hue", 0, 360), prefer.Float("chroma", 0, 1), prefer.Float("lightness", 0.2, 0.9)
	for _, c := range []struct {
		space prefer.Space
		want  bool
	}{
		{prefer.Box(hue, chroma, light), true}, {prefer.Box(light, prefer.Int("hue", 0, 360), chroma), true},
		{prefer.Box(hue, chroma), false}, {prefer.Box(hue, chroma, light, prefer.Switch("shadow")), false},
		{prefer.Box(hue, chroma, prefer.Float("lightness", 0, 100)), false}, {prefer.Box(hue, hue, light), false},
		{prefer.Box(prefer.Categorical("hue", "red", "blue"), chroma, light), false},
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
		o := prefer.Option{"lightness": prefer.ValueOf(lch[0]), "chroma": prefer.ValueOf(lch[1]), "hue": prefer.ValueOf(lch[2])}
		if got := colourName(o); got != want {
			t.Errorf("%v is called %q, want %q", lch, got, want)
		}
	}
}
