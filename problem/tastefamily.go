package problem

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// landscape is a function on the unit cube, and where its maximum may lie if the draw knows.
type landscape struct {
	f     func(u []float64) float64
	hints [][]float64
}

// Words for all families of a kind in [TasteOptions].
const (
	smoothFamilies   = "smooth"
	ruggedFamilies   = "rugged"
	conjointFamilies = "conjoint"
)

// tasteFamily makes landscapes of at least so many dimensions.
type tasteFamily struct {
	name   string
	kind   string
	least  int
	weight int // how many of its kind when any will do
	draw   func(rng *rand.Rand, d int) landscape
}

// tasteFamilies lists what people's tastes are drawn from. Where any will do a family is drawn with its weight, among those
// that can have so many parts: of all weights the smooth ones have 26, the rugged ones 16, the conjoint ones 21, a third. A word
// for all of a kind draws among that kind alone.
var tasteFamilies = []tasteFamily{
	{"gp gentle", smoothFamilies, 1, 2, fourier(0.8, 2, math.Inf(1), 2.5)},
	{"gp wavy", smoothFamilies, 1, 4, fourier(0.4, 0.8, math.Inf(1), 2.5)},
	{"ideal distance", smoothFamilies, 1, 2, ideal(func(q float64) float64 { return -math.Sqrt(q) })},
	{"ideal square", smoothFamilies, 1, 2, ideal(func(q float64) float64 { return -q })},
	{"ideal bump", smoothFamilies, 1, 2, ideal(func(q float64) float64 { return math.Exp(-2 * q) })},
	{"additive", smoothFamilies, 1, 4, additive},
	{"linear", smoothFamilies, 1, 1, linear},
	{"interacting", smoothFamilies, 2, 3, interacting},
	{"quadratic", smoothFamilies, 1, 1, known(Quadratic)},
	{"branin", smoothFamilies, 2, 1, known(func(int) Problem { return Branin() })},
	{"hartmann3", smoothFamilies, 3, 1, known(func(int) Problem { return Hartmann3() })},
	{"hartmann6", smoothFamilies, 6, 1, known(func(int) Problem { return Hartmann6() })},
	{"styblinski", smoothFamilies, 1, 1, known(StyblinskiTang)},
	{"rosenbrock", smoothFamilies, 2, 1, known(Rosenbrock)},
	{"gp rough", ruggedFamilies, 1, 3, fourier(0.2, 0.4, 1.5, 2.5)},
	{"ridge", ruggedFamilies, 2, 2, ridge},
	{"plateau", ruggedFamilies, 1, 2, plateau},
	{"cliff", ruggedFamilies, 1, 2, cliff},
	{"hills", ruggedFamilies, 1, 3, hills},
	{"ackley", ruggedFamilies, 1, 1, known(Ackley)},
	{"alpine", ruggedFamilies, 1, 1, known(Alpine1)},
	{"levy", ruggedFamilies, 1, 1, known(Levy)},
	{"griewank", ruggedFamilies, 1, 1, known(Griewank)},
	{"part-worths", conjointFamilies, 1, 7, conjoint},
	{"threshold", conjointFamilies, 1, 4, threshold},
	{"together", conjointFamilies, 2, 4, together},
	{"dominant", conjointFamilies, 2, 3, dominant},
	{indifferent, conjointFamilies, 1, 3, conjoint},
}

// indifferent is the family of people who hardly care: part-worths, with a noise at which not a tenth but 0.3 of the answers about
// random options are wrong.
const (
	indifferent      = "indifferent"
	indifferentShare = 0.3
)

// TasteFamilies returns the names of the families of tastes about parameters and features. Plain lists have two of their own,
// "own" and "exception".
func TasteFamilies() []string {
	var names []string
	for _, f := range tasteFamilies {
		names = append(names, f.name)
	}
	return names
}

// pickFamily returns a family and a number of parts as the options want them.
func pickFamily(rng *rand.Rand, o TasteOptions) (tasteFamily, int, error) {
	if o.Dim < 0 || o.Dim > maxTasteDim {
		return tasteFamily{}, 0, fmt.Errorf("problem: TasteOptions.Dim = %d, want 1 to %d, or 0 for any", o.Dim, maxTasteDim)
	}
	d := o.Dim
	if any := [...]int{1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 6, 7, 8}[rng.IntN(14)]; d == 0 {
		d = any
	}
	var fit []tasteFamily
	for _, f := range tasteFamilies {
		wanted := o.Family == "" || o.Family == f.name || o.Family == f.kind
		if o.Dim == 0 && o.Family == f.name {
			d = max(d, f.least)
		}
		if wanted && f.least <= d {
			fit = append(fit, slices.Repeat([]tasteFamily{f}, f.weight)...)
		}
	}
	if len(fit) == 0 {
		return tasteFamily{}, 0, fmt.Errorf("problem: no family %q in %d dimensions; known are %s, smooth, rugged and conjoint",
			o.Family, d, strings.Join(TasteFamilies(), ", "))
	}
	return fit[rng.IntN(len(fit))], d, nil
}

// rotation returns the rows of a random rotation of d dimensions (Gram and Schmidt on normal vectors), or, with probability
// ½ and always in one dimension, of flips alone.
func rotation(rng *rand.Rand, d int) [][]float64 {
	turn := rng.IntN(2) == 0
	rows := make([][]float64, d)
	for i := range rows {
		rows[i] = make([]float64, d)
		if !turn {
			rows[i][i] = float64(1 - 2*rng.IntN(2))
			continue
		}
		for j := range rows[i] {
			rows[i][j] = rng.NormFloat64()
		}
		for _, r := range rows[:i] {
			along := dot(r, rows[i])
			for j := range rows[i] {
				rows[i][j] -= along * r[j]
			}
		}
		size := math.Sqrt(dot(rows[i], rows[i]))
		for j := range rows[i] {
			rows[i][j] /= size
		}
	}
	return rows
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// anywhere returns a point drawn uniformly from [lo, hi]ᵈ.
func anywhere(rng *rand.Rand, d int, lo, hi float64) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = lo + (hi-lo)*rng.Float64()
	}
	return x
}

// between returns a number drawn uniformly on a log scale.
func between(rng *rand.Rand, lo, hi float64) float64 {
	return lo * math.Pow(hi/lo, rng.Float64())
}
