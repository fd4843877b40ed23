package terminal

import "testing"

// Lightness, chroma and hue of the corners of sRGB in Oklab are those of the CSS Color 4 conversions; each corner
// has the largest chroma of its hue and lightness.
func TestOKLCH(t *testing.T) {
	for want, lh := range map[string][2]float64{
		"#ff0000": {0.62796, 29.2339}, "#00ff00": {0.86644, 142.4953}, "#0000ff": {0.45201, 264.0520},
		"#ffff00": {0.96798, 109.7692}, "#00ffff": {0.90540, 194.7690}, "#ff00ff": {0.70167, 328.3634},
	} {
		got := OKLCH(lh[0], 1, lh[1])
		for i, pair := range [][2]uint8{{got.R, colourOf(want).R}, {got.G, colourOf(want).G}, {got.B, colourOf(want).B}} {
			if d := int(pair[0]) - int(pair[1]); d < -2 || d > 2 {
				t.Errorf("%v, want %s: channel %d is off by %d", got, want, i, d)
			}
		}
	}
	for want, l := range map[string]float64{"#000000": 0, "#ffffff": 1, "#636363": 0.5} {
		if got := OKLCH(l, 0, 123).String(); got != want {
			t.Errorf("lightness %v is %s, want %s", l, got, want)
		}
	}
}

func TestCube(t *testing.T) {
	for c, want := range map[Colour]int{{0, 0, 0}: 16, {255, 255, 255}: 231, {255, 0, 0}: 196, {95, 135, 175}: 67, {100, 130, 180}: 67} {
		if got := c.cube(); got != want {
			t.Errorf("%v is colour %d, want %d", c, got, want)
		}
	}
}

// colourOf reads #rrggbb.
func colourOf(hex string) (c Colour) {
	digit := func(b byte) uint8 {
		if b >= 'a' {
			return b - 'a' + 10
		}
		return b - '0'
	}
	return Colour{digit(hex[1])<<4 | digit(hex[2]), digit(hex[3])<<4 | digit(hex[4]), digit(hex[5])<<4 | digit(hex[6])}
}
