package statements

import (
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/problem"
)

// Plan says which studies are played. The zero value plays one and two parameters with ordinary raters.
type Plan struct {
	// Tastes is the number of tastes of each space and family. Defaults to 10.
	Tastes int
	// Seed draws the tastes, the moods of the raters and the studies.
	Seed uint64
	// Spaces are numbers of parameters ("2"), mixed ones ("3m"), "list" for items with features and "plain" for items
	// without. Defaults to 1 and 2.
	Spaces []string
	// Families are "smooth", "rugged" or names of problem.TasteFamilies. Defaults to the first two.
	Families []string
	// Raters are names of problem.TasteRaters. Defaults to ordinary.
	Raters []string
	// Answers is the number after which a study that has not ended is given up. Defaults to 60, and 80 for lists.
	Answers int
	// Every is how often the verdict is looked at while it is far from an ending. Defaults to every second answer.
	Every int
	// Marks are the numbers of answers at which statements are noted. Defaults to 10, 20, 30 and 40.
	Marks []int
	// Jobs is the number of studies played at a time. Defaults to the processors; no result depends on it.
	Jobs int
	// Study is what else is set in the studies; Space and Seed are theirs.
	Study prefer.Config
}

// WithDefaults fills in what the zero value stands for.
func (p Plan) WithDefaults() Plan {
	if p.Tastes == 0 {
		p.Tastes = 10
	}
	if len(p.Spaces) == 0 {
		p.Spaces = []string{"1", "2"}
	}
	if len(p.Families) == 0 {
		p.Families = []string{"smooth", "rugged"}
	}
	if len(p.Raters) == 0 {
		p.Raters = []string{"ordinary"}
	}
	if p.Every == 0 {
		p.Every = 2
	}
	if len(p.Marks) == 0 {
		p.Marks = []int{10, 20, 30, 40}
	}
	if p.Jobs == 0 {
		p.Jobs = runtime.GOMAXPROCS(0)
	}
	return p
}

// Validate reports the first field that makes no sense.
func (p Plan) Validate() error {
	for _, c := range []struct {
		name  string
		value int
	}{{"Tastes", p.Tastes}, {"Answers", p.Answers}, {"Every", p.Every}, {"Jobs", p.Jobs}} {
		if c.value < 0 {
			return fmt.Errorf("statements: Plan.%s = %d, want at least 1", c.name, c.value)
		}
	}
	for _, s := range p.Spaces {
		if _, err := options(s, ""); err != nil {
			return err
		}
	}
	for _, r := range p.Raters {
		if known := problem.TasteRaters(); !slices.Contains(known, r) {
			return fmt.Errorf("statements: Plan.Raters has %q, want some of %s", r, strings.Join(known, ", "))
		}
	}
	return nil
}

// options returns which tastes a space and a family stand for.
func options(space, family string) (problem.TasteOptions, error) {
	o := problem.TasteOptions{Family: family}
	switch space {
	case "list":
		o.Shape, o.Dim = problem.List, 3
		return o, nil
	case "plain":
		o.Shape = problem.PlainList
		return o, nil
	}
	digits, mixed := strings.CutSuffix(space, "m")
	if o.Shape = problem.Box; mixed {
		o.Shape = problem.Mixed
	}
	d, err := strconv.Atoi(digits)
	if o.Dim = d; err != nil || d < 1 || d > 8 {
		return o, fmt.Errorf("statements: Plan.Spaces has %q, want 1 to 8, with an m for mixed parameters, list or plain", space)
	}
	return o, nil
}

// cell is one study to be played.
type cell struct {
	number        int
	index         int // of the taste
	space, family string
	rater         string
}

// cells lists the studies: raters of one taste follow each other.
func (p Plan) cells() []cell {
	var out []cell
	for _, space := range p.Spaces {
		for _, family := range p.Families {
			for i := range p.Tastes {
				for _, rater := range p.Raters {
					out = append(out, cell{len(out), i, space, family, rater})
				}
			}
		}
	}
	return out
}

// seed returns a seed of the cell's own, k for different uses. Raters of one taste have the same: they differ in how they answer,
// not in what is asked first or in their mood.
func (c cell) seed(plan, k uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%s/%d", c.space, c.family, k)
	return splitmix.At(plan^h.Sum64(), uint64(c.index))
}

// Uses of a cell's seed.
const (
	seedTaste = iota
	seedStudy
	seedMood
)

// limit returns the number of answers after which a study is given up.
func (p Plan) limit(space string) int {
	if p.Answers > 0 {
		return p.Answers
	}
	if space == "list" || space == "plain" {
		return 80
	}
	return 60
}
