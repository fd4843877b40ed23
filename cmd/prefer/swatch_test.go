package main

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// Lightness, chroma and hue of the corners of sRGB in Oklab are those of the CSS Color 4 conversions; each corner
// has the largest chroma of its hue and lightness.
func TestOKLCH(t *testing.T) {
	for want, lh := range map[string][2]float64{
		"#ff0000": {0.62796, 29.2339}, "#00ff00": {0.86644, 142.4953}, "#0000ff": {0.45201, 264.0520},
		"#ffff00": {0.96798, 109.7692}, "#00ffff": {0.90540, 194.7690}, "#ff00ff": {0.70167, 328.3634},
	} {
		got := oklch(lh[0], 1, lh[1])
		for i, pair := range [][2]uint8{{got.r, colourOf(want).r}, {got.g, colourOf(want).g}, {got.b, colourOf(want).b}} {
			if d := int(pair[0]) - int(pair[1]); d < -2 || d > 2 {
				t.Errorf("%v, want %s: channel %d is off by %d", got, want, i, d)
			}
		}
	}
	for want, l := range map[string]float64{"#000000": 0, "#ffffff": 1, "#636363": 0.5} {
		if got := oklch(l, 0, 123).String(); got != want {
			t.Errorf("lightness %v is %s, want %s", l, got, want)
		}
	}
}

func TestCube(t *testing.T) {
	for c, want := range map[rgb]int{{0, 0, 0}: 16, {255, 255, 255}: 231, {255, 0, 0}: 196, {95, 135, 175}: 67, {100, 130, 180}: 67} {
		if got := c.cube(); got != want {
			t.Errorf("%v is colour %d, want %d", c, got, want)
		}
	}
}

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

func TestCalled(t *testing.T) {
	for want, lch := range map[string][3]float64{
		"light soft teal": {0.85, 0.3, 205}, "dark vivid blue": {0.3, 0.9, 265}, "green": {0.6, 0.6, 150}, "pink": {0.6, 0.6, 359}, "light grey": {0.9, 0.05, 10},
	} {
		o := prefer.Option{"lightness": prefer.ValueOf(lch[0]), "chroma": prefer.ValueOf(lch[1]), "hue": prefer.ValueOf(lch[2])}
		if got := called(o); got != want {
			t.Errorf("%v is called %q, want %q", lch, got, want)
		}
	}
}

// colourOf reads #rrggbb.
func colourOf(hex string) (c rgb) {
	digit := func(b byte) uint8 {
		if b >= 'a' {
			return b - 'a' + 10
		}
		return b - '0'
	}
	return rgb{digit(hex[1])<<4 | digit(hex[2]), digit(hex[3])<<4 | digit(hex[4]), digit(hex[5])<<4 | digit(hex[6])}
}
