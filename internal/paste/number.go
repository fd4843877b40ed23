package paste

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/prefer-bo/prefer/space"
)

// sized says that a number is one of things people look at.
func sized(v float64) bool { return v == 0 || math.Abs(v) >= 1e-4 && math.Abs(v) <= 2e4 }

// words splits a name as people do: "cardRadius-2" is card, radius and 2.
func words(name string) []string {
	var b strings.Builder
	last := ' '
	for _, c := range name {
		if unicode.IsUpper(c) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		if last = c; !unicode.IsLetter(c) {
			c = ' '
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.Fields(b.String())
}

func says(name string, any ...string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(any, w) })
}

// Words that names are made of.
var (
	turns    = []string{"hue", "angle", "rotate", "rotation", "h"}
	parts    = []string{"opacity", "alpha", "lightness", "saturation", "chroma", "brightness", "contrast"}
	fromZero = []string{"radius", "rounded", "rx", "ry", "blur", "shadow", "gap", "border", "spacing", "space", "padding", "margin", "offset", "inset", "spread", "noise", "tilt", "stroke", "outline", "elevation", "delay"}
)

// numbered proposes a range around a number, written as text, with the unit that follows it.
func numbered(name string, v float64, text, unit string) Place {
	return Place{Param: ranged(name, v, !strings.Contains(text, "."), unit), Value: space.ValueOf(v), Unit: unit, On: true}
}

// ranged is a parameter whose range holds v. Names and units say what is usual: a hue is a circle, an opacity a part, a
// radius begins at 0, a time varies in ratios; anything else goes from half of it to twice.
func ranged(name string, v float64, whole bool, unit string) space.Parameter {
	switch {
	case (unit == "deg" || unit == "" && says(name, turns...)) && v >= 0 && v < 360:
		return space.Circle(name, 0, 360)
	case unit == "deg" && v >= -180 && v < 180:
		return space.Circle(name, -180, 180)
	case unit == "turn" && v >= 0 && v < 1:
		return space.Circle(name, 0, 1)
	case unit == "%" && v >= 0 && v <= 100:
		return space.Float(name, 0, 100)
	case unit == "" && says(name, parts...) && v >= 0 && v <= 1:
		return space.Float(name, 0, 1)
	case unit == "" && says(name, "weight") && v >= 100 && v <= 900 && math.Mod(v, 100) == 0:
		p := space.Int(name, 100, 900)
		p.Step = 100
		return p
	}
	low, high := v/2, v*2
	switch {
	case v < 0:
		low, high = 2*v, -2*v
	case v == 0:
		high = map[string]float64{"px": 24, "pt": 24, "ms": 400, "%": 100, "deg": 90}[unit]
		if high == 0 {
			high = 1
			whole = false
		}
	case says(name, fromZero...):
		low, high = 0, 3*v
	case unit == "ms" || unit == "s":
		low, high = v/4, v*4
	}
	low, high = -round(-low), round(high)
	p := space.Float(name, low, high)
	if whole && (unit == "" || unit == "px" || unit == "pt" || unit == "ms") {
		low, high = math.Floor(low), math.Ceil(high)
		p = space.Int(name, int(low), int(max(high, low+5)))
	}
	p.Log = (unit == "ms" || unit == "s") && p.Low > 0
	return p
}

// round returns the next number up that people would say: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten. Down is −round(−x).
func round(x float64) float64 {
	if x == 0 {
		return 0
	}
	up := x > 0
	size := math.Abs(x)
	power := math.Pow(10, math.Floor(math.Log10(size)))
	steps := []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}
	out := 0.0
	for _, s := range steps {
		value := s * power
		if power < 1 {
			value = s / math.Round(1/power) // 0.3 and not 0.30000000000000004
		}
		if up && value >= size*(1-1e-9) {
			return max(value, x)
		}
		if !up && value <= size*(1+1e-9) {
			out = -min(value, size)
		}
	}
	return out
}

// imagined offers a place that a text has already, whose value nobody knows: its name and its unit say what is likely.
func (f *finder) imagined(name, unit string) {
	if f.taken[name] || f.full() {
		return
	}
	f.taken[name] = true
	v := map[string]float64{"px": 16, "pt": 12, "em": 1, "rem": 1, "ch": 40, "vw": 50, "vh": 50, "%": 50, "deg": 180, "turn": .5, "ms": 200, "s": .3}[unit]
	switch {
	case unit == "" && says(name, "font", "family", "typeface"):
		f.add(faces(name, "system-ui, sans-serif"))
		return
	case unit == "" && says(name, "color", "colour"):
		f.add(Place{Param: space.Categorical(name, "#0f6a5f", "#b4472e", "#3d5a98", "#8a5a9e", "#c28b1c"), Value: space.ValueOf("#0f6a5f"), On: true})
		return
	case unit == "" && says(name, "hue", "angle", "rotate", "rotation"):
		v = 180
	case unit == "" && says(name, "weight"):
		v = 400
	case unit == "" && says(name, "size", "radius", "width", "height", "padding", "gap"):
		v = 16
	case unit == "px" && says(name, "width", "height"):
		v = 240
	case unit == "":
		f.add(Place{Param: space.Float(name, 0, 1), Value: space.ValueOf(.5), On: true})
		return
	}
	text := "0"
	if v != math.Trunc(v) {
		text = "0.0"
	}
	f.add(numbered(name, v, text, unit))
}
