package paste

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/space"
)

// Place is a value that could vary.
type Place struct {
	Param space.Parameter `json:"param"`
	Value space.Value     `json:"value"`          // as it was found
	Unit  string          `json:"unit,omitempty"` // what stands after it
	On    bool            `json:"on"`             // proposed to vary; else it stays at the value

	colour bool // it is a part of a colour
}

const (
	maxPlaces  = 24 // proposed
	maxColours = 4  // of three places each
	maxVarying = 6  // at first: twenty answers find a favourite among so many
)

type finder struct {
	places  []Place
	same    map[string]string // text that replaces the value of a custom property: declared twice it is one parameter
	taken   map[string]bool   // names
	left    int               // values that are not proposed
	colours int               // found
}

func (f *finder) add(p Place) string {
	f.places = append(f.places, p)
	return "{{" + p.Param.Name + "}}"
}

// free returns a name that no place has yet.
func (f *finder) free(name string) string {
	name = strings.TrimSpace(strings.NewReplacer("{", "", "}", "").Replace(name))
	if r := []rune(name); len(r) > 40 {
		name = strings.TrimSpace(string(r[:40]))
	}
	name = cmp.Or(name, "value")
	out := name
	for n := 2; f.taken[out]; n++ {
		out = fmt.Sprintf("%s %d", name, n)
	}
	f.taken[out] = true
	return out
}

// full reports whether no further value is proposed, and counts it.
func (f *finder) full() bool {
	if len(f.places) < maxPlaces {
		return false
	}
	f.left++
	return true
}

// limitVarying lets at most maxVarying places vary at first, sizes before colours.
func (f *finder) limitVarying() {
	on := 0
	for _, colours := range []bool{false, true} {
		for i := range f.places {
			if p := &f.places[i]; p.On && p.colour == colours {
				on++
				p.On = on <= maxVarying
			}
		}
	}
}

const units = `px|pt|em|rem|ch|vw|vh|%|deg|turn|ms|s`

var (
	measured  = regexp.MustCompile(`^([+-]?(?:\d+\.?\d*|\.\d+))(` + units + `)?$`)
	following = regexp.MustCompile(`^(?:` + units + `)\b|^%`)
	family    = regexp.MustCompile(`(?i)\b(sans-serif|serif|monospace|cursive|system-ui|ui-\w+)\s*$`)
)

