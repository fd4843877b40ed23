package paste

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Place is a value that could vary.
type Place struct {
	Param space.Parameter `json:"param"`
	Value space.Value     `json:"value"`          // as it was found
	Unit  string          `json:"unit,omitempty"` // what stands after it
	On    bool            `json:"on"`             // proposed to vary; else it stays at the value
}

const (
	maxPlaces  = 24 // proposed
	maxColours = 12 // that colours, of three places each, are among
	maxVarying = 6  // at first: twenty answers find a favourite among so many
)

type finder struct {
	places  []Place
	same    map[string]string // text that replaces the value of a custom property: declared twice it is one parameter
	taken   map[string]bool   // names
	unused  []string          // custom properties that change nothing on the specimen page
	varying int               // places
	left    int               // values that are not proposed
}

// add proposes a place and returns the placeholder for it.
func (f *finder) add(p Place) string {
	if p.On = p.On && f.varying < maxVarying; p.On {
		f.varying++
	}
	f.places = append(f.places, p)
	return "{{" + p.Param.Name + "}}"
}

// free returns a name that no place has yet.
func (f *finder) free(name string) string {
	name = cmp.Or(strings.TrimSpace(fmt.Sprintf("%.40s", strings.TrimSpace(strings.NewReplacer("{", "", "}", "").Replace(name)))), "value")
	out := name
	for n := 2; f.taken[out]; n++ {
		out = fmt.Sprintf("%s %d", name, n)
	}
	f.taken[out] = true
	return out
}

const units = `px|pt|em|rem|ch|vw|vh|%|deg|turn|ms|s`

