// Package statements is the benchmark of what a study says to people. It simulates studies with tastes and raters of package problem through the public
// API, records each statement, and checks it against the true utility.
//
// The truth of a statement is computed here and in package problem, which know nothing of the model: an error of the engine cannot hide in its own judge.
// [Plan.Run] (plan.go) returns one [Study] per taste and rater with the [Statement]s it made (play.go); a [Table] (table.go) says, kind by kind, how sure they
// sounded and how often they were true; [Limit]s are what must not get worse. Who answers about what is in cast.go. A new kind of statement is one more row of
// the table of kinds (kind.go), a new way to end one more of the endings, and what is said about several people is in group.go.
package statements

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/people"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Plan says which studies are played. Its tags make flags of the fields.
type Plan struct {
	Tastes   int           `help:"Tastes of each space and family." default:"10" least:"1"`
	Seed     uint64        `help:"Random seed."`
	Spaces   []string      `help:"What they are about: numbers of parameters, 3m for mixed ones, list (60 items with features), plain (without), constrained, contexts, crossed (a list with parameters), shared (one study of several people), or people of their own tastes: ${populations}." name:"dims" default:"1,2" placeholder:"N,…"`
	Families []string      `help:"Families of tastes: smooth, rugged, or one by name." default:"smooth,rugged" placeholder:"NAME,…"`
	Raters   []string      `help:"Kind of rater: ${taste_raters}." default:"ordinary" placeholder:"NAME,…"`
	Answers  int           `help:"Maximum answers per study. Defaults to 60, 80 for lists, 20 each in contexts and of several people." least:"0" placeholder:"N"`
	Every    int           `help:"Check the verdict after every so many answers while it is far off." default:"2" least:"1" placeholder:"N"`
	Jobs     int           `help:"Studies in parallel; the result does not depend on it. Defaults to the number of processors." least:"0" placeholder:"N"`
	Marks    []int         `kong:"-"` // the numbers of answers at which statements are noted. Defaults to 10, 20, 30 and 40
	Study    prefer.Config `kong:"-"` // what else is set in the studies; Space and Seed are theirs
}

// Check reports the first space or rater that is not known.
func (p Plan) Check() error {
	for _, s := range p.Spaces {
		if _, err := options(s, ""); err != nil && !isGroup(s) {
			return err
		}
	}
	return trial.CheckNames("statements: Plan.Raters", p.Raters, problem.TasteRaters())
}

