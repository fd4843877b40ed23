// Package people is the benchmark of learning from several raters: it simulates studies with populations of raters and measures the picks
// of each rater and of the group.
//
// A population is drawn from tastes of package problem, which share no code with the model: all of the same taste, kindred, in two
// camps, with outliers, or strangers ([Populations]). Its people answer one study in turn, as many questions each; then somebody new
// joins. An arm is one way to learn from them ([Arms]). Each meets the same people in the same moods, so two are compared population by
// population. Noted are, at some numbers of answers of each person ([Table]):
//
//	share missed   (max f − f(x̂)) / (max f − mean f), of everybody's own pick, the outlier's, the newcomer's; of the group's
//	               pick with the mean of the standardised utilities of all but the careless as f
//	confidence     that nothing is noticeably better: said, and true; how often it is wrong where it is at least 90 %.
//	               Noticeably: by more than the person's tolerance (problem.Taste.Tolerance)
//	agreement      of two people against the correlation of their utilities over the space, and whether that is in the interval
//	different      who is named as going against the others, of those whose true mean correlation with them is negative, and
//	               of all others; who is called careless, of those who are and who are not
//	camps          whether two are said to be there, where they are and where not, and how many people are in their own
package people

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Plan says which studies are played. Its tags make flags of the fields.
type Plan struct {
	Numbers     int           `help:"Populations of each kind, space and size." default:"10" least:"1" placeholder:"N"`
	Seed        uint64        `help:"Random seed."`
	Populations []string      `help:"Kinds: ${populations}. Defaults to all." placeholder:"NAME,…"`
	Spaces      []string      `help:"What they are about: numbers of parameters, 4m for mixed ones with a choice." default:"2,4,6,4m" placeholder:"N,…"`
	Family      string        `help:"Tastes: smooth, rugged, conjoint, or a family by name. Defaults to any." placeholder:"NAME"`
	People      []int         `help:"Raters per population." default:"3,6,12" placeholder:"N,…"`
	Careless    []int         `help:"Careless raters per population; skipped where that is more than a quarter." default:"0" placeholder:"N,…"`
	Arms        []string      `help:"Ways to learn from several raters: ${people_arms}. Defaults to all." placeholder:"NAME,…"`
	Method      string        `help:"Method: ${methods}." default:"kg" placeholder:"NAME"`
	Marks       []int         `help:"Evaluate after these numbers of answers per rater." name:"answers" default:"5,10,15,20" placeholder:"N,…"`
	Label       string        `help:"What is added to the names of the arms in the file: for --config, or a change of the program itself." placeholder:"TEXT"`
	Jobs        int           `help:"Populations in parallel; the result does not depend on it. Defaults to the number of processors." least:"0" placeholder:"N"`
	Study       prefer.Config `kong:"-"` // what else is set in the studies, before an arm sets what it is; Space, Seed and Method are theirs. It needs a Label
}

// withDefaults fills in what the zero value stands for.
func (p Plan) withDefaults() Plan {
	p.Jobs, p.Populations, p.Arms = cmp.Or(p.Jobs, runtime.GOMAXPROCS(0)), xslices.Or(p.Populations, Populations()...), xslices.Or(p.Arms, Arms()...)
	return p
}

// Check reports the first field that makes no sense.
func (p Plan) Check() error {
	if err := cmp.Or(trial.CheckMarks("people: Plan.Marks", p.Marks), trial.CheckNames("people: Plan.Populations", p.Populations, Populations()),
		trial.CheckNames("people: Plan.Arms", p.Arms, Arms()), trial.CheckNames("people: Plan.Method", []string{p.Method}, acquisition.Methods())); err != nil {
		return err
	}
	if slices.Min(p.People) < 2 {
		return fmt.Errorf("people: Plan.People = %v, want 2 and more", p.People)
	}
	if slices.Min(p.Careless) < 0 || 4*slices.Min(p.Careless) > slices.Max(p.People) {
		return fmt.Errorf("people: Plan.Careless = %v of %v people, want 0 to a quarter", p.Careless, p.People)
	}
	for _, s := range p.Spaces {
		o, err := options(s, p.Family)
		if err != nil {
			return err
		}
		if _, err := problem.NewTaste(p.Seed, 0, o); err != nil {
			return err
		}
	}
	return nil
}

// cells lists the populations, all of a number before the next.
func (p Plan) cells() (out []Cell) {
	for number := range p.Numbers {
		for _, space := range p.Spaces {
			for _, n := range p.People {
				for _, k := range p.Careless {
					if 4*k > n {
						continue
					}
					for _, name := range p.Populations {
						out = append(out, Cell{name, space, n, k, number, p.Seed, p.Family})
					}
				}
			}
		}
	}
	return out
}

// Run plays the studies of the plan that are not in the file and returns all about the plan's populations that are in it then, whatever the arm.
func (p Plan) Run(ctx context.Context, file *bench.RowFile[looked, Study], done trial.Progress) ([]Study, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	p = p.withDefaults()
	var units []trial.Unit[looked, Study]
	for _, c := range p.cells() {
		keys := xslices.Map(p.Arms, func(arm string) looked {
			if p.Label != "" {
				arm += " " + p.Label
			}
			return looked{key{c, p.Method, arm}, fmt.Sprint(p.Marks)}
		})
		units = append(units, trial.Unit[looked, Study]{Keys: keys, Begin: func() (func(context.Context, looked) (Study, error), error) {
			of, err := c.Draw()
			return func(ctx context.Context, k looked) (Study, error) { return p.play(ctx, of, k.key) }, c.blame(err)
		}})
	}
	err := trial.Run(ctx, p.Jobs, units, file, func(Study) bool { return true }, done)
	return p.Select(file.All()), err
}

// Select returns the studies about the plan's populations, whatever the arm, in the order of the plan.
func (p Plan) Select(studies []Study) (out []Study) {
	p = p.withDefaults()
	for _, c := range p.cells() {
		out = append(out, xslices.Filter(studies, func(s Study) bool { return s.Cell == c && s.Method == p.Method && slices.Equal(s.marks(), p.Marks) })...)
	}
	return out
}

// Arms returns the ways to learn from several people:
//
//	separate  a utility per person, from that person's answers alone
//	shared    one utility for the team
//	joint     a utility per person, from everybody's answers as far as people are found to be alike
func Arms() []string { return []string{"separate", "shared", "joint"} }

// Cell names a population: of what kind, about what, how many people, how many of them careless, and its number.
type Cell struct {
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
func (c Cell) seed(k uint64) uint64 { return trial.Seed(c.Seed, c.Number, c.Space, c.Family, k) }

// blame says in which population something failed.
func (c Cell) blame(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("people: %s, %d people in %s, number %d: %w", c.Population, c.People, c.Space, c.Number, err)
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
