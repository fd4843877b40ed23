package prefer

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
)

// axis is a parameter, or a feature of items, in the coordinates of the model:
//
//	float, int, ordinal   one coordinate in [0, 1]; on a log scale the logarithm is laid out
//	bool, two choices     one coordinate, 0 or 1
//	K > 2 choices         K coordinates, 1/√2 at the chosen one and 0 elsewhere, with one lengthscale
//	circular              two coordinates, ((1 + cos 2πu)/2, (1 + sin 2πu)/2) at the part u of the period, with one lengthscale
//
// so that any two choices of a categorical are at distance 1, and no choice lies between two others; and so that opposite
// points of a circle are at distance 1, too, with two ways from one to the other.
type axis struct {
	Parameter
	at, width int
	vals      []Value   // of a discrete axis, in order
	levels    []float64 // len(vals)×width
	index     map[Value]int
	feature   bool       // of items: values beyond the range are fine
	held      []float64  // the coordinates it is held at, nil where it is free
	items     *itemTable // of the axis that is the item itself (cross.go)
}

func newAxis(p Parameter, at int, feature bool) axis {
	a := axis{Parameter: p, at: at, width: 1, feature: feature}
	if p.Circular {
		a.width = 2
	}
	if continuous(p) {
		return a
	}
	a.vals = p.Values()
	a.index = make(map[Value]int, len(a.vals))
	for i, v := range a.vals {
		a.index[v] = i
	}
	n := len(a.vals)
	if p.Type == "categorical" && n > 2 {
		a.width = n
	}
	a.levels = make([]float64, n*a.width)
	for i, v := range a.vals {
		switch {
		case p.Circular:
			a.levels[2*i], a.levels[2*i+1] = acquisition.Circle(float64(i) / float64(n))
		case a.width > 1:
			a.levels[i*n+i] = math.Sqrt2 / 2
		case p.Type == "int":
			a.levels[i] = a.position(v.Float())
		default:
			a.levels[i] = float64(i) / float64(max(1, n-1))
		}
	}
	return a
}

// ordered reports whether neighbouring levels are alike.
func (a axis) ordered() bool { return a.Type == "int" || a.Type == "ordinal" }

// continuous reports whether a parameter is a real number.
func continuous(p Parameter) bool { return p.Type == "" || p.Type == "float" }

// isNumber reports whether a parameter is a real or a whole number.
func isNumber(p Parameter) bool { return continuous(p) || p.Type == "int" }

// place writes the coordinates of a number into the point x, on the values of the axis or not.
func (a axis) place(v float64, x []float64) {
	if a.Circular {
		x[a.at], x[a.at+1] = acquisition.Circle(a.position(v))
		return
	}
	x[a.at] = a.position(v)
}

// turn returns where on a circle the point x lies, as a part of the period in [0, 1).
func (a axis) turn(x []float64) float64 { return acquisition.Turn(x[a.at], x[a.at+1]) }

// chord returns the distance of two points on a circle, 1 if they are opposite.
func (a axis) chord(x, y []float64) float64 {
	return math.Min(1, math.Hypot(x[a.at]-y[a.at], x[a.at+1]-y[a.at+1])) // rounding
}

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
	if a.items != nil {
		return a.encodeItem(v, x)
	}
	if !a.feature {
		if err := a.check(v); err != nil {
			return err
		}
	}
	v = a.canonical(v)
	if continuous(a.Parameter) {
		a.place(v.Float(), x)
		return nil
	}
	i, ok := a.index[v]
	if !ok {
		return fmt.Errorf("prefer: option has %q = %v, want %s: %w", a.Name, v, a.allowed(), ErrOption)
	}
	copy(x[a.at:a.at+a.width], a.levels[i*a.width:(i+1)*a.width])
	return nil
}

// decode returns the value at the point x: the nearest one of a discrete axis, exactly the ends at 0 and 1.
func (a axis) decode(x []float64) Value {
	if a.items != nil {
		return ValueOf(a.items.id(x[a.at : a.at+a.width]))
	}
	if !continuous(a.Parameter) {
		return a.vals[a.nearest(x)]
	}
	if a.Circular {
		return ValueOf(a.onCircle(a.turn(x)))
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

// onCircle returns the value at the part u of the period, never High, rounded to fourteen digits of the period: so a value
// that was given is found again after its way through sine and cosine.
func (a axis) onCircle(u float64) float64 {
	v := a.Low + u*(a.High-a.Low)
	unit := math.Pow10(13 - int(math.Floor(math.Log10(a.High-a.Low)))) // of 1/unit; ∞ or 0 if the period is no size of anything
	if near := math.Round(v*unit) / unit; !math.IsInf(near, 0) && !math.IsNaN(near) {
		v = near
	}
	if v < a.Low || v >= a.High {
		return a.Low
	}
	return v
}

// nearest returns the level nearest to x.
func (a axis) nearest(x []float64) int {
	at := x[a.at : a.at+a.width]
	if a.Circular {
		return int(math.Round(a.turn(x)*float64(len(a.vals)))) % len(a.vals)
	}
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
	if a.held != nil {
		copy(x[a.at:], a.held)
		return
	}
	if continuous(a.Parameter) && a.Circular {
		x[a.at], x[a.at+1] = acquisition.Circle(u)
		return
	}
	if continuous(a.Parameter) {
		x[a.at] = u
		return
	}
	i := min(int(u*float64(len(a.vals))), len(a.vals)-1)
	copy(x[a.at:a.at+a.width], a.levels[i*a.width:(i+1)*a.width])
}
