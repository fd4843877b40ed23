package chart

import (
	"fmt"
	"math"
	"strings"

	"github.com/prefer-bo/prefer/space"
)

// ParameterOf returns a parameter of a space, or what is known of a feature of items.
func ParameterOf(sp space.Space, name string) space.Parameter {
	for _, p := range sp.Parameters {
		if p.Name == name {
			return p
		}
	}
	if period, ok := sp.Circular[name]; ok {
		return space.Circle(name, 0, period)
	}
	return space.Parameter{Name: name}
}

// NumberOf returns the number that a parameter is set to, NaN where there is none of this name or it is no number.
func NumberOf(o space.Option, name string) float64 {
	if v, ok := o[name]; ok {
		return v.Float()
	}
	return math.NaN()
}

// Hue returns the colours of a parameter called hue: those of the pick with it, or of the colour space that a drawing of it names; nil of anything
// else.
func Hue(name string, best space.Option, drawing string) func(float64) string {
	if !strings.EqualFold(name, "hue") {
		return nil
	}
	light, chroma := NumberOf(best, "lightness"), NumberOf(best, "chroma")
	if light > 1 {
		light /= 100
	}
	switch {
	case drawing == "" && !math.IsNaN(light) && !math.IsNaN(chroma):
		return func(h float64) string { return fmt.Sprintf("oklch(%.3f %.3f %.1f)", light, chroma, h) }
	case drawing == "" || strings.Contains(drawing, "hsl"):
		return func(h float64) string { return fmt.Sprintf("hsl(%.1f 62%% 55%%)", h) }
	}
	return func(h float64) string { return fmt.Sprintf("oklch(0.7 0.13 %.1f)", h) }
}
