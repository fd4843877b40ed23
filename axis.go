package prefer

import (
	"fmt"
	"math"
	"slices"
)

// axis is a parameter, or a feature of items, in the coordinates of the model:
//
//	float, int, ordinal   one coordinate in [0, 1]; on a log scale the logarithm is laid out
//	bool, two choices     one coordinate, 0 or 1
//	K > 2 choices         K coordinates, 1/√2 at the chosen one and 0 elsewhere, with one lengthscale
//
// so that any two choices of a categorical are at distance 1, and no choice lies between two others.
type axis struct {
	Parameter
	at, width int
	vals      []Value   // of a discrete axis, in order
	levels    []float64 // len(vals)×width
	index     map[Value]int
	feature   bool // of items: values beyond the range are fine
}

func newAxis(p Parameter, at int, feature bool) axis {
	a := axis{Parameter: p, at: at, width: 1, feature: feature}
	if p.continuous() {
		return a
	}
	a.vals = p.values()
	a.index = make(map[Value]int, len(a.vals))
	for i, v := range a.vals {
		a.index[v] = i
	}
	n := len(a.vals)
	if p.kind() == typeCategorical && n > 2 {
		a.width = n
	}
	a.levels = make([]float64, n*a.width)
	for i, v := range a.vals {
		switch {
		case a.width > 1:
			a.levels[i*n+i] = math.Sqrt2 / 2
		case p.kind() == typeInt:
			a.levels[i] = a.position(v.num)
		default:
			a.levels[i] = float64(i) / float64(max(1, n-1))
		}
	}
	return a
}

// ordered reports whether neighbouring levels are alike.
func (a axis) ordered() bool { return a.kind() == typeInt || a.kind() == typeOrdinal }

// position returns where a number lies between the ends of the range.
func (a axis) position(x float64) float64 {
	switch {
	case a.High == a.Low: // a feature that is the same in all items
		return x - a.Low
	case a.Log:
		// (high−low)/(high−low) can round to 1+ε on a log scale
		return math.Min(math.Log(x/a.Low)/math.Log(a.High/a.Low), 1)
	}
	return (x - a.Low) / (a.High - a.Low)
}

// encode writes the coordinates of a value into the point x.
func (a axis) encode(v Value, x []float64) error {
	if !a.feature {
		if err := a.check(v); err != nil {
			return err
		}
	}
	if a.continuous() {
		x[a.at] = a.position(v.num)
		return nil
	}
	i, ok := a.index[v]
	if !ok {
		return fmt.Errorf("prefer: option has %q = %v, want %s: %w", a.Name, v, a.allowed(), ErrOption)
	}
	copy(x[a.at:a.at+a.width], a.levels[i*a.width:])
	return nil
}

// decode returns the value at the point x: the nearest one of a discrete axis, exactly the ends at 0 and 1.
func (a axis) decode(x []float64) Value {
	if !a.continuous() {
		return a.vals[a.nearest(x)]
	}
	u := x[a.at]
	var v float64
	switch {
	case u <= 0:
		v = a.Low
	case u >= 1:
		v = a.High
	case a.Log:
		v = a.Low * math.Pow(a.High/a.Low, u)
	default:
		v = a.Low + u*(a.High-a.Low)
	}
	return ValueOf(min(max(v, a.Low), a.High))
}

// nearest returns the level nearest to x.
func (a axis) nearest(x []float64) int {
	at := x[a.at : a.at+a.width]
	if a.width > 1 {
		return slices.Index(at, slices.Max(at))
	}
	i, found := slices.BinarySearch(a.levels, at[0])
	if found || i == 0 {
		return i
	}
	if i == len(a.levels) || at[0]-a.levels[i-1] <= a.levels[i]-at[0] {
		return i - 1
	}
	return i
}

// spread writes the value at u of [0, 1) into the point x; every level has the same share.
func (a axis) spread(u float64, x []float64) {
	if a.continuous() {
		x[a.at] = u
		return
	}
	i := min(int(u*float64(len(a.vals))), len(a.vals)-1)
	copy(x[a.at:a.at+a.width], a.levels[i*a.width:(i+1)*a.width])
}
