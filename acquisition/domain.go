package acquisition

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/sobol"
)

// Domain is the set of options in the model's coordinates. A nil *Domain is the whole unit cube.
type Domain struct {
	// Parts are the parameters in the order of their coordinates.
	Parts []Part

	// Feasible reports whether an option satisfies the constraints; nil: all do. It is called with
	// discrete parts on their levels only. Pure, and safe for concurrent use.
	Feasible func(x []float64) bool

	// List, if not nil, holds the options themselves, row by row, Dim numbers each; Parts and Feasible are then ignored.
	List []float64
	Dim  int
}

// Part is a parameter: some coordinates and the values they may take.
type Part struct {
	At, Width int       // coordinates At … At+Width−1
	Levels    []float64 // the only values allowed, rows of Width numbers; nil: anything in [0, 1], Width 1, or of a circle
	Ordered   bool      // neighbouring levels are alike, as with whole numbers; false: categories
	Circular  bool      // two coordinates, a point of a circle (Circle); of ordered levels the first follows the last
}

// Cube returns the unit cube in d dimensions.
func Cube(d int) *Domain {
	dom := &Domain{Parts: make([]Part, d)}
	for j := range dom.Parts {
		dom.Parts[j] = Part{At: j, Width: 1}
	}
	return dom
}

// enumerable is the number of options up to which a finite domain is searched as a list, and
// triable the number of combinations of levels up to which the feasible ones are counted.
const (
	enumerable = 3000
	triable    = 20000
)

// count returns the number of levels, 0 for a continuous part.
func (p Part) count() int { return len(p.Levels) / p.Width }

// level returns level l.
func (p Part) level(l int) []float64 { return p.Levels[l*p.Width : (l+1)*p.Width] }

// away returns how many steps apart two ordered levels are.
func (p Part) away(a, b int) int {
	n := max(a-b, b-a)
	if p.Circular {
		n = min(n, p.count()-n)
	}
	return n
}

// inside reports whether x has a value of a continuous part.
func (p Part) inside(x []float64) bool {
	at := p.of(x)
	if p.Circular {
		return onCircle(at)
	}
	return at[0] >= 0 && at[0] <= 1
}

// of returns the coordinates of x that belong to the part.
func (p Part) of(x []float64) []float64 { return x[p.At : p.At+p.Width] }

// find returns the number of the level x is on, or −1.
func (p Part) find(x []float64) int {
	at := p.of(x)
	for l := range p.count() {
		if slices.Equal(at, p.level(l)) {
			return l
		}
	}
	return -1
}

// Contains reports whether x is an option: on levels to the last bit, feasible, or a row of the list.
func (d *Domain) Contains(x []float64) bool {
	inside := func(v float64) bool { return v >= 0 && v <= 1 }
	switch {
	case d == nil:
		return !slices.ContainsFunc(x, func(v float64) bool { return !inside(v) })
	case d.List != nil:
		return d.row(x) >= 0
	}
	for _, p := range d.Parts {
		if p.At+p.Width > len(x) || p.Levels == nil && !p.inside(x) || p.Levels != nil && p.find(x) < 0 {
			return false
		}
	}
	return d.feasible(x)
}

// row returns the number of the first row of the list that is x, or −1.
func (d *Domain) row(x []float64) int {
	if len(x) != d.Dim {
		return -1
	}
	for i := 0; i < len(d.List); i += d.Dim {
		if d.List[i] == x[0] && slices.Equal(x, d.List[i:i+d.Dim]) {
			return i / d.Dim
		}
	}
	return -1
}

func (d *Domain) feasible(x []float64) bool { return d.Feasible == nil || d.Feasible(x) }

// coordinates returns the number of coordinates of an option.
func (d *Domain) coordinates() int {
	if d.List != nil {
		return d.Dim
	}
	n := 0
	for _, p := range d.Parts {
		n += p.Width
	}
	return n
}

// finite reports whether no part is continuous.
func (d *Domain) finite() bool {
	return !slices.ContainsFunc(d.Parts, func(p Part) bool { return p.Levels == nil })
}