var (
	measured  = regexp.MustCompile(`^([+-]?(?:\d+\.?\d*|\.\d+))(` + units + `)?$`)
	following = regexp.MustCompile(`^(?:` + units + `)\b|^%`)
	family    = regexp.MustCompile(`(?i)^[^(){}&<>]{0,110}\b(sans-serif|serif|monospace|cursive|system-ui|ui-\w+)$`)
	hexes     = regexp.MustCompile(`^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
	parts     = regexp.MustCompile(`\p{Lu}+\p{Ll}*|\p{Ll}+`)
)

// kindOf tells what a value is: a colour, a number, a length (a number with any unit), a family of type faces, a switch, or words.
func kindOf(value string) string {
	m := measured.FindStringSubmatch(value)
	switch {
	case hexes.MatchString(value):
		return "colour"
	case m != nil && m[2] == "":
		return "number"
	case m != nil:
		return "length"
	case family.MatchString(value):
		return "family"
	case strings.EqualFold(value, "true") || strings.EqualFold(value, "false"):
		return "switch"
	}
	return "words"
}

// propose returns the text that replaces a value of a style sheet or of an address, or nothing if it is of a kind that does not vary there, or not of a size
// that people look at. Sheets have colours, addresses switches and words.
func (f *finder) propose(name, value string, sheet bool) string {
	kind := kindOf(value)
	colour := sheet && kind == "colour"
	switch {
	case sheet && (kind == "switch" || kind == "words"):
		return ""
	case len(f.places) >= maxPlaces || colour && len(f.places) >= maxColours:
		f.left++
		return ""
	case colour:
		return f.colour(name, value)
	}
	p, ok := placeOf(name, value)
	if !ok {
		return ""
	}
	p.Param.Name = f.free(name)
	return f.add(p) + p.Unit
}

// placeOf proposes what a value could vary in, a parameter without a name. A number that is larger or smaller than people look at has no place.
func placeOf(name, value string) (Place, bool) {
	switch kindOf(value) {
	case "family":
		common := []string{"system-ui, sans-serif", "Georgia, serif", "ui-monospace, monospace"} // most machines have them
		common = slices.DeleteFunc(common, func(c string) bool { return c == value })
		return Place{Param: space.Categorical("", append([]string{value}, common...)...), Value: space.ValueOf(value), On: true}, true
	case "switch":
		return Place{Param: space.Switch(""), Value: space.ValueOf(strings.EqualFold(value, "true")), On: true}, true
	case "words", "colour":
		return Place{Param: space.Categorical("", value), Value: space.ValueOf(value)}, true // one choice: a person adds others
	}
	m := measured.FindStringSubmatch(value)
	v, err := strconv.ParseFloat(m[1], 64)
	size := math.Abs(v)
	return Place{Param: ranged(name, v, m[2]), Value: space.ValueOf(v), Unit: m[2], On: true}, err == nil && (v == 0 || size >= 1e-4 && size <= 2e4)
}

// likely are values of placeholders, by the unit that follows or else by a word of the name.
var likely = map[string]string{"px": "16", "pt": "12", "em": "1", "rem": "1", "ch": "40", "vw": "50", "vh": "50", "%": "50", "deg": "180", "turn": "0.5", "ms": "200", "s": "0.3",
	"hue": "180", "angle": "180", "rotate": "180", "weight": "400", "size": "16", "radius": "16", "width": "16", "height": "16", "padding": "16", "gap": "16",
	"font": "system-ui, sans-serif", "family": "system-ui, sans-serif", "color": "#0f6a5f", "colour": "#0f6a5f", "": "0.5"}

// known proposes the placeholders of a text. Their values are not known: names and the units that follow say what is likely.
func (f *finder) known(text string) {
	for _, m := range place.FindAllStringSubmatchIndex(text, -1) {
		name, unit := text[m[2]:m[3]], following.FindString(text[m[1]:min(len(text), m[1]+8)])
		if f.taken[name] {
			continue
		}
		if len(f.places) >= maxPlaces {
			f.left++
			continue
		}
		f.taken[name] = true
		value := likely[unit] + unit
		for _, word := range words(name) {
			if unit == "" && likely[word] != "" {
				value = likely[word]
			}
		}
		p, _ := placeOf(name, value)
		p.Param.Name = name
		f.add(p)
	}
}

// words splits a name: "cardRadius-2" has card and radius.
func words(name string) []string { return xslices.Map(parts.FindAllString(name, -1), strings.ToLower) }

// says reports whether one of some words is part of a name.
func says(name, any string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(strings.Fields(any), w) })
}

// ranges are what values vary in, by unit ("number" without one), by words of the name, and from and to which value they hold.
var ranges = []struct {
	units, words string
	from, to     float64
	param        space.Parameter
}{
	{"deg", "", 0, 359, space.Circle("", 0, 360)},
	{"number", "hue angle rotate rotation h", 0, 359, space.Circle("", 0, 360)},
	{"number", "weight", 100, 900, space.Int("", 100, 900)},
	{"number", "opacity alpha lightness saturation chroma brightness contrast", 0, 1, space.Float("", 0, 1)},
	{"%", "", 0, 100, space.Float("", 0, 100)},
	{"px pt ms", "", 0, 0, space.Int("", 0, 24)},
	{"number", "", .5, .5, space.Float("", 0, 1)},
	{"number em rem ch vw vh s turn", "", 0, 0, space.Float("", 0, 1)},
}

const fromZero = "radius rounded rx ry blur shadow gap border spacing space padding margin offset inset spread noise tilt stroke outline elevation delay"

// ranged returns a range around v: by name and unit, or else from half of it to twice.
func ranged(name string, v float64, unit string) space.Parameter {
	for _, r := range ranges {
		if slices.Contains(strings.Fields(r.units), cmp.Or(unit, "number")) && (r.words == "" || says(name, r.words)) && v >= r.from && v <= r.to {
			return r.param
		}
	}
	low, high := v/2, 2*v
	switch {
	case v < 0:
		low, high = 2*v, -2*v
	case says(name, fromZero):
		low, high = 0, 3*v
	}
	if v == math.Floor(v) && slices.Contains([]string{"", "px", "pt", "ms"}, unit) {
		low = math.Floor(low)
		return space.Int("", int(low), int(max(math.Ceil(high), low+5)))
	}
	return space.Float("", math.Round(low*1e4)/1e4, math.Round(high*1e4)/1e4) // digits: 0.3 and not 0.30000000000000004
}

// convert converts a colour, #rgb or #rrggbb, to OKLCh (Ottosson, 2020): lightness from 0 to 1, chroma and hue in degrees.
func convert(colour string) (lightness, chroma, hue float64) {
	var rgb [3]float64
	for i, n := 0, len(colour)/3; i < 3; i++ { // digits of each
		v, _ := strconv.ParseUint(strings.Repeat(colour[1+i*n:1+(i+1)*n], 3-n), 16, 8) // hexes matches
		if rgb[i] = float64(v) / 255; rgb[i] <= 0.04045 {
			rgb[i] /= 12.92
		} else {
			rgb[i] = math.Pow((rgb[i]+0.055)/1.055, 2.4)
		}
	}
	l := math.Cbrt(0.4122214708*rgb[0] + 0.5363325363*rgb[1] + 0.0514459929*rgb[2])
	m := math.Cbrt(0.2119034982*rgb[0] + 0.6806995451*rgb[1] + 0.1073969566*rgb[2])
	s := math.Cbrt(0.0883024619*rgb[0] + 0.2817188376*rgb[1] + 0.6299787005*rgb[2])
	red := 1.9779984951*l - 2.4285922050*m + 0.4505937099*s
	yellow := 0.0259040371*l + 0.7827717662*m - 0.8086757660*s
	return min(1, 0.2104542553*l+0.7936177850*m-0.0040720468*s), math.Hypot(red, yellow), math.Atan2(yellow, red) * 180 / math.Pi
}

// grey is the chroma below which a hue cannot be seen.
const grey = .02

// colour proposes lightness, chroma and hue of a colour. At first the hue varies, or the lightness of a grey.
func (f *finder) colour(name, value string) string {
	l, c, h := convert(value)
	part := func(p space.Parameter, v float64, on bool) string {
		return f.add(Place{Param: p, Value: space.ValueOf(v), On: on})
	}
	isGrey, low, high := c < grey, math.Floor((l-.3)*20)/20, math.Ceil((l+.3)*20)/20
	return "oklch(" +
		part(space.Float(f.free(name+" lightness"), max(0, low), min(1, high)), math.Round(l*1000)/1000, isGrey) + " " +
		part(space.Float(f.free(name+" chroma"), 0, max(.25, c)), math.Round(c*1000)/1000, false) + " " +
		part(space.Circle(f.free(name+" hue"), 0, 360), math.Mod(math.Round(h)+360, 360), !isGrey) + ")"
}
