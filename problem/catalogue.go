package problem

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// Paper returns the six problems of App. C, in its order. Every call makes fresh ones.
func Paper() []Problem {
	return []Problem{Quadratic(2), Branin(), Hartmann6(), Ackley(6), Alpine1(7), Levy(6)}
}

// Unseen returns problems the paper does not use, for checking changes that were made while looking
// at those it does.
func Unseen() []Problem {
	return []Problem{Rosenbrock(4), StyblinskiTang(4), Griewank(5), Michalewicz5(), Hartmann3(), LevyEdge(4)}
}

// All returns the problems of Paper, the two-dimensional Levy function of the paper's case study,
// and those of Unseen.
func All() []Problem {
	return append(append(Paper(), Levy(2)), Unseen()...)
}

// families are the problems of any dimension, with their least.
var families = []struct {
	name  string
	least int
	make  func(d int) Problem
}{
	{"quadratic", 1, Quadratic},
	{"ackley", 1, Ackley},
	{"alpine", 1, Alpine1},
	{"levy", 1, Levy},
	{"rosenbrock", 2, Rosenbrock},
	{"styblinski", 1, StyblinskiTang},
	{"griewank", 1, Griewank},
	{"levyedge", 1, LevyEdge},
}

// ByName returns the problem of that name: one of All, or a family followed by a dimension, as in
// "ackley12". Names are lower case. The error for an unknown name lists the known ones.
func ByName(name string) (Problem, error) {
	family := strings.TrimRight(name, "0123456789")
	digits := name[len(family):]
	for _, f := range families {
		if f.name != family || digits == "" || digits[0] == '0' {
			continue
		}
		d, err := strconv.Atoi(digits)
		if err != nil || d < f.least || d > sobol.MaxDim {
			return Problem{}, fmt.Errorf("problem: %q has dimension %s, want %d to %d", name, digits, f.least, sobol.MaxDim)
		}
		return f.make(d), nil
	}
	var names []string
	for _, p := range All() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	var open []string
	for _, f := range families {
		open = append(open, f.name)
	}
	return Problem{}, fmt.Errorf("problem: unknown problem %q; known are %s, and in any dimension %s",
		name, strings.Join(names, ", "), strings.Join(open, ", "))
}
