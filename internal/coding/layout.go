package coding

import (
	"slices"

	"github.com/prefer-bo/prefer/space"
)

// Layout is a space in the coordinates of the model, for programs that work with package gp beside a study: numbers by their place in the range, circles by
// their place in the plane, choices without order by indicators that share a lengthscale, items by their features, or by a name of their own without any.
type Layout struct {
	Dim    int   // coordinates
	Scales []int // gp.Model.Scales: which lengthscale each coordinate has

	// Levels has the number of values of each parameter, or feature of items, 0 if it is real; Ordered says whether
	// they have an order, Circular whether the first follows the last.
	Levels   []int
	Ordered  []bool
	Circular []bool

	// Point returns the coordinates of an option.
	Point func(o space.Option) ([]float64, error)

	// At returns the option at u, one number of [0, 1] per parameter, every value of a discrete one having the
	// same share; ok is false if the constraints rule it out. A list has no such options.
	At func(u []float64) (o space.Option, ok bool)
}

// NewLayout lays out the coordinates of a space.
func NewLayout(s space.Space) (Layout, error) {
	code, err := New(s)
	if err == nil {
		err = code.Costly
	}
	if err != nil {
		return Layout{}, err
	}
	l := Layout{Dim: code.Dim, Scales: slices.Clone(code.Scales), Point: code.Unit}
	for _, a := range code.Axes {
		l.Levels, l.Ordered = append(l.Levels, len(a.Vals)), append(l.Ordered, Continuous(a.Parameter) || a.ordered())
		l.Circular = append(l.Circular, a.Circular)
	}
	l.At = func(u []float64) (space.Option, bool) {
		x := make([]float64, code.Dim)
		if code.List != nil {
			return nil, false
		}
		code.Spread(x, u)
		if !code.Contains(x) {
			return nil, false
		}
		return code.Option(x), true
	}
	return l, nil
}
