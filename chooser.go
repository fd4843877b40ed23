package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
)

// methodOwn names a Chooser in the log that was given no name.
const methodOwn = "own"

// checkMethod reports a name of the method that cannot be asked.
func (c Config) checkMethod() error {
	if c.Chooser != nil {
		return c.checkChooser()
	}
	if c.Method != "" && !slices.Contains(acquisition.Methods(), c.Method) {
		return fmt.Errorf("prefer: Config.Method = %q, want one of %v, or a Chooser of that name", c.Method, acquisition.Methods())
	}
	return nil
}

// checkChooser reports a name that a Chooser cannot have: a log must say what chose a question.
func (c Config) checkChooser() error {
	taken := append(acquisition.Methods(), methodDesign, methodCatch, methodRepeat)
	if slices.Contains(taken, c.Method) {
		return fmt.Errorf("prefer: Chooser is given and the method is %q, which has one: want a name of its own, none of %v", c.Method, taken)
	}
	return nil
}

// ask chooses a question by the study's method.
func (c Config) ask(ctx context.Context, t acquisition.Task) (acquisition.Choice, error) {
	switch {
	case c.Chooser != nil:
		return c.askChooser(ctx, t)
	case c.checkMethod() != nil:
		return acquisition.Choice{}, fmt.Errorf("prefer: the study's method is %q, which is none of %v: give it as OpenOptions.Chooser", c.Method, acquisition.Methods())
	}
	return acquisition.Ask(ctx, c.Method, t)
}

// askChooser calls a method that is not ours and looks at what it returns: whatever it does is an error of this ask.
func (c Config) askChooser(ctx context.Context, t acquisition.Task) (choice acquisition.Choice, err error) {
	defer func() {
		if p := recover(); p != nil {
			choice, err = acquisition.Choice{}, fmt.Errorf("prefer: method %q panicked: %v", c.Method, p)
		}
	}()
	if choice, err = c.Chooser(ctx, t); err != nil {
		return acquisition.Choice{}, fmt.Errorf("prefer: method %q: %w", c.Method, err)
	}
	if err := checkPair(choice, t); err != nil {
		return acquisition.Choice{}, fmt.Errorf("prefer: method %q %w", c.Method, err)
	}
	return choice, nil
}

// checkPair reports a choice that is no question of the task.
func checkPair(c acquisition.Choice, t acquisition.Task) error {
	d := t.Posterior.Dim()
	for i, x := range [][]float64{c.A, c.B} {
		side := "AB"[i : i+1]
		if len(x) != d {
			return fmt.Errorf("returned %s with %d coordinates, want %d", side, len(x), d)
		}
		if !t.Domain.Contains(x) {
			return fmt.Errorf("returned %s = %v, which is no option of the space", side, x)
		}
		if t.Allowed != nil && !t.Allowed(x) {
			return fmt.Errorf("returned %s = %v, which the conditions of the ask do not allow", side, x)
		}
	}
	switch {
	case slices.Equal(c.A, c.B):
		return fmt.Errorf("returned the same option twice, %v", c.A)
	case t.Hold != nil && !slices.Equal(c.A, t.Hold) && !slices.Equal(c.B, t.Hold):
		return fmt.Errorf("returned %v and %v, neither of which is the option to hold, %v", c.A, c.B, t.Hold)
	case math.IsInf(c.Value, 0):
		return fmt.Errorf("returned the value %v, want a finite one, or NaN for none", c.Value)
	}
	return nil
}
