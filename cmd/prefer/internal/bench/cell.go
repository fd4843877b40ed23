package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Cell is one run: a simulated rater of one problem at one level of noise is questioned by one method.
type Cell struct {
	Problem string
	Noise   float64 // error rate among the top 1 % of the domain
	Method  string
	Seed    uint64
}

func (c Cell) String() string {
	return fmt.Sprintf("%s noise %g %s seed %d", c.Problem, c.Noise, c.Method, c.Seed)
}

// Grid is a set of cells by their coordinates. Empty fields stand for the paper's experiments.
type Grid struct {
	Problems []string  // defaults to the six of App. C
	Noise    []float64 // defaults to 0.1 and 0.3
	Methods  []string  // defaults to kg, eubo, logei, random
	Seeds    []uint64  // defaults to 0 to 19
	Own      Own       // problems and methods that are not in the catalogue
}

// WithDefaults spells out the paper's experiments.
func (g Grid) WithDefaults() Grid {
	g.Problems = xslices.Or(g.Problems, xslices.Map(problem.Paper(), func(p problem.Problem) string { return p.Name })...)
	g.Noise, g.Methods = xslices.Or(g.Noise, 0.1, 0.3), xslices.Or(g.Methods, "kg", "eubo", "logei", "random")
	g.Seeds = xslices.Or(g.Seeds, xslices.Times(20, func(i int) uint64 { return uint64(i) })...)
	return g
}

// Cells lists the cells, seed by seed: a sweep that is cut short has whole seeds, which can be compared.
func (g Grid) Cells() (cells []Cell, err error) {
	g = g.WithDefaults()
	if err := g.Own.check(g.Problems, g.Methods); err != nil {
		return nil, err
	}
	for _, seed := range g.Seeds {
		for _, p := range g.Problems {
			for _, n := range g.Noise {
				cells = append(cells, xslices.Map(g.Methods, func(m string) Cell { return Cell{p, n, m, seed} })...)
			}
		}
	}
	return cells, nil
}

// Shard returns every count-th cell beginning with number index (from 1), as in "2/4".
func Shard(cells []Cell, index, count int) (out []Cell, err error) {
	if count < 1 || index < 1 || index > count {
		return nil, fmt.Errorf("bench: shard %d/%d, want i/n with 1 ≤ i ≤ n", index, count)
	}
	for i := index - 1; i < len(cells); i += count {
		out = append(out, cells[i])
	}
	return out, nil
}

// maxSeeds keeps a slip of the keyboard from filling the memory.
const maxSeeds = 100_000

// ParseSeeds reads a list of seeds and ranges, as in "0-19" or "3,7,100-109".
func ParseSeeds(text string) (seeds []uint64, err error) {
	seen := map[uint64]bool{}
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		lo, err := strconv.ParseUint(first, 10, 63)
		hi := lo
		if err == nil && isRange {
			hi, err = strconv.ParseUint(last, 10, 63)
		}
		if err != nil || hi < lo || hi-lo >= maxSeeds {
			return nil, fmt.Errorf("bench: seeds %q, want numbers and ranges such as 0-19 or 3,7,10-12", text)
		}
		for s := lo; s <= hi; s++ {
			if !seen[s] {
				seen[s], seeds = true, append(seeds, s)
			}
		}
		if len(seeds) > maxSeeds {
			return nil, fmt.Errorf("bench: seeds %q are more than %d", text, maxSeeds)
		}
	}
	return seeds, nil
}

// Own are problems and methods of one's own, by name, beside the catalogue. A cell must stay a function of its
// coordinates: the same points have the same utility, the same task the same choice.
type Own struct {
	Problems map[string]problem.Problem
	Methods  map[string]acquisition.Method
}

const ownPoints = 1 << 14 // how many points of an own problem its noise is calibrated on: one that another program computes takes its time

func (o Own) problem(name string) (problem.Problem, error) {
	if p, ok := o.Problems[name]; ok {
		return p, nil
	}
	return problem.ByName(name)
}

// check reports an unknown problem or method, or an own one whose name is taken.
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
