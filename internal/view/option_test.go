package view

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestRound: digits that say nothing go, what is rounded stays in its range, and a circle goes on at its beginning.
func TestRound(t *testing.T) {
	hue, chroma, steep := space.Circle("hue", 0, 360), space.Float("chroma", 0.03, 0.19), space.LogFloat("steep", 0.5, 2000)
	for _, c := range []struct {
		p        space.Parameter
		at, want float64
	}{
		{hue, 215.5693881347023, 216}, {hue, 359.7, 0}, {hue, 0.2, 0}, {chroma, 0.07664321, 0.0766}, {chroma, 0.18999, 0.19},
		{steep, 1.23456, 1.235}, {steep, 1234.56, 1235}, {steep, 0.50001, 0.5}, {space.Float("x", 0.123456, 0.123789), 0.12345604, 0.123456},
		{space.Float("big", 0, 1e6), 123456.7, 123000}, {space.Int("n", 0, 1000), 123, 123},
	} {
		got := Round(c.p, space.ValueOf(c.at)).Float()
		if math.Abs(got-c.want) > 1e-12*math.Max(1, c.want) {
			t.Errorf("%s %v is rounded to %v, want %v", c.p.Name, c.at, got, c.want)
		}
		if width := c.p.High - c.p.Low; !c.p.Log && !c.p.Circular && math.Abs(got-c.at) > width*fineness/2 {
			t.Errorf("%s %v is moved by %v of its range", c.p.Name, c.at, math.Abs(got-c.at)/width)
		}
	}
	if v := Round(space.Switch("on"), space.ValueOf(true)); v != space.ValueOf(true) {
		t.Errorf("a switch becomes %v", v)
	}
}

// TestColour: an option of colour parameters alone is a colour.
func TestColour(t *testing.T) {
	for want, o := range map[string]space.Option{
		"oklch(0.7 0.1 30)": {"hue": space.ValueOf(30), "lightness": space.ValueOf(70), "chroma": space.ValueOf(0.1)},
		"hsl(30 50% 40%)":   {"hue": space.ValueOf(30), "lightness": space.ValueOf(0.4), "saturation": space.ValueOf(0.5)},
		"":                  {"hue": space.ValueOf(30), "lightness": space.ValueOf(0.4), "size": space.ValueOf(3)},
	} {
		if got := Colour(o); got != want {
			t.Errorf("%v is %q, want %q", o, got, want)
		}
	}
}
