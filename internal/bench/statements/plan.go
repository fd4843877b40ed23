package statements

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/bench/trial"
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
	p.Tastes, p.Every, p.Jobs = cmp.Or(p.Tastes, 10), cmp.Or(p.Every, 2), cmp.Or(p.Jobs, runtime.GOMAXPROCS(0))
	p.Spaces = trial.Default(p.Spaces, "1", "2")
	p.Families = trial.Default(p.Families, "smooth", "rugged")
	p.Raters = trial.Default(p.Raters, "ordinary")
	p.Marks = trial.Default(p.Marks, 10, 20, 30, 40)
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
	return trial.CheckNames("statements: Plan.Raters", p.Raters, problem.TasteRaters())
}

// Run plays the studies of the plan and returns them in the plan's order.
func (p Plan) Run(ctx context.Context, done trial.Progress) ([]Study, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	p = p.WithDefaults()
	return trial.Each(ctx, p.Jobs, p.cells(), done, func(ctx context.Context, c cell) (Study, error) {
		s, err := p.play(ctx, c)
		if err != nil {
			err = fmt.Errorf("statements: taste %d of %s, %s, rater %s: %w", c.index, c.space, c.family, c.rater, err)
		}
		return s, err
	})
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
					out = append(out, cell{i, space, family, rater})
				}
			}
		}
	}
	return out
}

// seed returns a seed of the cell's own, k for different uses. Raters of one taste have the same: they differ in how they answer,
// not in what is asked first or in their mood.
func (c cell) seed(plan, k uint64) uint64 { return trial.Seed(plan, c.index, c.space, c.family, k) }

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
