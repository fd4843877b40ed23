package chart

import (
	"math"

	"github.com/prefer-bo/prefer/space"
)

// Scale maps [Low, High] to [From, To], a logarithmic one in ratios.
type Scale struct {
	Low, High, From, To float64

	log, whole, round bool
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
	s.log, s.whole, s.round = p.Log && lo > 0, p.Type == "int", p.Circular
	return s
}

// At returns where v is.
func (s Scale) At(v float64) float64 {
	if s.log {
		return s.From + math.Log(v/s.Low)/math.Log(s.High/s.Low)*(s.To-s.From)
	}
	return s.From + (v-s.Low)/(s.High-s.Low)*(s.To-s.From)
}

// Of returns what is at a place.
func (s Scale) Of(at float64) float64 {
	part := (at - s.From) / (s.To - s.From)
	if s.log {
		return s.Low * math.Pow(s.High/s.Low, part)
	}
	return s.Low + part*(s.High-s.Low)
}

// Ticks returns round numbers within the scale, about n of them: quarters of a circle, whole ones of a whole number, of a logarithmic scale
// 1, 2 and 5 of every decade, or every decade.
func (s Scale) Ticks(n int) (out []float64) {
	if s.round {
		for k := range 5 {
			out = append(out, s.Low+(s.High-s.Low)*float64(k)/4)
		}
		return out
	}
	if s.log {
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
	if s.whole {
		step = math.Max(1, math.Round(step))
	}
	for k := math.Ceil(s.Low/step - 1e-9); k*step <= s.High+1e-9*step; k++ {
		out = append(out, k*step)
	}
	return out
}
