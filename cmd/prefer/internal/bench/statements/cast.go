package statements

import (
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/people"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// Spaces beside numbers of parameters. A name of people.Populations is a group of such people with tastes of their own about two parameters.
const (
	list        = "list"        // 60 items with features
	plain       = "plain"       // 60 items without
	constrained = "constrained" // two parameters, half of whose options are allowed
	contexts    = "contexts"    // two parameters in three contexts
	crossed     = "crossed"     // 8 items crossed with two parameters
	shared      = "shared"      // people of one taste about two parameters, whose study is one for all
)

const (
	groupPeople   = 4
	groupAnswers  = 20 // of each of several people, or under each context
	repeatedEvery = 5  // of several people every fifth question is an earlier one, once more
)

// isGroup reports whether several people answer about a space.
func isGroup(space string) bool {
	return space == shared || slices.Contains(people.Populations(), space)
}

// opinion is what a study makes statements about: the taste of a person, of a team, or of a person in one context.
type opinion struct {
	trial.Person
	look    prefer.Look
	items   []float64 // true worth of the items that are crossed with parameters, each at its best; nil for others
	answers int
	next    int // number of answers after which the verdict is looked at
	ended   int // answers until the first ending; 0 for none
	ending  prefer.VerdictKind
	moments []moment
}

// asked is one of those who are asked in turn.
type asked struct {
	of        *trial.Person
	fixed     space.Option
	about     *opinion // that the answers are about; nil of a careless person with an opinion of their own
	questions []prefer.QuestionID
	again     [][2]float64 // true utilities of the pairs that were asked again
}

// cast is what a study is about and who answers.
type cast struct {
	config   prefer.Config
	opinions []*opinion
	asked    []*asked
	alike    [][]float64 // true correlations of the tastes of several people; nil for one
}

func (c *cast) add(of *trial.Person, o *opinion) {
	c.asked = append(c.asked, &asked{of: of, fixed: o.look.Fixed, about: o})
	if !slices.Contains(c.opinions, o) {
		c.opinions = append(c.opinions, o)
	}
}

// cast draws the people of a cell.
func (c cell) cast(plan Plan) (out cast, err error) {
	if out.config = plan.Study; isGroup(c.space) {
		return out, c.castGroup(plan.Seed, &out)
	}
	o, err := options(c.space, c.family)
	if err != nil {
		return out, err
	}
	seed := c.seed(plan.Seed, seedTaste)
	taste, err := problem.NewTaste(seed, c.index, o)
	if err != nil {
		return out, err
	}
	who := trial.Person{TasteSpace: trial.TasteSpace{Taste: taste, Crossed: c.space == crossed}, Mood: c.seed(plan.Seed, seedMood)}
	if who.Rater, err = taste.Rater(c.rater); err != nil {
		return out, err
	}
	out.config.Space = who.Space()
	level := func(i int) *problem.Taste {
		return taste.Among(seed, func(x []float64) bool { return int(x[0]) == i })
	}
	first := opinion{Person: who, next: 2}
	switch c.space {
	case contexts:
		out.config.Space.Parameters[0].Context = true
		for i := range o.Parts[0].Levels {
			here := first
			here.Taste, here.look.Fixed = level(i), space.Option{"p1": out.config.Space.Parameters[0].Choices[i]}
			out.add(&here.Person, &here)
		}
		return out, nil
	case constrained:
		out.config.Space.Constraints = []string{"p1 + p2 <= 1"}
		first.Taste = taste.Among(seed, func(x []float64) bool { return x[0]+x[1] <= 1 })
	case crossed:
		first.items = xslices.Times(o.Parts[0].Levels, func(i int) float64 { return level(i).Max })
	}
	out.add(&first.Person, &first)
	return out, nil
}

// castGroup draws several people. One of them answers at random if the cell's rater does, else all answer as that rater.
func (c cell) castGroup(seed uint64, out *cast) error {
	of := people.Cell{Population: c.space, Space: "2", People: groupPeople, Number: c.index, Seed: seed, Family: c.family}
	if out.config.People = prefer.PerRater; c.space == shared {
		of.Population, out.config.People = "same", prefer.Shared
	}
	if c.rater == atRandom {
		of.Careless = 1
	}
	group, err := of.Draw()
	if err != nil {
		return err
	}
	out.alike, out.config.Space = group.Alike, group.People[0].Space()
	team := &opinion{Person: *group.People[0], next: 2}
	for _, who := range group.People {
		if of.Careless == 0 {
			if who.Rater, err = who.Taste.Rater(c.rater); err != nil {
				return err
			}
		}
		switch {
		case c.space == shared:
			out.add(who, team)
		case who.Careless > 0:
			out.asked = append(out.asked, &asked{of: who})
		default:
			out.add(who, &opinion{Person: *who, look: prefer.Look{Rater: who.Name}, next: 2})
		}
	}
	return nil
}

// request returns the next question that somebody is asked: of several people every fifth is one they have answered before.
func (c *cast) request(a *asked) prefer.Request {
	r := prefer.Request{Rater: a.of.Name, Fixed: a.fixed}
	if n := len(a.questions); c.alike != nil && n%repeatedEvery == repeatedEvery-1 {
		r.Repeat = a.questions[n/repeatedEvery]
	}
	return r
}
