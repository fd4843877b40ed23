package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/problem"
)

// Own are problems and methods of one's own, by name, beside the catalogue. A cell must stay a function of its
// coordinates: the same points have the same utility, the same task the same choice.
type Own struct {
	Problems map[string]problem.Problem
	Methods  map[string]acquisition.Method
}

// ownPoints is how many points of an own problem its noise is calibrated on: one that another program computes takes
// its time.
const ownPoints = 1 << 14

// problem returns the problem of that name.
func (o Own) problem(name string) (problem.Problem, error) {
	if p, ok := o.Problems[name]; ok {
		return p, nil
	}
	return problem.ByName(name)
}

// check reports a problem or a method that nobody knows, or an own one with a name that is taken.
func (o Own) check(problems, methods []string) error {
	for name := range o.Problems {
		if _, err := problem.ByName(name); err == nil {
			return fmt.Errorf("bench: problem %q is in the catalogue: give the own one another name", name)
		}
	}
	for name := range o.Methods {
		if slices.Contains(acquisition.Methods(), name) {
			return fmt.Errorf("bench: method %q is one of prefer's: give the own one another name", name)
		}
	}
	for _, name := range problems {
		if _, err := o.problem(name); err != nil {
			return err
		}
	}
	for _, name := range methods {
		if o.Methods[name] == nil && !slices.Contains(acquisition.Methods(), name) {
			return fmt.Errorf("bench: unknown method %q, want one of %s", name, strings.Join(acquisition.Methods(), ", "))
		}
	}
	return nil
}
