package people

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/problem"
)

// cell names a population: of what kind, about what, how many people, how many of them careless, and its number.
type cell struct {
	Population string `json:"population"`
	Space      string `json:"space"`
	People     int    `json:"people"`
	Careless   int    `json:"careless"`
	Number     int    `json:"number"`
	Seed       uint64 `json:"seed"`
	Family     string `json:"family,omitempty"` // of tastes
}

// Uses of a cell's seed.
const (
	seedTastes = iota
	seedStudy
	seedMood // and so many more as there are people
)

// seed returns a seed of its own for populations of a space and a number, k for different uses.
func (c cell) seed(k uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%s/%d", c.Space, c.Family, k)
	return splitmix.At(c.Seed^h.Sum64(), uint64(c.Number))
}

func (c cell) kind() kind {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == c.Population })
	return kinds[i]
}

// options reads what a space is about: a number of continuous parameters, or, with an m behind it, one choice of three, half
// continuous ones and for the rest ordered ones of five levels.
func options(space, family string) (problem.TasteOptions, error) {
	o := problem.TasteOptions{Family: family, Shape: problem.Box}
	digits, mixed := strings.CutSuffix(space, "m")
	d, err := strconv.Atoi(digits)
	if err != nil || d < 1 || d > 8 || mixed && d < 2 {
		return o, fmt.Errorf("people: no space %q, want a number of parameters from 1 to 8, as in 4, or 4m for mixed ones", space)
	}
	o.Parts = make([]problem.Part, d)
	if mixed {
		o.Shape = problem.Mixed
		o.Parts[d-1] = problem.Part{Kind: problem.Unordered, Levels: 3}
		for j := (d + 1) / 2; j < d-1; j++ {
			o.Parts[j] = problem.Part{Kind: problem.Ordered, Levels: 5}
		}
	}
	return o, nil
}
