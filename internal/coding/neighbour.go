package coding

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// ordered returns the parameters if they are one or two beside the contexts and all are ordered, else nil: the rules do not apply. Nor do they where
// somebody looks with a parameter held, for questions are asked without.
func (c *Coding) Ordered() []Axis {
	if c.Table() != nil {
		return nil
	}
	var free []Axis
	for _, a := range c.Axes {
		switch {
		case a.Held != nil && a.Context:
		case a.Held != nil, len(free) == 2, !Continuous(a.Parameter) && !a.ordered() && !a.Circular:
			return nil
		default:
			free = append(free, a)
		}
	}
	return free
}

// along returns where on the axis a point lies, as a part of the range or of the period.
func (a Axis) along(x []float64) float64 {
	if a.Circular {
		return a.turn(x)
	}
	return x[a.At]
}

// ahead returns how far y is from x in a direction, 1 or −1, along the axis: on a circle in [0, 1), else negative if it lies behind.
func (a Axis) Ahead(x, y []float64, direction float64) float64 {
	d := direction * (a.along(y) - a.along(x))
	if a.Circular {
		d -= math.Floor(d)
	}
	return d
}

func (a Axis) Apart(x, y []float64) float64 {
	if a.Circular {
		return math.Min(a.Ahead(x, y, 1), a.Ahead(x, y, -1))
	}
	return math.Abs(a.Ahead(x, y, 1))
}

// beyond returns the point that lies so far from x along the axis, nearer if the range ends before, and 0; of a discrete axis the last level within that
// distance, or the next one, and how far away that is. It returns nil if x is at the end.
func (a Axis) Beyond(x []float64, distance, direction float64) (y []float64, next float64) {
	if Continuous(a.Parameter) {
		y, to := slices.Clone(x), a.along(x)+direction*distance
		if a.Circular {
			y[a.At], y[a.At+1] = acquisition.Circle(to - math.Floor(to))
		} else {
			y[a.At] = min(max(to, 0), 1)
		}
		return y, 0
	}
	step := int(direction)
	for i := a.nearest(x) + step; a.Circular || i >= 0 && i < len(a.Vals); i += step {
		level, at := (i+len(a.Vals))%len(a.Vals), slices.Clone(x)
		copy(at[a.At:a.At+a.Width], a.levels[level*a.Width:(level+1)*a.Width])
		d := a.Ahead(x, at, direction)
		if d == 0 || y != nil && d > distance {
			break
		}
		if y == nil {
			next = d
		}
		y = at
	}
	return y, next
}

// between returns the values of the parameter at two points, the lower one first, or on a circle the one that comes first; nil is the end of the range.
func (a Axis) Between(pick, to []float64, direction float64) [2]space.Option {
	if to == nil {
		to = slices.Clone(pick)
		if !a.Circular {
			to[a.At] = (1 + direction) / 2
		}
	}
	ends := [2]space.Option{{a.Name: a.Decode(pick)}, {a.Name: a.Decode(to)}}
	if direction < 0 {
		ends[0], ends[1] = ends[1], ends[0]
	}
	return ends
}

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
