package figure

import (
	"image/color"
	"slices"
	"strings"
	"unicode"

	"github.com/prefer-bo/prefer/acquisition"
	"gonum.org/v1/plot/vg"
)

// look is how a curve is drawn: the colour says which method, the dashes which setup.
type look struct {
	colour color.NRGBA
	dashes []vg.Length // nil: solid
}

// methods have the same colour in every figure. The colours are those of Okabe and Ito (2008), which
// people of every colour vision tell apart, with grey for the method that does not choose.
var methods = map[string]color.NRGBA{
	"kg":       {213, 94, 0, 255},   // vermilion
	"eubo":     {0, 114, 178, 255},  // blue
	"logei":    {0, 158, 115, 255},  // bluish green
	"qeubo":    {86, 180, 233, 255}, // sky blue
	"random":   {128, 128, 128, 255},
	"thompson": {204, 121, 167, 255}, // reddish purple
	"bald":     {230, 159, 0, 255},   // orange
}

// others are for methods that are not in the list, in the order in which they appear: darker than the
// eight of Okabe and Ito, which are taken.
var others = []color.NRGBA{
	{0, 0, 0, 255}, {110, 44, 130, 255}, {120, 80, 30, 255}, {0, 70, 60, 255}, {150, 20, 60, 255}, {90, 90, 0, 255},
}

// setups have the same dashes in every figure; further ones take those of more in the order in which
// they appear.
var (
	setups = map[string][]vg.Length{"": nil, "default": nil, "paper": {4, 1.6}, "botorch": {1.1, 1.3}}
	more   = [][]vg.Length{{6, 1.5, 1.2, 1.5}, {8, 2.5}, {3, 1.2, 1, 1.2, 1, 1.2}, {2, 2}}
)

// newPalette returns the looks of curves with those names. Where all curves have one setup, it is not
// worth a distinction and they are solid.
func newPalette(names []string) map[string]look {
	out := map[string]look{}
	var strange, further, seen []string
	note := func(list *[]string, v string) {
		if !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
	plain := map[string]bool{} // methods that appear without a setup
	for _, name := range names {
		method, setup := parse(name)
		if _, known := methods[method]; !known {
			note(&strange, method)
		}
		if !isMethod(method) {
			continue // a name as a whole, which has no setup
		}
		if _, known := setups[setup]; !known {
			note(&further, setup)
		}
		note(&seen, setup)
		plain[method] = plain[method] || setup == ""
	}
	for _, name := range names {
		if method, setup := parse(name); setup == "default" && plain[method] { // side by side, only one can be solid
			note(&further, setup)
		}
	}
	for _, name := range names {
		method, setup := parse(name)
		l := look{colour: methods[method]}
		if i := slices.Index(strange, method); i >= 0 {
			l.colour = others[i%len(others)]
		}
		if len(seen) > 1 {
			l.dashes = setups[setup]
			if i := slices.Index(further, setup); i >= 0 {
				l.dashes = more[i%len(more)]
			}
		}
		out[name] = l
	}
	return out
}

// parse splits a name like "botorch kg" or "KG (paper)" into the method, the first word that is one, and
// the setup, the other words. A name without a known method is a method of its own.
func parse(name string) (method, setup string) {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("()[]:,/·", r)
	})
	i := slices.IndexFunc(words, isMethod)
	if i < 0 {
		return strings.Join(words, " "), ""
	}
	method = words[i]
	return method, strings.Join(slices.Delete(words, i, i+1), " ")
}

// isMethod reports whether a word names a method, with a colour of its own or not yet.
func isMethod(word string) bool {
	_, coloured := methods[word]
	return coloured || slices.Contains(acquisition.Methods(), word)
}

// faded returns the colour with that much of its opacity.
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// blend returns the colour a part t of the way from a to b.
func blend(a, b color.NRGBA, t float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + t*(float64(y)-float64(x)) + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A)}
}
