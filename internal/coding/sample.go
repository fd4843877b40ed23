package coding

import (
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/splitmix"
)

// scarceOptions is how many options pairs are made of where the tries of the sequence found none.
const scarceOptions = 64

// scarce returns some options that pairs can be made of where hardly any may be asked: of items those that may, at most scarceOptions of them.
func (c *Coding) Scarce(fixed func(x []float64), allowed func(x []float64) bool, seed uint64) (out [][]float64) {
	points := slices.Collect(slices.Chunk(c.Points(scarceOptions, seed), c.Dim))
	t := c.Table()
	if t == nil || allowed == nil || len(points) == 0 {
		return points
	}
	for i, row := range slices.Collect(slices.Chunk(t.Rows, t.Dim)) {
		x := slices.Concat(row, points[i%len(points)][t.Dim:])
		if fixed(x); len(out) < scarceOptions && allowed(x) && c.Contains(x) {
			out = append(out, x)
		}
	}
	return out
}

// pairs returns the quasi-random sequence of pairs of a space.
func (c *Coding) Pairs(seed uint64) func(i uint64) (a, b []float64) {
	if t := c.List; t != nil {
		seq, u := sobol.Scrambled(2, seed), make([]float64, 2)
		row := func(u float64) []float64 { return t.Point(t.At[min(int(u*float64(len(t.At))), len(t.At)-1)]) }
		return func(i uint64) (a, b []float64) {
			seq.At(i, u)
			return row(u[0]), row(u[1])
		}
	}
	d := len(c.Axes)
	seq, u := sobol.Scrambled(2*d, seed), make([]float64, 2*d)
	return func(i uint64) (a, b []float64) {
		seq.At(i, u)
		a, b = make([]float64, c.Dim), make([]float64, c.Dim)
		c.Spread(a, u[:d])
		c.Spread(b, u[d:])
		return a, b
	}
}

// even draws up to n options evenly from the space, in random order; of a list, all in a random order if it is short.
func (c *Coding) Even(n int, seed uint64) [][]float64 {
	if c.List == nil {
		return slices.Collect(slices.Chunk(c.Points(n, seed), c.Dim))
	}
	rows := slices.Collect(slices.Chunk(c.List.Rows, c.Dim))
	for i := range min(n, len(rows)) { // Fisher and Yates
		j := i + int(splitmix.At(seed, uint64(i))%uint64(len(rows)-i))
		rows[i], rows[j] = rows[j], rows[i]
	}
	return rows[:min(n, len(rows))]
}

// sample returns up to n quasi-random options, row by row.
func (c *Coding) Sample(n int, seed uint64) []float64 {
	if c.List != nil && len(c.List.Back) <= n {
		return slices.Clone(c.List.Rows)
	}
	return c.Points(n, seed)
}
