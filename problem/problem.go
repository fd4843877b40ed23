package problem

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Problem is a utility on a box with a known maximum. The catalogue and the constructors return complete ones; a literal of one's own needs every field but
// Maximisers. Methods never write to it, so it may be shared if F may be called concurrently.
type Problem struct {
	Name         string
	Dim          int
	Lower, Upper []float64 // the box, in raw units

	// Optimum is the largest utility on the box, to the last digit of a float64. A rounded one puts
	// a false floor under curves of the gap, or makes gaps negative.
	Optimum float64

	Maximisers [][]float64               // points in raw units where the optimum is attained: all of them, but of Alpine1 one
	F          func(x []float64) float64 // the utility in raw units. It must not keep or change x
}

// Utility returns the utility at x in raw units. The formula is evaluated wherever x lies: the box
// is the domain of the search and is not enforced here. It panics if len(x) != Dim.
func (p Problem) Utility(x []float64) float64 {
	if len(x) != p.Dim {
		panic("problem: len(x) != Dim")
	}
	return p.F(x)
}

// UnitUtility returns the utility at a point of the unit cube. It panics if len(u) != Dim.
func (p Problem) UnitUtility(u []float64) float64 { return p.F(p.Raw(u)) }

// Gap returns Optimum − UnitUtility(u), the figure of merit of every experiment of the paper. At a maximiser rounding can make it negative; it is returned as
// it is, and in every problem of the catalogue it is above −1e-12.
func (p Problem) Gap(u []float64) float64 { return p.Optimum - p.UnitUtility(u) }

const meanPoints = 1 << 14 // enough for a mean within 0.3 % of f* − mean f for every problem of the catalogue

// Mean returns the mean utility over the box, from a fixed quasi-random sample.
func (p Problem) Mean() float64 {
	points, u, sum := sobol.Scrambled(p.Dim, 0), make([]float64, p.Dim), 0.0
	for range meanPoints {
		points.Next(u)
		sum += p.UnitUtility(u)
	}
	return sum / meanPoints
}

// Raw maps a point of the unit cube to raw units, lower + (upper − lower)·u.
func (p Problem) Raw(u []float64) []float64 {
	x := make([]float64, p.Dim)
	p.raw(x, u)
	return x
}

func (p Problem) raw(x, u []float64) {
	if len(u) != p.Dim {
		panic("problem: len(u) != Dim")
	}
	for j, v := range u {
		x[j] = p.Lower[j] + (p.Upper[j]-p.Lower[j])*v
	}
}

// Validate reports what is wrong with a problem built by hand.
func (p Problem) Validate() error {
	switch {
	case p.Dim < 1 || p.Dim > sobol.MaxDim:
		return fmt.Errorf("problem: %q has dimension %d, want 1 to %d", p.Name, p.Dim, sobol.MaxDim)
	case len(p.Lower) != p.Dim || len(p.Upper) != p.Dim:
		return fmt.Errorf("problem: %q has dimension %d but %d lower and %d upper bounds", p.Name, p.Dim, len(p.Lower), len(p.Upper))
	case p.F == nil:
		return fmt.Errorf("problem: %q has no function", p.Name)
	case math.IsNaN(p.Optimum) || math.IsInf(p.Optimum, 0):
		return fmt.Errorf("problem: %q has optimum %g", p.Name, p.Optimum)
	}
	for j := range p.Dim {
		if w := p.Upper[j] - p.Lower[j]; !(w > 0) || math.IsInf(w, 0) {
			return fmt.Errorf("problem: %q has bounds[%d] = [%g, %g]", p.Name, j, p.Lower[j], p.Upper[j])
		}
	}
	for i, x := range p.Maximisers {
		if len(x) != p.Dim {
			return fmt.Errorf("problem: %q has dimension %d but maximisers[%d] has %d coordinates", p.Name, p.Dim, i, len(x))
		}
	}
	return nil
}

// constant returns (v, …, v) of length d: the side of a box, a maximiser on the diagonal.
func constant(d int, v float64) []float64 { return slices.Repeat([]float64{v}, d) }

// cube returns a problem on [lo, hi]ᵈ, named after its family and dimension, with optimum 0 at (at, …, at).
func cube(family string, d, least int, lo, hi, at float64, f func(x []float64) float64) Problem {
	if d < least || d > sobol.MaxDim {
		panic(fmt.Sprintf("problem: dimension %d, %s has %d to %d", d, family, least, sobol.MaxDim))
	}
	return Problem{
		Name: fmt.Sprintf("%s%d", family, d), Dim: d,
		Lower: constant(d, lo), Upper: constant(d, hi),
		Maximisers: [][]float64{constant(d, at)},
		F:          f,
	}
}

// Paper returns the six problems of App. C, in its order. Every call makes fresh ones.
func Paper() []Problem {
	return []Problem{Quadratic(2), Branin(), Hartmann6(), Ackley(6), Alpine1(7), Levy(6)}
}

// Unseen returns problems the paper does not use, for checking changes that were made while looking at those it does.
func Unseen() []Problem {
	return []Problem{Rosenbrock(4), StyblinskiTang(4), Griewank(5), Michalewicz5(), Hartmann3(), LevyEdge(4)}
}

// All returns the problems of Paper, the two-dimensional Levy function of the paper's case study, and those of Unseen.
func All() []Problem { return append(append(Paper(), Levy(2)), Unseen()...) }

// family are problems of any dimension from the least on.
type family struct {
	name  string
	least int
	make  func(d int) Problem
}

var families = []family{
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
	letters := strings.TrimRight(name, "0123456789")
	digits := name[len(letters):]
	for _, f := range families {
		if f.name != letters || digits == "" || digits[0] == '0' {
			continue
		}
		d, err := strconv.Atoi(digits)
		if err != nil || d < f.least || d > sobol.MaxDim {
			return Problem{}, fmt.Errorf("problem: %q has dimension %s, want %d to %d", name, digits, f.least, sobol.MaxDim)
		}
		return f.make(d), nil
	}
	all := All()
	if i := slices.IndexFunc(all, func(p Problem) bool { return p.Name == name }); i >= 0 {
		return all[i], nil
	}
	names := xslices.Map(all, func(p Problem) string { return p.Name })
	open := xslices.Map(families, func(f family) string { return f.name })
	return Problem{}, fmt.Errorf("problem: unknown problem %q; known are %s, and in any dimension %s", name, strings.Join(names, ", "), strings.Join(open, ", "))
}

// Failure is what the F of a problem panics with if it cannot tell a utility, as one that another program computes may.
// Package bench makes it the error of the cell.
type Failure struct{ Err error }

func (f Failure) Error() string { return f.Err.Error() }

func (f Failure) Unwrap() error { return f.Err }

// Catch turns a Failure that do panics with into its error.
func Catch(do func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Failure:
			err = r.Err
		default:
			panic(r)
		}
	}()
	return do()
}
