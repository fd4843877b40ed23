package paste

import (
	"math"
	"regexp"
	"strconv"

	"github.com/prefer-bo/prefer/space"
)

// colour is a colour in OKLCH: lightness 0 to 1, chroma from 0, hue in degrees.
type colour struct{ l, c, h float64 }

var (
	hexes = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
	oklch = regexp.MustCompile(`^oklch\(\s*(0?\.\d+|[01])\s+(0?\.\d+|0)\s+(\d{1,3}(?:\.\d+)?)\s*\)$`)
)

// parseColour reads an opaque colour: #rgb, #rrggbb or oklch() with plain numbers.
func parseColour(text string) (colour, bool) {
	if m := oklch.FindStringSubmatch(text); m != nil {
		var v [3]float64
		for i := range v {
			v[i], _ = strconv.ParseFloat(m[i+1], 64) // digits
		}
		return colour{v[0], min(v[1], .4), math.Mod(v[2], 360)}, true
	}
	m := hexes.FindStringSubmatch(text)
	if m == nil {
		return colour{}, false
	}
	digits := m[1]
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	return fromRGB(float64(n>>16)/255, float64(n>>8&255)/255, float64(n&255)/255), err == nil
}

// fromRGB converts sRGB, 0 to 1, to OKLCH by the matrices of Ottosson, "A perceptual color space for image processing" (2020).
func fromRGB(r, g, b float64) colour {
	linear := func(x float64) float64 {
		if x <= .04045 {
			return x / 12.92
		}
		return math.Pow((x+.055)/1.055, 2.4)
	}
	r, g, b = linear(r), linear(g), linear(b)
	l := math.Cbrt(.4122214708*r + .5363325363*g + .0514459929*b)
	m := math.Cbrt(.2119034982*r + .6806995451*g + .1073969566*b)
	s := math.Cbrt(.0883024619*r + .2817188376*g + .6299787005*b)
	A := 1.9779984951*l - 2.4285922050*m + .4505937099*s
	B := .0259040371*l + .7827717662*m - .8086757660*s
	hue := math.Mod(math.Atan2(B, A)*180/math.Pi+360, 360)
	return colour{l: min(1, max(0, .2104542553*l+.7936177850*m-.0040720468*s)), c: min(.4, math.Hypot(A, B)), h: hue}
}

// grey is the chroma below which a hue cannot be seen.
const grey = .02

// colour proposes hue, lightness and chroma of a colour. At first the hue varies, or the lightness of a grey.
func (f *finder) colour(name string, c colour) string {
	part := func(p space.Parameter, v float64, on bool) string {
		return f.add(Place{Param: p, Value: space.ValueOf(v), On: on, colour: true})
	}
	l, ch, h := math.Round(c.l*1000)/1000, math.Round(c.c*1000)/1000, math.Mod(math.Round(c.h), 360)
	low, high := max(0, math.Floor((l-.3)*20)/20), min(1, math.Ceil((l+.3)*20)/20)
	return "oklch(" +
		part(space.Float(f.free(name+" lightness"), low, high), l, c.c < grey) + " " +
		part(space.Float(f.free(name+" chroma"), 0, max(.25, ch)), ch, false) + " " +
		part(space.Circle(f.free(name+" hue"), 0, 360), h, c.c >= grey) + ")"
}
