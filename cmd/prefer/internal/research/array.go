package research

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// Array is a block of numbers of one or more dimensions, row by row. In a line of JSON it is {"shape": [n, d], "at": 0}: its numbers are
// little-endian float64 among the bytes that follow the line, from byte At on.
type Array struct {
	Shape []int `json:"shape"`
	At    int   `json:"at"`

	Data []float64 `json:"-"`
}

// vector is an array of one dimension, matrix one of rows of width numbers.
func vector(x []float64) *Array { return &Array{Shape: []int{len(x)}, Data: x} }
func matrix(x []float64, width int) *Array {
	return &Array{Shape: []int{len(x) / width, width}, Data: x}
}

// put appends the numbers to the bytes after a line, and notes where they are.
func (a *Array) put(raw []byte) []byte {
	a.At = len(raw)
	raw = slices.Grow(raw, 8*len(a.Data))
	for _, v := range a.Data {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return raw
}

// take reads the numbers of the array of that name from the bytes after a line.
func (a *Array) take(name string, raw []byte) error {
	count := 1
	for _, n := range a.Shape {
		if n < 0 || n > math.MaxInt32 || count > math.MaxInt32 {
			return wrong(name, "%s has the shape %v, want sizes", name, a.Shape)
		}
		count *= n
	}
	if len(a.Shape) == 0 || a.At < 0 || a.At > len(raw) || 8*count > len(raw)-a.At {
		return wrong(name, "%s has the shape %v from byte %d on, and %d bytes followed the line: want 8 for each number", name, a.Shape, a.At, len(raw))
	}
	a.Data = xslices.Times(count, func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(raw[a.At+8*i:])) })
	return nil
}

// rows reads the array of that name, which must have rows of width finite numbers, at least one and at most limit, and returns how many there are.
func (a *Array) rows(raw []byte, name string, width, limit int) (int, error) {
	switch {
	case a == nil:
		return 0, wrong(name, "%s is missing, want an array of rows of %d numbers", name, width)
	case len(a.Shape) != 2 || a.Shape[1] != width:
		return 0, wrong(name, "%s has the shape %v, want rows of %d numbers", name, a.Shape, width)
	case a.Shape[0] < 1 || a.Shape[0] > limit:
		return 0, wrong(name, "%s has %d rows, want 1 to %d", name, a.Shape[0], limit)
	}
	if err := a.take(name, raw); err != nil {
		return 0, err
	}
	for i, v := range a.Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, wrong(name, "%s[%d][%d] = %g, want a finite number", name, i/width, i%width, v)
		}
	}
	return a.Shape[0], nil
}

const slack = 1e-9 // how far outside its bounds a point may be, as a part of their distance: conversions between units round. It stays where it is

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
	if err := cmp.Or(checkLength("lower", b.lower, d), checkLength("upper", b.upper, d)); err != nil {
		return box{}, err
	}
	for j := range d {
		if w := b.upper[j] - b.lower[j]; !(w > 0) || math.IsInf(w, 0) {
			return box{}, wrong("upper", "upper[%d] = %g, want a finite number above lower[%d] = %g", j, b.upper[j], j, b.lower[j])
		}
	}
	return b, nil
}

func checkLength(name string, x []float64, d int) error {
	if len(x) != d {
		return wrong(name, "%s has %d numbers, want %d, one for each coordinate", name, len(x), d)
	}
	return nil
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
	if err := checkLength(name, x, b.dim()); err != nil {
		return nil, err
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

// slope turns derivatives in the unit cube into those in the caller's coordinates, in place.
func (b box) slope(g []float64) []float64 {
	for i := range g {
		j := i % b.dim()
		g[i] /= b.upper[j] - b.lower[j]
	}
	return g
}