// number returns the text that replaces a number with its unit; ok is false if value is not one of a size that people look at.
func (f *finder) number(name, value string) (to string, ok bool) {
	m := measured.FindStringSubmatch(value)
	if m == nil {
		return "", false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if size := math.Abs(v); err != nil || v != 0 && (size < 1e-4 || size > 2e4) {
		return "", false
	}
	return f.add(ranged(f.free(name), v, value, m[2])) + m[2], true
}

// styled returns the text that replaces the value of a custom property: the value itself if it cannot vary.
func (f *finder) styled(name, value string) string {
	if to, ok := f.same[name]; ok {
		return to
	}
	c, isColour := parseColour(value)
	isFamily := family.MatchString(value) && len(value) < 120 && !strings.ContainsAny(value, "(){}&<>")
	switch {
	case !isColour && !isFamily && !measured.MatchString(value) || f.full():
		return value
	case isColour && f.colours == maxColours:
		f.left++
		return value
	}
	to, ok := f.number(name, value)
	switch {
	case isColour:
		f.colours++
		to = f.colour(name, c)
	case isFamily:
		to = f.add(typefaces(f.free(name), strings.NewReplacer(`"`, "", `'`, "").Replace(value)))
	case !ok:
		return value
	}
	f.same[name] = to
	return to
}

// word returns the text that replaces a value of a query, which is written there as escaped.
func (f *finder) word(name, value, escaped string) string {
	if value == "" || len(value) > 40 || f.full() {
		return escaped
	}
	if to, ok := f.number(name, value); ok {
		return strings.Replace(to, "}}%", "}}%25", 1)
	}
	switch low := strings.ToLower(value); {
	case measured.MatchString(value):
		return escaped
	case low == "true" || low == "false":
		return f.add(Place{Param: space.Switch(f.free(name)), Value: space.ValueOf(low == "true"), On: true})
	case family.MatchString(value):
		return f.add(typefaces(f.free(name), value))
	}
	return f.add(Place{Param: space.Categorical(f.free(name), value), Value: space.ValueOf(value)}) // one choice: a person adds others
}

// typefaces proposes type faces that most machines have, and the one found.
func typefaces(name, found string) Place {
	choices := []string{found}
	for _, c := range []string{"system-ui, sans-serif", "Georgia, serif", "ui-monospace, monospace"} {
		if c != found {
			choices = append(choices, c)
		}
	}
	return Place{Param: space.Categorical(name, choices...), Value: space.ValueOf(found), On: true}
}

// known proposes the placeholders of a text. Their values are not known: names and the units that follow say what is likely.
func (f *finder) known(text string) {
	for _, m := range place.FindAllStringSubmatchIndex(text, -1) {
		name, unit := text[m[2]:m[3]], following.FindString(text[m[1]:min(len(text), m[1]+8)])
		if f.taken[name] || f.full() {
			continue
		}
		f.taken[name] = true
		v, named := likely[unit], func(any ...string) bool { return unit == "" && says(name, any...) }
		switch {
		case named("font", "family", "typeface"):
			f.add(typefaces(name, "system-ui, sans-serif"))
			continue
		case named("color", "colour"):
			f.add(Place{Param: space.Categorical(name, "#0f6a5f", "#b4472e", "#3d5a98", "#8a5a9e", "#c28b1c"), Value: space.ValueOf("#0f6a5f"), On: true})
			continue
		case named("hue", "angle", "rotate", "rotation"):
			v = 180
		case named("weight"):
			v = 400
		case named("size", "radius", "width", "height", "padding", "gap"):
			v = 16
		case unit == "px" && says(name, "width", "height"):
			v = 240
		case unit == "":
			f.add(Place{Param: space.Float(name, 0, 1), Value: space.ValueOf(.5), On: true})
			continue
		}
		f.add(ranged(name, v, space.ValueOf(v).String(), unit))
	}
}

// likely are values of placeholders, by the unit that follows.
var likely = map[string]float64{"px": 16, "pt": 12, "em": 1, "rem": 1, "ch": 40, "vw": 50, "vh": 50, "%": 50, "deg": 180, "turn": .5, "ms": 200, "s": .3}

// says reports whether one of some words is part of a name: "cardRadius-2" has card and radius.
func says(name string, any ...string) bool {
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
	return slices.ContainsFunc(strings.Fields(b.String()), func(w string) bool { return slices.Contains(any, w) })
}

// Words that names are made of.
var (
	angles    = []string{"hue", "angle", "rotate", "rotation", "h"}
	fractions = []string{"opacity", "alpha", "lightness", "saturation", "chroma", "brightness", "contrast"}
	fromZero  = []string{"radius", "rounded", "rx", "ry", "blur", "shadow", "gap", "border", "spacing", "space", "padding", "margin", "offset", "inset", "spread", "noise", "tilt", "stroke", "outline", "elevation", "delay"}
)

// ranged proposes a range around v, which stands in text before its unit: by its name and unit, or else from half of it to twice.
func ranged(name string, v float64, text, unit string) Place {
	p := Place{Value: space.ValueOf(v), Unit: unit, On: true}
	low, high := nice(v/2, false), nice(v*2, true)
	whole := !strings.Contains(text, ".") && slices.Contains([]string{"", "px", "pt", "ms"}, unit)
	circle := func(low, high float64) Place {
		p.Param = space.Circle(name, low, high)
		return p
	}
	switch {
	case (unit == "deg" || unit == "" && says(name, angles...)) && v >= 0 && v < 360:
		return circle(0, 360)
	case unit == "deg" && v >= -180 && v < 180:
		return circle(-180, 180)
	case unit == "turn" && v >= 0 && v < 1:
		return circle(0, 1)
	case unit == "" && says(name, "weight") && v >= 100 && v <= 900 && math.Mod(v, 100) == 0:
		p.Param = space.Int(name, 100, 900)
		p.Param.Step = 100
		return p
	case unit == "%" && v >= 0 && v <= 100:
		low, high = 0, 100
	case unit == "" && says(name, fractions...) && v >= 0 && v <= 1:
		low, high, whole = 0, 1, false
	case v < 0:
		high = nice(-2*v, true)
		low = -high
	case v == 0:
		if high = map[string]float64{"px": 24, "pt": 24, "ms": 400}[unit]; high == 0 {
			high, whole = 1, false
		}
	case says(name, fromZero...):
		low, high = 0, nice(3*v, true)
	case unit == "ms" || unit == "s":
		low, high = nice(v/4, false), nice(v*4, true)
	}
	p.Param = space.Float(name, low, high)
	if whole {
		low, high = math.Floor(low), math.Ceil(high)
		p.Param = space.Int(name, int(low), int(max(high, low+5)))
	}
	p.Param.Log = (unit == "ms" || unit == "s") && p.Param.Low > 0
	return p
}

// nice returns the next round number up or down from x. A number below 0 stays as it is.
func nice(x float64, up bool) float64 {
	if x <= 0 {
		return x
	}
	power, below := math.Pow(10, math.Floor(math.Log10(x))), x
	for _, s := range []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10} {
		value := s * power
		if power < 1 {
			value = s / math.Round(1/power) // 0.3 and not 0.30000000000000004
		}
		switch {
		case up && value >= x*(1-1e-9):
			return max(value, x)
		case !up && value > x*(1+1e-9):
			return below
		}
		below = min(value, x)
	}
	return below
}

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
	light, red, yellow := media.OKLab(uint8(n>>16), uint8(n>>8), uint8(n))
	hue := math.Mod(math.Atan2(yellow, red)*180/math.Pi+360, 360)
	return colour{min(1, max(0, light)), min(.4, math.Hypot(red, yellow)), hue}, err == nil
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
