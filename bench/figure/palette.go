package figure

import (
	"image/color"
	"slices"
	"strings"

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

// newPalette returns the looks of curves by name. Where all have one setup, it is not worth a distinction and they
// are solid.
func newPalette(curves []Curve) map[string]look {
	var strange, further, seen []string
	note := func(list *[]string, v string) {
		if !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
	for _, c := range curves {
		if _, known := methods[strings.ToLower(c.Method)]; !known {
			note(&strange, c.Method)
		}
		if _, known := setups[c.Setup]; !known {
			note(&further, c.Setup)
		}
		note(&seen, c.Setup)
	}
	out := map[string]look{}
	for _, c := range curves {
		l := look{colour: methods[strings.ToLower(c.Method)]}
		if i := slices.Index(strange, c.Method); i >= 0 {
			l.colour = others[i%len(others)]
		}
		if len(seen) > 1 {
			l.dashes = setups[c.Setup]
			if i := slices.Index(further, c.Setup); i >= 0 {
				l.dashes = more[i%len(more)]
			}
		}
		out[c.name()] = l
	}
	return out
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
