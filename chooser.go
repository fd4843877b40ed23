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
	taken := append(acquisition.Methods(), methodDesign, methodCatch, methodRepeat, methodBlind, methodPractice, methodNeighbour)
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
	if err := t.Check(choice); err != nil {
		return acquisition.Choice{}, fmt.Errorf("prefer: method %q: %w", c.Method, err)
	}
	if math.IsInf(choice.Value, 0) { // the log could not keep it
		err := fmt.Errorf("prefer: method %q returned the value %v, want a finite one, or NaN for none", c.Method, choice.Value)
		return acquisition.Choice{}, err
	}
	return choice, nil
}
