package terminal

import (
	"fmt"
	"math"
	"slices"
)

// Colour is a colour of a screen.
type Colour struct{ R, G, B uint8 }

// String writes it as a page does, #rrggbb.
func (c Colour) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// cube returns the nearest of the 216 colours that terminals with 256 have at 16 to 231.
func (c Colour) cube() int {
	level := func(v uint8) int { // of 0, 95, 135, 175, 215 and 255
		if v < 48 {
			return 0
		}
		return max(1, (int(v)-36)/40)
	}
	return 16 + 36*level(c.R) + 6*level(c.G) + level(c.B)
}

// OKLCH returns the colour of lightness l (0 black, 1 white), hue h in degrees and saturation s, the part of the largest chroma that a screen
// can show there. Equal steps look equal, as a stationary prior hopes for (Ottosson, "A perceptual color space for image processing", 2020).
func OKLCH(l, s, h float64) Colour {
	sin, cos := math.Sincos(h * math.Pi / 180)
	low, high := 0.0, 0.5 // no screen colour has a chroma above 0.33
	for range 40 {
		mid := (low + high) / 2
		if lin := linear(l, mid*cos, mid*sin); slices.Min(lin) >= -1e-4 && slices.Max(lin) <= 1+1e-4 {
			low = mid
		} else {
			high = mid
		}
	}
	var out [3]uint8
	for i, v := range linear(l, s*low*cos, s*low*sin) {
		v = math.Min(1, math.Max(0, v)) // inside but for the gamut's tolerance
		if v <= 0.0031308 {             // IEC 61966-2-1
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		out[i] = uint8(math.Round(255 * v))
	}
	return Colour{out[0], out[1], out[2]}
}

// linear turns Oklab into linear sRGB, with the matrices of the article.
func linear(l, a, b float64) []float64 {
	cube := func(v float64) float64 { return v * v * v }
	p, q, r := cube(l+0.3963377774*a+0.2158037573*b), cube(l-0.1055613458*a-0.0638541728*b), cube(l-0.0894841775*a-1.2914855480*b)
	return []float64{
		4.0767416621*p - 3.3077115913*q + 0.2309699292*r,
		-1.2684380046*p + 2.6097574011*q - 0.3413193965*r,
		-0.0041960863*p - 0.7034186147*q + 1.7076147010*r,
	}
}
