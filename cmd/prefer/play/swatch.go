package play

import (
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/terminal"
)

// The parameters that make a study one of colours.
const hueName, chromaName, lightnessName = "hue", "chroma", "lightness"

// isColour reports whether the options of a space are colours: a hue in degrees, a chroma and a lightness
// from 0 to 1, and nothing else.
func isColour(s prefer.Space) bool {
	if len(s.Parameters) != 3 {
		return false
	}
	top := map[string]float64{hueName: 360, chromaName: 1, lightnessName: 1}
	for _, p := range s.Parameters {
		high, known := top[p.Name]
		if !known || p.Low < 0 || p.High > high || len(p.Choices) > 0 {
			return false
		}
		delete(top, p.Name)
	}
	return true
}

// swatch returns the colour of an option of such a space.
func swatch(o prefer.Option) terminal.Colour {
	return terminal.OKLCH(o.Float(lightnessName), o.Float(chromaName), o.Float(hueName))
}

// hues are the names of the Oklab hues, from 0° on, every 30°.
var hues = []string{"pink", "red", "orange", "amber", "olive", "green", "emerald", "teal", "sky blue", "blue", "violet", "magenta"}

// colourName names a colour roughly: "light soft teal".
func colourName(o prefer.Option) string {
	l, c, h := o.Float(lightnessName), o.Float(chromaName), o.Float(hueName)
	name := hues[int(math.Round(h/30))%len(hues)]
	switch {
	case c < 0.12:
		name = "grey"
	case c < 0.45:
		name = "soft " + name
	case c > 0.8:
		name = "vivid " + name
	}
	switch {
	case l < 0.4:
		return "dark " + name
	case l > 0.8:
		return "light " + name
	}
	return name
}
