package people

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// Checks says how many checks of careful answering were due, and how many came, in a live study that several people answer under
// two conditions by turns.
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

// Who is checked: as a lab would have it.
const (
	checkedPeople    = 12
	checkedQuestions = 26
)

// PlayChecks plays such a study with random questions.
func PlayChecks(ctx context.Context, seed uint64) (out Checks, err error) {
	of, err := cell{Population: "same", Space: "2m", People: checkedPeople, Seed: seed}.draw()
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
		for _, who := range of.people {
			q, err := studies.Ask(ctx, name, live.Ask{Rater: who.name, Owner: true, Fixed: under})
			if err != nil {
				return out, fmt.Errorf("people: question %d of %s: %w", i+1, who.name, err)
			}
			reply := who.rater.Answer(who.Worth(q.Options[0].Params), who.Worth(q.Options[1].Params), who.mood, uint64(i))
			if _, err := studies.Tell(ctx, name, live.Tell{Question: q.Asked.ID, Rater: who.name, Answer: prefer.Answer{Choice: bench.Replies[reply]}}); err != nil {
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
