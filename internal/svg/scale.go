package svg

import "math"

// Scale maps [Low, High] to [From, To].
type Scale struct{ Low, High, From, To float64 }

// NewScale makes room for values that are all the same.
func NewScale(lo, hi, from, to float64) Scale {
	if !(hi > lo) {
		lo, hi = lo-0.5, hi+0.5
	}
	return Scale{lo, hi, from, to}
}

// At returns where v is.
func (s Scale) At(v float64) float64 { return s.From + (v-s.Low)/(s.High-s.Low)*(s.To-s.From) }

// Ticks returns round numbers within the scale, at most n+1.
func (s Scale) Ticks(n int) []float64 {
	raw := (s.High - s.Low) / float64(n)
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * unit
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= raw {
			step = m * unit
			break
		}
	}
	var out []float64
	for k := math.Ceil(s.Low/step - 1e-9); k*step <= s.High+1e-9*step; k++ {
		out = append(out, k*step)
	}
	return out
}