// Run plays the studies of the plan and returns them in the plan's order.
func (p Plan) Run(ctx context.Context, done trial.Progress) ([]Study, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	p.Jobs, p.Marks = cmp.Or(p.Jobs, runtime.GOMAXPROCS(0)), xslices.Or(p.Marks, 10, 20, 30, 40)
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
	case list:
		o.Shape, o.Dim = problem.List, 3
		return o, nil
	case plain:
		o.Shape = problem.PlainList
		return o, nil
	case contexts, crossed:
		o.Shape, o.Parts = problem.Mixed, []problem.Part{{Kind: problem.Unordered, Levels: map[string]int{contexts: 3, crossed: 8}[space]}, {}, {}}
		return o, nil
	case constrained:
		space = "2"
	}
	digits, mixed := strings.CutSuffix(space, "m")
	if o.Shape = problem.Box; mixed {
		o.Shape = problem.Mixed
	}
	d, err := strconv.Atoi(digits)
	if o.Dim = d; err != nil || d < 1 || d > 8 {
		return o, fmt.Errorf("statements: Plan.Spaces has %q, want 1 to 8, with an m for mixed parameters, %s, or people: %s, %s", space,
			strings.Join([]string{list, plain, constrained, contexts, crossed}, ", "), shared, strings.Join(people.Populations(), ", "))
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
func (p Plan) cells() (out []cell) {
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
	switch {
	case space == list || space == plain:
		return cmp.Or(p.Answers, 80)
	case space == shared: // where all answer about one opinion
		return groupPeople * cmp.Or(p.Answers, groupAnswers)
	case space == contexts || isGroup(space):
		return cmp.Or(p.Answers, groupAnswers)
	}
	return cmp.Or(p.Answers, 60)
}

// Limit is what must hold of the statements of one kind.
type Limit struct {
	Kinds  []string
	Mark   int      // number of answers; 0 for any
	Spaces []string // none for all, as of Raters
	Raters []string

	Never bool    // no such statement may be made; otherwise there must be one
	Held  float64 // least of what must be true
	Over  float64 // most by which Said may exceed Held; 0 for no limit
	Bits  float64 // most; 0 for no limit
}

// Quick returns the plans of a minute or two: a few studies of one and two parameters, with people who tell about their taste and with people who do not, and
// one of each kind of space and group beside.
func Quick() []Plan {
	all := Plan{Tastes: 2, Seed: 1, Families: []string{"smooth"}, Answers: 20, Every: 2, Marks: []int{10, 20}}
	one, other, several := all, all, all
	one.Tastes, one.Spaces, one.Raters = 4, []string{"1", "2"}, slices.Concat(open, []string{alwaysBad, atRandom})
	other.Spaces, other.Raters = others, []string{"ties"}
	several.Spaces, several.Raters = groups, []string{"ties", atRandom}
	return []Plan{one, other, several}
}

// Broken says in words which limits the studies of Quick break.
func Broken(studies []Study) (out []string) {
	for _, l := range Limits() {
		if err := l.Check(studies); err != nil {
			out = append(out, err.Error())
		}
	}
	return out
}

// Limits returns what must hold of the studies of Quick. With so few they are wide: they catch what is broken, not what has become a little worse.
func Limits() []Limit {
	winner, alone := []string{"ending done"}, []string{"1", "2"}
	return []Limit{
		{Kinds: winner, Spaces: alone, Raters: open, Held: 0.85, Over: 0.05}, // eight tastes, each three times
		{Kinds: winner, Raters: []string{alwaysBad}, Never: true},
		{Kinds: []string{"ending nothing_pleases"}, Raters: []string{alwaysBad}, Held: 1},
		{Kinds: []string{"ending nothing_pleases"}, Raters: open, Never: true},
		{Kinds: []string{"confidence"}, Spaces: alone, Raters: open, Held: 0.6, Over: 0.15},
		{Kinds: []string{"better than n of 100"}, Spaces: alone, Raters: open, Mark: 20, Held: 0.9, Over: 0.05},
		{Kinds: []string{"forecast"}, Spaces: alone, Raters: open, Mark: 20, Over: 0.05, Bits: 0.7},
		{Kinds: []string{"matters", "hardly matters", "direction"}, Spaces: alone, Raters: open, Mark: 20, Held: 0.85},
		{Kinds: []string{"better than n of 100"}, Spaces: slices.Concat(others, groups), Mark: 20, Held: 0.9, Over: 0.05},
		{Kinds: []string{"forecast"}, Spaces: slices.Concat(others, groups), Mark: 20, Over: 0.1, Bits: 0.9},
		{Kinds: []string{"places of a list"}, Spaces: others, Held: 0.75},
		{Kinds: []string{"agreement of two", "agreement of all"}, Spaces: groups, Held: 0.75},
		{Kinds: []string{"does not answer carelessly"}, Spaces: groups, Held: 0.8, Over: 0.1},
		{Kinds: []string{"says the same again"}, Spaces: groups, Held: 0.85},
		{Kinds: []string{"suits the group"}, Spaces: groups, Held: 0.5, Over: 0.3},
	}
}

// Raters and spaces of the quick plans.
const (
	alwaysBad = "always bad"
	atRandom  = "random"
)

var (
	open   = []string{"exact", "ordinary", "ties"}
	others = []string{constrained, contexts, crossed}
	groups = []string{shared, "kindred", "strangers"}
)

// Check returns an error that says how the limit is broken.
func (l Limit) Check(studies []Study) error {
	some := xslices.Filter(studies, func(s Study) bool {
		return (len(l.Spaces) == 0 || slices.Contains(l.Spaces, s.Space)) && (len(l.Raters) == 0 || slices.Contains(l.Raters, s.Rater))
	})
	t := truthOf(some, func(s Statement) bool { return slices.Contains(l.Kinds, s.Kind) && (l.Mark == 0 || s.Mark == l.Mark) })
	for _, c := range []struct {
		broken    bool
		what      string
		got, want float64
	}{
		{l.Never && t.Statements > 0, "never, but said", float64(t.Statements), 0},
		{!l.Never && t.Statements == 0, "said", 0, 1},
		{t.Statements > 0 && t.Held < l.Held, "true", t.Held, l.Held},
		{l.Over > 0 && t.Said-t.Held > l.Over, "said more than was true by", t.Said - t.Held, l.Over},
		{l.Bits > 0 && t.Bits > l.Bits, "bits", t.Bits, l.Bits},
	} {
		if c.broken {
			who := slices.Concat(l.Spaces, l.Raters)
			if l.Mark > 0 {
				who = append(who, fmt.Sprintf("after %d answers", l.Mark))
			}
			return fmt.Errorf("%s, %s: %s %.3f in %d statements, limit %g", strings.Join(l.Kinds, ", "), strings.Join(who, " "), c.what, c.got, t.Statements, c.want)
		}
	}
	return nil
}
