package prefer

import "slices"

// Layout is a space in the coordinates of the model, for programs that work with package gp beside a study:
// numbers by their place in the range, circles by their place in the plane, choices without order by indicators that share a lengthscale, items
// by their features, or by a name of their own without any.
type Layout struct {
	Dim    int   // coordinates
	Scales []int // gp.Model.Scales: which lengthscale each coordinate has

	// Levels has the number of values of each parameter, or feature of items, 0 if it is real; Ordered says whether
	// they have an order, Circular whether the first follows the last.
	Levels   []int
	Ordered  []bool
	Circular []bool

	// Point returns the coordinates of an option.
	Point func(o Option) ([]float64, error)

	// At returns the option at u, one number of [0, 1] per parameter, every value of a discrete one having the
	// same share; ok is false if the constraints rule it out. A list has no such options.
	At func(u []float64) (o Option, ok bool)
}

// NewLayout lays out the coordinates of a space.
func NewLayout(s Space) (Layout, error) {
	code, err := newCoding(s)
	if err == nil {
		err = code.costly
	}
	if err != nil {
		return Layout{}, err
	}
	l := Layout{Dim: code.dim, Scales: slices.Clone(code.scales), Point: code.unit}
	for _, a := range code.axes {
		l.Levels, l.Ordered = append(l.Levels, len(a.vals)), append(l.Ordered, continuous(a.Parameter) || a.ordered())
		l.Circular = append(l.Circular, a.Circular)
	}
	l.At = func(u []float64) (Option, bool) {
		x := make([]float64, code.dim)
		if code.items != nil {
			return nil, false
		}
		code.spread(x, u)
		if !code.contains(x) {
			return nil, false
		}
		return code.option(x), true
	}
	return l, nil
}
