package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Scale maps [Low, High] to [From, To], a logarithmic one in ratios.
type Scale struct {
	Low, High, From, To float64

	Log, Whole bool // Whole: ticks are at whole numbers only
	round      bool
}

// NewScale makes room for values that are all the same.
func NewScale(lo, hi, from, to float64) Scale {
	if !(hi > lo) {
		lo, hi = lo-0.5, hi+0.5
	}
	return Scale{Low: lo, High: hi, From: from, To: to}
}

// Axis is the scale of a parameter's values from lo to hi.
func Axis(p space.Parameter, lo, hi, from, to float64) Scale {
	s := NewScale(lo, hi, from, to)
	s.Log, s.Whole, s.round = p.Log && lo > 0, p.Type == "int", p.Circular
	return s
}

func (s Scale) At(v float64) float64 {
	if s.Log {
		return s.From + math.Log(v/s.Low)/math.Log(s.High/s.Low)*(s.To-s.From)
	}
	return s.From + (v-s.Low)/(s.High-s.Low)*(s.To-s.From)
}

func (s Scale) Of(at float64) float64 {
	part := (at - s.From) / (s.To - s.From)
	if s.Log {
		return s.Low * math.Pow(s.High/s.Low, part)
	}
	return s.Low + part*(s.High-s.Low)
}

// Ticks returns round numbers within the scale, about n of them: quarters of a circle, whole ones of a whole number, of a logarithmic scale
// 1, 2 and 5 of every decade, or every decade.
func (s Scale) Ticks(n int) (out []float64) {
	if s.round {
		return xslices.Times(5, func(k int) float64 { return s.Low + (s.High-s.Low)*float64(k)/4 })
	}
	if s.Log {
		for _, digits := range [][]float64{{1, 2, 5}, {1}} {
			out = nil
			for k := math.Floor(math.Log10(s.Low)); k <= math.Log10(s.High); k++ {
				for _, m := range digits {
					if v := m * math.Pow(10, k); v >= s.Low*(1-1e-9) && v <= s.High*(1+1e-9) {
						out = append(out, v)
					}
				}
			}
			if len(out) <= n+2 {
				return out
			}
		}
		return out
	}
	raw := (s.High - s.Low) / float64(n)
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * unit
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= raw {
			step = m * unit
			break
		}
	}
	if s.Whole {
		step = math.Max(1, math.Round(step))
	}
	for k := math.Ceil(s.Low/step - 1e-9); k*step <= s.High+1e-9*step; k++ {
		out = append(out, k*step)
	}
	return out
}

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

// NumberOf returns the number that a parameter is set to, NaN if the option does not have it or its value is not a number.
func NumberOf(o space.Option, name string) float64 {
	if v, ok := o[name]; ok {
		return v.Float()
	}
	return math.NaN()
}

// Hue returns the colours of a parameter called hue: those of the pick with it, or of the colour space that a drawing of it names; nil of anything else.
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

// Number writes a value for people: three digits of a number, whole ones in full, words as they are.
func Number(v space.Value) string {
	if math.IsNaN(v.Float()) {
		return v.String()
	}
	return Tick(v.Float())
}

// Tick writes a number with three digits, more if it takes them to write it whole, and a real minus. x + 0 makes −0 a plain 0.
func Tick(x float64) string {
	text := fmt.Sprintf("%.3g", x+0)
	if math.Abs(x) < 1e6 && (x == math.Trunc(x) || math.Abs(x) >= 100) {
		text = strconv.FormatFloat(math.Round(x)+0, 'f', 0, 64)
	}
	return strings.Replace(text, "-", "−", 1)
}

const ninth = 1.6448536269514722 // Φ⁻¹(0.95): so many standard deviations either side of the mean a normal variable lies with nine chances in ten

// NineInTen returns the range in which a normal variable lies with nine chances in ten.
func NineInTen(mean, sd float64) (low, high float64) { return mean - ninth*sd, mean + ninth*sd }

// taken is the chance that an option is taken over one whose utility is higher by a normal variable in units of the noise: E[Φ(−d)] = Φ(−below/√(1 + sd²)).
func taken(below, sd float64) float64 { return math.Erfc(below/math.Sqrt(2*(1+sd*sd))) / 2 }
