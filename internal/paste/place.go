package paste

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/xslices"
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
	unused  []string          // custom properties that change nothing on the specimen page
}

func (f *finder) add(p Place) string {
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

// full reports whether no further value is proposed, and counts it.
func (f *finder) full() bool {
	if len(f.places) < maxPlaces {
		return false
	}
	f.left++
	return true
}

// limitVarying lets at most maxVarying places vary at first, sizes before colours, and none that the specimen page does not use.
func (f *finder) limitVarying() {
	on := 0
	for _, colours := range []bool{false, true} {
		for i := range f.places {
			p := &f.places[i]
			idle := slices.ContainsFunc(f.unused, func(property string) bool { // the value of it, or a part of its colour
				return p.Param.Name == property[2:] || p.colour && strings.HasPrefix(p.Param.Name, property[2:]+" ")
			})
			if p.On = p.On && !idle; p.On && p.colour == colours {
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
	family    = regexp.MustCompile(`(?i)^[^(){}&<>]{0,110}\b(sans-serif|serif|monospace|cursive|system-ui|ui-\w+)$`)
	parts     = regexp.MustCompile(`\p{Lu}+\p{Ll}*|\p{Ll}+`)
)

// kindOf tells what a value is: a colour, a number, a length (a number with any unit), a family of type faces, a switch, or words.
func kindOf(value string) string {
	_, isColour := parseColour(value)
	switch m := measured.FindStringSubmatch(value); {
	case isColour:
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
	if kind == "colour" && !sheet {
		kind = "words"
	}
	switch {
	case sheet && (kind == "switch" || kind == "words"):
		return ""
	case kind == "colour" && f.colours == maxColours:
		f.left++
		return ""
	case f.full():
		return ""
	}
	switch kind {
	case "colour":
		return f.colour(name, value)
	case "family":
		return f.add(typefaces(f.free(name), value))
	case "switch":
		return f.add(Place{Param: space.Switch(f.free(name)), Value: space.ValueOf(strings.EqualFold(value, "true")), On: true})
	case "words":
		return f.add(Place{Param: space.Categorical(f.free(name), value), Value: space.ValueOf(value)}) // one choice: a person adds others
	}
	m := measured.FindStringSubmatch(value)
	v, err := strconv.ParseFloat(m[1], 64)
	if size := math.Abs(v); err != nil || v != 0 && (size < 1e-4 || size > 2e4) {
		return ""
	}
	return f.add(ranged(f.free(name), v, value, m[2])) + m[2]
}

// styled returns the text that replaces the value of a custom property: the value itself if it cannot vary.
func (f *finder) styled(name, value string) string {
	if f.same[name] == "" {
		f.same[name] = f.propose(name, strings.NewReplacer(`"`, "", `'`, "").Replace(value), true)
	}
	return cmp.Or(f.same[name], value)
}

// choices proposes a choice among texts, of which the first was found.
func choices(name string, texts ...string) Place {
	return Place{Param: space.Categorical(name, texts...), Value: space.ValueOf(texts[0]), On: true}
}

// typefaces proposes type faces that most machines have, and the one found.
func typefaces(name, found string) Place {
	common := []string{"system-ui, sans-serif", "Georgia, serif", "ui-monospace, monospace"}
	return choices(name, append([]string{found}, slices.DeleteFunc(common, func(c string) bool { return c == found })...)...)
}

// likely are values of placeholders, by the unit that follows or else by a word of the name.
var likely = map[string]float64{"px": 16, "pt": 12, "em": 1, "rem": 1, "ch": 40, "vw": 50, "vh": 50, "%": 50, "deg": 180, "turn": .5, "ms": 200, "s": .3,
	"hue": 180, "angle": 180, "rotate": 180, "rotation": 180, "weight": 400, "size": 16, "radius": 16, "width": 16, "height": 16, "padding": 16, "gap": 16}

// known proposes the placeholders of a text. Their values are not known: names and the units that follow say what is likely.
func (f *finder) known(text string) {
	for _, m := range place.FindAllStringSubmatchIndex(text, -1) {
		name, unit := text[m[2]:m[3]], following.FindString(text[m[1]:min(len(text), m[1]+8)])
		if f.taken[name] || f.full() {
			continue
		}
		f.taken[name] = true
		v := likely[unit]
		for _, word := range words(name) {
			if unit == "" {
				v = cmp.Or(v, likely[word])
			}
		}
		switch {
		case unit == "" && says(name, "font family typeface"):
			f.add(typefaces(name, "system-ui, sans-serif"))
		case unit == "" && says(name, "color colour"):
			f.add(choices(name, "#0f6a5f", "#b4472e", "#3d5a98", "#8a5a9e", "#c28b1c"))
		case v == 0:
			f.add(Place{Param: space.Float(name, 0, 1), Value: space.ValueOf(.5), On: true})
		case unit == "px" && says(name, "width height"):
			f.add(ranged(name, 240, "240", unit))
		default:
			f.add(ranged(name, v, space.ValueOf(v).String(), unit))
		}
	}
}

// words splits a name: "cardRadius-2" has card and radius.
func words(name string) []string { return xslices.Map(parts.FindAllString(name, -1), strings.ToLower) }

// says reports whether one of some words is part of a name.
func says(name, any string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(strings.Fields(any), w) })
}

var weights = func() space.Parameter { p := space.Int("", 100, 900); p.Step = 100; return p }()

// ranges are what values vary in, by unit ("number" without one), by words of the name, and from and to which value they hold.
var ranges = []struct {
	units, words string
	from, to     float64
	param        space.Parameter
}{
	{"deg", "", 0, 360, space.Circle("", 0, 360)},
	{"deg", "", -180, 0, space.Circle("", -180, 180)},
	{"turn", "", 0, 1, space.Circle("", 0, 1)},
	{"number", "hue angle rotate rotation h", 0, 360, space.Circle("", 0, 360)},
	{"number", "weight", 100, 900, weights},
	{"number", "opacity alpha lightness saturation chroma brightness contrast", 0, 1, space.Float("", 0, 1)},
	{"%", "", 0, 100, space.Float("", 0, 100)},
	{"px pt", "", 0, 0, space.Int("", 0, 24)},
	{"ms", "", 0, 0, space.Int("", 0, 400)},
	{"number em rem ch vw vh s", "", 0, 0, space.Float("", 0, 1)},
}

const fromZero = "radius rounded rx ry blur shadow gap border spacing space padding margin offset inset spread noise tilt stroke outline elevation delay"

// ranged proposes a range around v, which stands in text before its unit: by its name and unit, or else from half of it to twice.
func ranged(name string, v float64, text, unit string) Place {
	p := Place{Value: space.ValueOf(v), Unit: unit, On: true}
	for _, r := range ranges {
		if slices.Contains(strings.Fields(r.units), cmp.Or(unit, "number")) && (r.words == "" || says(name, r.words)) &&
			v >= r.from && v <= r.to && !(r.param.Circular && v == r.to) && (r.param.Step == 0 || math.Mod(v, r.param.Step) == 0) {
			p.Param, p.Param.Name = r.param, name
			return p
		}
	}
	low, high := nice(v/2, false), nice(v*2, true)
	time := unit == "ms" || unit == "s"
	switch {
	case v < 0:
		high = nice(-2*v, true)
		low = -high
	case says(name, fromZero):
		low, high = 0, nice(3*v, true)
	case time:
		low, high = nice(v/4, false), nice(v*4, true)
	}
	p.Param = space.Float(name, low, high)
	if !strings.Contains(text, ".") && slices.Contains([]string{"", "px", "pt", "ms"}, unit) {
		low, high = math.Floor(low), math.Ceil(high)
		p.Param = space.Int(name, int(low), int(max(high, low+5)))
	}
	p.Param.Log = time && p.Param.Low > 0
	return p
}

// nice returns the next round number up or down from x. A number below 0 stays as it is.
func nice(x float64, up bool) float64 {
	if x <= 0 {
		return x
	}
	round := []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}
	exponent := math.Floor(math.Log10(x))
	digits := x / math.Pow(10, exponent)
	i := sort.SearchFloat64s(round, digits*(1-1e-9))
	if !up {
		i = max(0, sort.SearchFloat64s(round, digits*(1+1e-9))-1)
	}
	value, _ := strconv.ParseFloat(fmt.Sprintf("%ge%g", round[i], exponent), 64) // digits: 0.3 and not 0.30000000000000004
	if up {
		return max(value, x)
	}
	return min(value, x)
}

var (
	hexes = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
	oklch = regexp.MustCompile(`^oklch\(\s*(0?\.\d+|[01])\s+(0?\.\d+|0)\s+(\d{1,3}(?:\.\d+)?)\s*\)$`)
)

// parseColour reads an opaque colour, #rgb, #rrggbb or oklch() with plain numbers, as lightness from 0 to 1, chroma from 0 to 0.4 and hue in degrees.
func parseColour(text string) (lch [3]float64, ok bool) {
	if m := oklch.FindStringSubmatch(text); m != nil {
		for i := range lch {
			lch[i], _ = strconv.ParseFloat(m[i+1], 64) // digits
		}
		return [3]float64{lch[0], min(lch[1], .4), math.Mod(lch[2], 360)}, true
	}
	if !hexes.MatchString(text) {
		return lch, false
	}
	if len(text) == 4 {
		text = string([]byte{'#', text[1], text[1], text[2], text[2], text[3], text[3]})
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	light, red, yellow := media.OKLab(uint8(n>>16), uint8(n>>8), uint8(n))
	hue := math.Mod(math.Atan2(yellow, red)*180/math.Pi+360, 360)
	return [3]float64{min(1, max(0, light)), min(.4, math.Hypot(red, yellow)), hue}, err == nil
}

// grey is the chroma below which a hue cannot be seen.
const grey = .02

// colour proposes lightness, chroma and hue of a colour. At first the hue varies, or the lightness of a grey.
func (f *finder) colour(name, value string) string {
	f.colours++
	lch, _ := parseColour(value)
	part := func(p space.Parameter, v float64, on bool) string {
		return f.add(Place{Param: p, Value: space.ValueOf(v), On: on, colour: true})
	}
	l, ch, h := math.Round(lch[0]*1000)/1000, math.Round(lch[1]*1000)/1000, math.Mod(math.Round(lch[2]), 360)
	low, high := max(0, math.Floor((l-.3)*20)/20), min(1, math.Ceil((l+.3)*20)/20)
	return "oklch(" +
		part(space.Float(f.free(name+" lightness"), low, high), l, lch[1] < grey) + " " +
		part(space.Float(f.free(name+" chroma"), 0, max(.25, ch)), ch, false) + " " +
		part(space.Circle(f.free(name+" hue"), 0, 360), h, lch[1] >= grey) + ")"
}
