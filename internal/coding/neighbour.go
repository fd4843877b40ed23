package coding

import (
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
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

// apart returns the distance of two points along the axis.
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