// continuous returns the coordinates that bounds hold, and the first ones of circles, of points with dim coordinates.
func (d *Domain) continuous(dim int) (free, circles []int) {
	switch {
	case d == nil:
		return upTo(dim), nil
	case d.List != nil:
		return nil, nil
	}
	for _, p := range d.Parts {
		switch {
		case p.Levels != nil:
		case p.Circular:
			circles = append(circles, p.At)
		default:
			free = append(free, p.At)
		}
	}
	return free, circles
}

// among returns those of the rows that are options.
func (d *Domain) among(rows []float64) []float64 {
	var out []float64
	for x := range slices.Chunk(rows, d.coordinates()) {
		if d.Contains(x) {
			out = append(out, x...)
		}
	}
	return out
}

// combinations returns the number of combinations of levels, at most limit+1.
func (d *Domain) combinations(limit int) int {
	n := 1
	for _, p := range d.Parts {
		if p.Levels != nil {
			n *= p.count()
		}
		if n > limit {
			return limit + 1
		}
	}
	return n
}

// validate reports what makes no sense for points of dim coordinates.
func (d *Domain) validate(dim int) error {
	if d == nil {
		return nil
	}
	if d.List != nil {
		if d.Dim != dim || len(d.List)%dim != 0 {
			return fmt.Errorf("acquisition: Domain.List has %d numbers in rows of Dim = %d, want whole rows of %d", len(d.List), d.Dim, dim)
		}
		return nil
	}
	at := 0
	for i, p := range d.Parts {
		switch {
		case p.At != at || p.Width < 1:
			return fmt.Errorf("acquisition: Domain.Parts[%d] has coordinates %d to %d, want them to begin at %d", i, p.At, p.At+p.Width-1, at)
		case p.Circular && p.Width != 2:
			return fmt.Errorf("acquisition: Domain.Parts[%d] is a circle with Width = %d, want 2 coordinates", i, p.Width)
		case p.Levels == nil && p.Width != 1 && !p.Circular:
			return fmt.Errorf("acquisition: Domain.Parts[%d] is continuous with %d coordinates, want 1", i, p.Width)
		case p.Levels != nil && (len(p.Levels) == 0 || len(p.Levels)%p.Width != 0):
			return fmt.Errorf("acquisition: Domain.Parts[%d] has %d numbers for its levels, want one or more rows of %d", i, len(p.Levels), p.Width)
		case slices.ContainsFunc(p.Levels, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }):
			return fmt.Errorf("acquisition: Domain.Parts[%d] has a level that is not finite", i)
		}
		at += p.Width
	}
	if at != dim {
		return fmt.Errorf("acquisition: Domain.Parts have %d coordinates, the model has %d", at, dim)
	}
	if len(d.Parts) > sobol.MaxDim {
		return fmt.Errorf("acquisition: Domain.Parts are %d, want at most %d", len(d.Parts), sobol.MaxDim)
	}
	return nil
}

// enumerate returns all options of a finite domain that is small, row by row. ok is false if it is not.
func (d *Domain) enumerate() (rows []float64, ok bool) {
	if !d.finite() || d.combinations(triable) > triable {
		return nil, false
	}
	dim := d.coordinates()
	rows = []float64{}
	d.eachCombination(make([]float64, dim), func(x []float64) bool {
		if d.feasible(x) {
			rows = append(rows, x...)
		}
		return len(rows) <= enumerable*dim
	})
	return rows, len(rows) <= enumerable*dim
}

// eachCombination calls use with x on every combination of levels, the last part changing fastest, until
// it returns false. Continuous coordinates of x stay as they are.
func (d *Domain) eachCombination(x []float64, use func(x []float64) bool) {
	var walk func(i int) bool
	walk = func(i int) bool {
		if i == len(d.Parts) {
			return use(x)
		}
		p := d.Parts[i]
		if p.Levels == nil {
			return walk(i + 1)
		}
		for l := range p.count() {
			copy(p.of(x), p.level(l))
			if !walk(i + 1) {
				return false
			}
		}
		return true
	}
	walk(0)
}
