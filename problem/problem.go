package problem

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// Problem is a utility on a box with a known maximum. The catalogue and the constructors return
// complete ones; a literal of one's own needs every field but Maximisers. Methods never
// write to it, so it may be shared if F may be called concurrently.
type Problem struct {
	Name         string
	Dim          int
	Lower, Upper []float64 // the box, in raw units

	// Optimum is the largest utility on the box, to the last digit of a float64. A rounded one puts
	// a false floor under curves of the gap, or makes gaps negative.
	Optimum float64

	// Maximisers are points in raw units where the optimum is attained: all of them, but of Alpine1 one.
	Maximisers [][]float64

	// F is the utility in raw units. It must not keep or change x.
	F func(x []float64) float64
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

// Gap returns Optimum − UnitUtility(u), the figure of merit of every experiment of the paper. At a
// maximiser rounding can make it negative; it is returned as it is, and in every problem of the
// catalogue it is above −1e-12.
func (p Problem) Gap(u []float64) float64 { return p.Optimum - p.UnitUtility(u) }

// meanPoints are enough for a mean within 0.3 % of f* − mean f for every problem of the catalogue.
const meanPoints = 1 << 14

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

// cube returns a problem on [lo, hi]ᵈ, named after its family and dimension, with optimum 0 at
// (at, …, at).
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
