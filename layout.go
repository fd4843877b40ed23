package prefer

import "slices"

// Layout is a space in the coordinates of the model, for programs that work with package gp beside a study:
// numbers by their place in the range, choices without order by indicators that share a lengthscale, items
// by their features, or by a name of their own without any.
type Layout struct{ code *coding }

// Layout lays out the coordinates of a space.
func (s Space) Layout() (*Layout, error) {
	code, err := s.validate()
	if err != nil {
		return nil, err
	}
	return &Layout{code}, nil
}

// Dim returns the number of coordinates.
func (l *Layout) Dim() int { return l.code.dim }

// Scales returns gp.Model.Scales: which lengthscale each coordinate has.
func (l *Layout) Scales() []int { return slices.Clone(l.code.scales) }

// Point returns the coordinates of an option.
func (l *Layout) Point(o Option) ([]float64, error) { return l.code.unit(o) }

// Axes returns the number of parameters, or of the items' features.
func (l *Layout) Axes() int { return len(l.code.axes) }

// Levels returns the number of values of axis j, 0 if it is real, and whether they have an order.
func (l *Layout) Levels(j int) (n int, ordered bool) {
	a := l.code.axes[j]
	return len(a.vals), a.continuous() || a.ordered()
}

// At returns the option at u, one number of [0, 1] per parameter, every value of a discrete one having the
// same share; ok is false if the constraints rule it out. A list has no such options.
func (l *Layout) At(u []float64) (_ Option, ok bool) {
	if l.code.items != nil {
		return nil, false
	}
	x := make([]float64, l.code.dim)
	l.code.spread(x, u)
	if !l.code.contains(x) {
		return nil, false
	}
	return l.code.option(x), true
}
