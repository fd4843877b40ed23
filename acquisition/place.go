package acquisition

import (
	"errors"
	"fmt"
	"slices"
)

// validate reports what of the task's domain makes no sense.
func (t Task) validate() error {
	d := t.utility().Dim()
	if err := t.Domain.validate(d); err != nil {
		return err
	}
	switch {
	case !(t.Rater >= 0):
		return fmt.Errorf("acquisition: Task.Rater = %v, want a positive number, or 0 for 1", t.Rater)
	case t.Hold != nil && len(t.Hold) != d:
		return fmt.Errorf("acquisition: Task.Hold has %d coordinates, want %d", len(t.Hold), d)
	case t.Hold != nil && !t.Domain.Contains(t.Hold):
		return fmt.Errorf("acquisition: Task.Hold = %v is not an option of the domain", t.Hold)
	}
	return nil
}

// Why there is no question to ask.
var (
	errEmpty = errors.New("acquisition: no option satisfies the constraints: the feasible set looks empty")
	errOne   = errors.New("acquisition: the domain has one option only, a question needs two")
)

// place returns where the task is searched: its options as a list if they are one or few, else the ground
// made of its parts.
func (t Task) place() (place, error) {
	if t.Domain != nil {
		if rows := t.Domain.listed(); rows != nil {
			return newList(t, rows)
		}
	}
	g := newGround(t.Domain, t.utility().Dim(), t.Seed)
	if len(g.sample) == 0 {
		return nil, errEmpty
	}
	f := &field{ground: g, ask: g.asked(t)}
	f.askable = g.dom.points(groundSample, t.Seed^0x61736b, f.ask)
	var options [][]float64
	if t.Hold != nil {
		options = append(options, t.Hold)
	}
	for i := 0; i < len(f.askable) && len(options) < 2; i += g.d {
		if x := f.askable[i : i+g.d]; len(options) == 0 || !slices.Equal(x, options[0]) {
			options = append(options, x)
		}
	}
	if len(options) < 2 {
		return nil, t.tooFew(len(g.sample) / g.d)
	}
	return f, nil
}

// tooFew says why fewer than two options can be asked about, of total that were found.
func (t Task) tooFew(total int) error {
	switch {
	case total == 0:
		return errEmpty
	case total == 1:
		return errOne
	case t.Allowed != nil:
		return fmt.Errorf("acquisition: Task.Allowed leaves fewer than two options of the %d found to ask about", total)
	}
	return errOne
}
