package acquisition

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Prepare reports what of the task makes no sense and spells out its defaults: Noise becomes the look-ahead's σ, and
// the bounds are there. Preparing a task twice is the same as once.
func (t Task) Prepare() (Task, error) {
	if err := errors.Join(t.Search.Validate(), t.validate()); err != nil {
		return Task{}, err
	}
	return t.withDefaults(), nil
}

func (t Task) validate() error {
	if t.Posterior == nil && t.Mixture == nil {
		return errors.New("acquisition: Task.Posterior is nil, want what is believed of the utility")
	}
	d := t.utility().Dim()
	if err := t.Domain.validate(d); err != nil {
		return err
	}
	switch {
	case !(t.Rater >= 0):
		return fmt.Errorf("acquisition: Task.Rater = %v, want a positive number, or 0 for 1", t.Rater)
	case t.Lower != nil && len(t.Lower) != d || t.Upper != nil && len(t.Upper) != d:
		return fmt.Errorf("acquisition: Task.Lower and Upper have %d and %d coordinates, want %d or none", len(t.Lower), len(t.Upper), d)
	case t.Hold != nil && len(t.Hold) != d:
		return fmt.Errorf("acquisition: Task.Hold has %d coordinates, want %d", len(t.Hold), d)
	case t.Hold != nil && !t.Domain.Contains(t.Hold):
		return fmt.Errorf("acquisition: Task.Hold = %v is not an option of the domain", t.Hold)
	}
	return nil
}

// Check reports what of a choice breaks the task: options that are not two different ones of the domain, out of bounds, not allowed or not the one held, and
// other pairs or a best option that are none. It is there for methods of one's own. Accept is no part of it: if nothing acceptable was found a method may
// return what it likes best.
func (t Task) Check(c Choice) error {
	if err := t.validate(); err != nil {
		return err
	}
	if err := t.checkPair("A and B", c.A, c.B); err != nil {
		return err
	}
	d := t.utility().Dim()
	for i, x := range c.Others {
		name := fmt.Sprintf("Others[%d]", i)
		if len(x) != 2*d {
			return fmt.Errorf("acquisition: Choice.%s has %d numbers, want two options of %d", name, len(x), d)
		}
		if err := t.checkPair(name, x[:d], x[d:]); err != nil {
			return err
		}
	}
	if c.Best != nil && (len(c.Best) != d || !t.Domain.Contains(c.Best)) {
		return fmt.Errorf("acquisition: Choice.Best = %v is not an option of the domain", c.Best)
	}
	return nil
}

// checkPair reports why (a, b) is no question of the task.
func (t Task) checkPair(name string, a, b []float64) error {
	if err := t.checkOption(name, a, t.Hold != nil); err != nil {
		return err
	}
	if err := t.checkOption(name, b, false); err != nil {
		return err
	}
	switch {
	case t.Hold != nil && !slices.Equal(a, t.Hold):
		return fmt.Errorf("acquisition: Choice.%s: the first option is %v, want the one held, %v", name, a, t.Hold)
	case slices.Equal(a, b):
		return fmt.Errorf("acquisition: Choice.%s are the same option %v, want two", name, a)
	}
	return nil
}

// checkOption reports why x is no side of a question, or, if it is held, no option.
func (t Task) checkOption(name string, x []float64, held bool) error {
	d := t.utility().Dim()
	switch {
	case len(x) != d:
		return fmt.Errorf("acquisition: Choice.%s: an option has %d coordinates, want %d", name, len(x), d)
	case slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }):
		return fmt.Errorf("acquisition: Choice.%s: option %v is not finite", name, x)
	case !t.Domain.Contains(x):
		return fmt.Errorf("acquisition: Choice.%s: %v is not an option of the domain", name, x)
	case held:
		return nil
	case t.Allowed != nil && !t.Allowed(x):
		return fmt.Errorf("acquisition: Choice.%s: Task.Allowed refuses %v", name, x)
	}
	free, circles := t.Domain.continuous(d)
	for _, j := range free {
		if t.Lower != nil && x[j] < t.Lower[j] || t.Upper != nil && x[j] > t.Upper[j] {
			return fmt.Errorf("acquisition: Choice.%s: coordinate %d of %v is outside Task.Lower and Upper", name, j, x)
		}
	}
	for _, j := range circles {
		if t.Lower != nil && t.Upper != nil && (limits{lo: t.Lower, hi: t.Upper}).pins(j) && !closeTo(x[j:j+2], t.Lower[j:j+2], circleSlack) {
			return fmt.Errorf("acquisition: Choice.%s: the circle at coordinate %d of %v is not where equal Task.Lower and Upper hold it", name, j, x)
		}
	}
	return nil
}
