package research

import (
	"encoding/binary"
	"math"
	"slices"
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
	a.Data = make([]float64, count)
	for i := range a.Data {
		a.Data[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[a.At+8*i:]))
	}
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
