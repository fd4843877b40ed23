package research

import (
	"math"
	"slices"
)

// slack is how far outside its bounds a point may be, as a part of their distance: conversions between units round. It stays where it is.
const slack = 1e-9

// box are the bounds of the caller's coordinates. The model sees them as the unit cube.
type box struct{ lower, upper []float64 }

// newBox checks bounds for d coordinates; nil ones are the unit cube's.
func newBox(d int, lower, upper []float64) (box, error) {
	b := box{lower, upper}
	if lower == nil {
		b.lower = make([]float64, d)
	}
	if upper == nil {
		b.upper = slices.Repeat([]float64{1}, d)
	}
	if len(b.lower) != d {
		return box{}, wrong("lower", "lower has %d numbers, want %d, one for each coordinate", len(b.lower), d)
	}
	if len(b.upper) != d {
		return box{}, wrong("upper", "upper has %d numbers, want %d, one for each coordinate", len(b.upper), d)
	}
	for j := range d {
		if w := b.upper[j] - b.lower[j]; !(w > 0) || math.IsInf(w, 0) {
			return box{}, wrong("upper", "upper[%d] = %g, want a finite number above lower[%d] = %g", j, b.upper[j], j, b.lower[j])
		}
	}
	return b, nil
}

func (b box) dim() int { return len(b.lower) }

// in turns rows of points, several beside each other or not, into the unit cube; those of the array of that name must be inside.
func (b box) in(name string, a *Array) ([]float64, error) {
	d, width := b.dim(), a.Shape[1]
	out := make([]float64, len(a.Data))
	for i, v := range a.Data {
		j := i % width % d
		u := (v - b.lower[j]) / (b.upper[j] - b.lower[j])
		if !(u >= -slack && u <= 1+slack) {
			return nil, wrong(name, "%s[%d][%d] = %g, want %g to %g: give lower and upper where it is not the unit cube", name, i/width, i%width, v, b.lower[j], b.upper[j])
		}
		out[i] = u
	}
	return out, nil
}

// inPoint turns one point into the unit cube.
func (b box) inPoint(name string, x []float64) ([]float64, error) {
	if len(x) != b.dim() {
		return nil, wrong(name, "%s has %d numbers, want %d, one for each coordinate", name, len(x), b.dim())
	}
	return b.in(name, matrix(x, len(x)))
}

// out turns points of the unit cube back, in place.
func (b box) out(x []float64) []float64 {
	for i, u := range x {
		j := i % b.dim()
		switch x[i] = b.lower[j] + u*(b.upper[j]-b.lower[j]); {
		case u >= 1: // to the bit
			x[i] = b.upper[j]
		case u <= 0:
			x[i] = b.lower[j]
		}
	}
	return x
}

// slope turns derivatives in the unit cube into those in the caller's coordinates, in place; back undoes it.
func (b box) slope(g []float64) []float64 {
	for i := range g {
		j := i % b.dim()
		g[i] /= b.upper[j] - b.lower[j]
	}
	return g
}

func (b box) back(g []float64) []float64 {
	for i := range g {
		j := i % b.dim()
		g[i] *= b.upper[j] - b.lower[j]
	}
	return g
}
