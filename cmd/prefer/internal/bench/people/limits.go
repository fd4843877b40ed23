package people

import (
	"context"
	"fmt"
	"math"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// Checks says how many checks of careful answering were due, and how many came, in a live study that several people answer under two conditions by turns.
type Checks struct {
	People    int `json:"people"`
	Questions int `json:"questions"` // of each
	Catch     Due `json:"catch"`     // one question in ten
	Repeats   Due `json:"repeats"`   // 15 in a hundred
	Missed    int `json:"missed"`    // people who had fewer than were due to them
}

// Due is so many that were due and so many that came.
type Due struct {
	Due   int `json:"due"`
	Given int `json:"given"`
}

// How many people are checked on how many questions: as in a lab.
const (
	checkedPeople    = 12
	checkedQuestions = 26
)

// PlayChecks plays such a study with random questions.
func PlayChecks(ctx context.Context, seed uint64) (out Checks, err error) {
	of, err := Cell{Population: "same", Space: "2m", People: checkedPeople, Seed: seed}.Draw()
	if err != nil {
		return out, err
	}
	studies, err := live.New(live.Config{Budget: -1, Workers: -1}) // nothing is searched for in advance
	if err != nil {
		return out, err
	}
	defer studies.Close(ctx)
	const name, first, second = "checks", "p1", "p2"
	cfg := prefer.Config{Space: of.mean.Space(), Seed: seed, Method: "random", People: prefer.PerRater, Modelling: prefer.Modelling{Kinship: gp.None(), Belief: "likeliest"}}
	pair := live.Catch{Better: space.Option{first: space.ValueOf(1.0)}, Worse: space.Option{first: space.ValueOf(0.0)}}
	if err := studies.Create(ctx, name, cfg, live.Settings{Checks: live.Checks{RepeatRate: 0.15, Catch: []live.Catch{pair}}}); err != nil {
		return out, err
	}
	for i := range checkedQuestions {
		under := space.Option{second: space.ValueOf([]string{"a", "b"}[i%2])}
		for _, who := range of.People {
			q, err := studies.Ask(ctx, name, live.Ask{Rater: who.Name, Owner: true, Fixed: under})
			if err != nil {
				return out, fmt.Errorf("people: question %d of %s: %w", i+1, who.Name, err)
			}
			a := who.Answer(q.Options[0].Params, q.Options[1].Params, i)
			if _, err := studies.Tell(ctx, name, live.Tell{Question: q.Asked.ID, Rater: who.Name, Answer: a}); err != nil {
				return out, err
			}
		}
	}
	out.People, out.Questions = checkedPeople, checkedQuestions
	return out, studies.With(ctx, name, func(s *live.Study) error {
		raters, err := s.Study.Raters(ctx)
		for _, r := range raters {
			c := s.Checked(r)
			out.Catch.Due, out.Catch.Given = out.Catch.Due+c.Catch.Due, out.Catch.Given+c.Catch.Of
			out.Repeats.Due, out.Repeats.Given = out.Repeats.Due+c.Repeats.Due, out.Repeats.Given+c.Repeats.Of
			if c.Catch.Of < c.Catch.Due || c.Repeats.Of < c.Repeats.Due {
				out.Missed++
			}
		}
		return err
	})
}

// Quick returns the plan of some seconds: two small groups of the same taste and two of strangers, in one space.
func Quick() Plan {
	return Plan{Numbers: 2, Seed: 1, Populations: []string{"same", "strangers"}, Spaces: []string{"2"}, Family: "smooth", People: []int{4}, Careless: []int{0},
		Method: "kg", Marks: []int{8}}
}

// side is what picks miss after the last answer of Quick.
type side struct{ population, arm, measure string }

// limits are what must hold of Quick: less is below more by so much, or above it by no more than −by. A team of one taste gains by
// everybody's answers, for a team of strangers the shared utility suits no one; learning from others as far as they are alike gains
// by the first and does not lose by the second. With so few studies they catch what is broken, not what has become a little worse.
var limits = []struct {
	less, more side
	by         float64
}{
	{side{"same", "shared", everybody.missed}, side{"strangers", "shared", everybody.missed}, 0.1},
	{side{"strangers", "separate", everybody.missed}, side{"strangers", "shared", everybody.missed}, 0.05},
	{side{"same", "shared", everybody.missed}, side{"same", "separate", everybody.missed}, 0},
	{side{"same", "joint", everybody.missed}, side{"same", "separate", everybody.missed}, 0},
	{side{"strangers", "joint", everybody.missed}, side{"strangers", "separate", everybody.missed}, -0.1},
	{side{"same", "shared", newcomer.missed}, side{"strangers", "shared", newcomer.missed}, 0.1},
}

// Broken says in words which limits the table of Quick breaks. What is not in it breaks its limits.
func Broken(t Table) (out []string) {
	q := Quick()
	of := func(s side) float64 {
		r, ok := t.find(group{s.population, q.People[0], 0}, s.arm, "", s.measure, q.Marks[len(q.Marks)-1])
		if !ok {
			return math.NaN()
		}
		return r.Value
	}
	for _, l := range limits {
		if less, more := of(l.less), of(l.more); !(less <= more-l.by) {
			out = append(out, fmt.Sprintf("%s: %.3f of %s, %s, want it below the %.3f of %s, %s by %g", l.less.measure, less, l.less.population, l.less.arm,
				more, l.more.population, l.more.arm, l.by))
		}
	}
	if t.Checks == nil || t.Checks.Missed > 0 {
		out = append(out, fmt.Sprintf("checks: %+v, want all that were due to everybody", t.Checks))
	}
	return out
}
