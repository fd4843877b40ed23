package paste

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/space"
)

// colour is a colour in OKLCH: lightness 0 to 1, chroma from 0, hue in degrees; alpha as it was written, "" for none.
type colour struct {
	l, c, h float64
	alpha   string
}

var (
	hexes   = regexp.MustCompile(`^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	written = regexp.MustCompile(`^(?i)(rgba?|hsla?|oklch)\(\s*([\d.]+)(%|deg)?[\s,]+([\d.]+)(%)?[\s,]+([\d.]+)(%|deg)?\s*(?:[,/]\s*([\d.]+%?)\s*)?\)$`)
)

// parseColour reads a colour as style sheets have it: #rgb, #rrggbb, rgb(), hsl() or oklch().
func parseColour(text string) (colour, bool) {
	if m := hexes.FindStringSubmatch(text); m != nil {
		return fromHex(m[1])
	}
	m := written.FindStringSubmatch(text)
	if m == nil {
		return colour{}, false
	}
	var v [3]float64
	for i, at := range []int{2, 4, 6} {
		x, err := strconv.ParseFloat(m[at], 64)
		if err != nil || x > 1000 {
			return colour{}, false
		}
		v[i] = x
	}
	c := colour{}
	switch strings.ToLower(m[1])[:3] {
	case "rgb":
		if m[3] == "%" {
			v = [3]float64{v[0] * 2.55, v[1] * 2.55, v[2] * 2.55}
		}
		c = fromRGB(min(v[0], 255)/255, min(v[1], 255)/255, min(v[2], 255)/255)
	case "hsl":
		c = fromHSL(math.Mod(v[0], 360), min(v[1], 100)/100, min(v[2], 100)/100)
	default:
		if m[3] == "%" {
			v[0] /= 100
		}
		if m[5] == "%" {
			v[1] *= .004
		}
		c = colour{l: min(v[0], 1), c: min(v[1], .4), h: math.Mod(v[2], 360)}
	}
	c.alpha = m[8]
	return c, true
}

func fromHex(digits string) (colour, bool) {
	if len(digits) < 6 {
		wide := ""
		for _, d := range digits {
			wide += string(d) + string(d)
		}
		digits = wide
	}
	n, err := strconv.ParseUint(digits[:6], 16, 32)
	if err != nil {
		return colour{}, false
	}
	c := fromRGB(float64(n>>16)/255, float64(n>>8&255)/255, float64(n&255)/255)
	if len(digits) == 8 {
		a, err := strconv.ParseUint(digits[6:], 16, 8)
		if err != nil {
			return colour{}, false
		}
		c.alpha = strconv.FormatFloat(math.Round(float64(a)/255*100)/100, 'g', -1, 64)
	}
	return c, true
}

// fromHSL goes by way of sRGB: CSS Color 4, § 7.1, f(n) = l − a·max(−1, min(k − 3, 9 − k, 1)) with k = (n + h/30) mod 12, a = s·min(l, 1 − l).
func fromHSL(h, s, l float64) colour {
	a := s * min(l, 1-l)
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		return l - a*max(-1, min(k-3, 9-k, 1))
	}
	return fromRGB(f(0), f(8), f(4))
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
	hue := math.Atan2(B, A) * 180 / math.Pi
	if hue < 0 {
		hue += 360
	}
	return colour{l: min(1, max(0, .2104542553*l+.7936177850*m-.0040720468*s)), c: min(.4, math.Hypot(A, B)), h: hue}
}

// grey is the chroma below which a hue cannot be seen.
const grey = .02

// colour offers hue, lightness and chroma of a colour: its hue varies at first, of a grey the lightness.
func (f *finder) colour(name string, c colour) string {
	near := func(x, unit float64) float64 { return math.Round(x/unit) / math.Round(1/unit) }
	l, ch, h := near(c.l, .001), near(c.c, .001), math.Mod(math.Round(c.h), 360)
	low, high := max(0, math.Floor((l-.3)*20)/20), min(1, math.Ceil((l+.3)*20)/20)
	to := "oklch(" +
		f.add(Place{Param: space.Float(f.free(name+" lightness"), low, high), Value: space.ValueOf(l), On: c.c < grey, colour: true}) + " " +
		f.add(Place{Param: space.Float(f.free(name+" chroma"), 0, max(.25, ch)), Value: space.ValueOf(ch), colour: true}) + " " +
		f.add(Place{Param: space.Circle(f.free(name+" hue"), 0, 360), Value: space.ValueOf(h), On: c.c >= grey, colour: true})
	if c.alpha != "" {
		to += " / " + c.alpha
	}
	return to + ")"
}
