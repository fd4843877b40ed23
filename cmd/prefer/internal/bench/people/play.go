package people

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

// Study is one study that was played, a line of a file.
type Study struct {
	key
	Values []Value `json:"values"`
}

// key names a study: a population, what chose its questions, and how was learned from the answers.
type key struct {
	Cell
	Method string `json:"method"`
	Arm    string `json:"arm"`
}

// looked is a study with what it was looked at.
type looked struct {
	key
	marks string
}

// Key names the study and when it was looked at: other marks, another study.
func (s Study) Key() looked { return looked{s.key, fmt.Sprint(s.marks())} }

func (s Study) Looks() int { return len(s.Values) }

// Check returns what a study of a file lacks.
func (s Study) Check() error {
	if s.Arm == "" || s.Population == "" || len(s.Values) == 0 {
		return errors.New("has no arm, no population or no values")
	}
	return nil
}

// Value is the sum of a measure over so many people, pairs of people or statements of a study, after so many answers of each.
type Value struct {
	Measure string  `json:"measure"`
	Answers int     `json:"answers"`
	Of      int     `json:"of"`
	Sum     float64 `json:"sum"`
}

// Measures that are about the group.
const (
	groupMissed    = "group's pick: share missed"
	agreementError = "agreement: mean |said − true|"
	agreementBias  = "agreement: mean said − true"
	agreementHeld  = "agreement: true value in the interval"
	agreementWide  = "agreement: width of the interval"
	differFound    = "differs from the rest: named"
	differWrong    = "does not differ: named all the same"
	carelessFound  = "careless: called so"
	carelessWrong  = "not careless: called so all the same"
	campsFound     = "two camps: said"
	campsPlaced    = "two camps said: people in their own"
	campsWrong     = "no camps: said all the same"
	cost           = "processor seconds"
)

// role has the measures about one person.
type role struct{ missed, said, held, wrong string }

func newRole(owner string) role {
	return role{owner + " pick: share missed", owner + " confidence: said", owner + " confidence: true", owner + " said to be 90 % sure: wrong"}
}

var everybody, outlier, newcomer = newRole("own"), newRole("outlier's"), newRole("newcomer's")

// marks returns the numbers of answers after which was looked.
func (s Study) marks() []int {
	return xslices.Map(xslices.Filter(s.Values, func(v Value) bool { return v.Measure == groupMissed }), func(v Value) int { return v.Answers })
}

type tally struct{ values []Value }

func (t *tally) add(measure string, answers int, value float64) {
	for i, v := range t.values {
		if v.Measure == measure && v.Answers == answers {
			t.values[i].Of++
			t.values[i].Sum += value
			return
		}
	}
	t.values = append(t.values, Value{measure, answers, 1, value})
}

// game is a study that is being played.
type game struct {
	*Population
	*prefer.Study
	said tally
	team *prefer.Best // of a shared study, cached since the last answer; nil if not computed
}

const sure = 0.9 // the confidence from which on a study says that nothing is noticeably better

// play plays a study: everybody in turn, one question each, up to the last mark; then the newcomer. Everything but the seconds
// is a function of the cell, the seed and the arm.
func (p Plan) play(ctx context.Context, of *Population, k key) (out Study, err error) {
	defer func() { err = k.blame(err) }()
	runtime.LockOSThread() // processor time is read off the thread
	defer runtime.UnlockOSThread()
	cpu := bench.ThreadTime()
	out = Study{key: k}
	cfg := p.Study
	cfg.Space, cfg.Seed, cfg.Method = of.mean.Space(), k.seed(seedStudy), p.Method
	cfg.Search.Workers = 1 // populations are what runs side by side
	switch cfg.People = prefer.PerRater; strings.TrimSuffix(k.Arm, " "+p.Label) {
	case "separate":
		cfg.Kinship = gp.None()
	case "shared":
		cfg.People = prefer.Shared
	}
	s, err := prefer.New(ctx, cfg)
	if err != nil {
		return out, err
	}
	g := game{Population: of, Study: s}
	called := ctx
	ctx = context.WithoutCancel(ctx) // so that fits run on this thread, whose time is read; called is looked at once a round
	for answers := 1; answers <= slices.Max(p.Marks); answers++ {
		if err := context.Cause(called); err != nil {
			return out, err
		}
		for _, who := range of.People {
			if err := g.answer(ctx, who, answers); err != nil {
				return out, err
			}
		}
		if !slices.Contains(p.Marks, answers) {
			continue
		}
		for _, who := range of.People {
			if err := g.look(ctx, who, answers); err != nil {
				return out, err
			}
		}
		if err := g.together(ctx, answers); err != nil {
			return out, err
		}
	}
	if k.Careless == 0 {
		if err := g.join(ctx, p.Marks); err != nil {
			return out, err
		}
	}
	g.said.add(cost, 0, (bench.ThreadTime() - cpu).Seconds())
	out.Values = g.said.values
	return out, nil
}

// answer asks a person the question of that number and tells the study the answer.
func (g *game) answer(ctx context.Context, who *trial.Person, number int) error {
	q, err := g.Ask(ctx, prefer.Request{Rater: who.Name})
	if err != nil {
		return err
	}
	g.team = nil
	_, err = g.Tell(ctx, q.ID, who.Respond(who.Worth(q.First), who.Worth(q.Second), number))
	return err
}

// look notes what the study says to one person, and what is true of it. What it says to the careless does not count.
func (g *game) look(ctx context.Context, who *trial.Person, answers int) error {
	if who.Careless > 0 {
		return nil
	}
	best, err := g.best(ctx, who)
	if err != nil {
		return err
	}
	gap := who.Max - who.Worth(best.Option)
	right := gap <= who.Tolerance()
	role := everybody
	if who == g.newcomer {
		role = newcomer
	} else if who.Outlier {
		role = outlier
	}
	g.said.add(role.missed, answers, missed(who.Taste, gap))
	g.said.add(role.said, answers, best.Confidence)
	g.said.add(role.held, answers, trial.Share(right))
	if best.Confidence >= sure {
		g.said.add(role.wrong, answers, trial.Share(!right))
	}
	return nil
}

// best returns the study's pick for a person. In a shared study all people have the same.
func (g *game) best(ctx context.Context, who *trial.Person) (prefer.Best, error) {
	if g.team != nil {
		return *g.team, nil
	}
	best, err := g.Best(ctx, prefer.Look{Rater: who.Name})
	if err == nil && g.Config().People == prefer.Shared {
		g.team = &best
	}
	return best, err
}

// join adds the newcomer, whose pick is measured before the first answer, after two, and at the marks.
func (g *game) join(ctx context.Context, marks []int) error {
	for answers := range slices.Max(marks) + 1 {
		if answers > 0 {
			if err := g.answer(ctx, g.newcomer, answers); err != nil {
				return err
			}
		}
		if answers == 0 || answers == 2 || slices.Contains(marks, answers) {
			if err := g.look(ctx, g.newcomer, answers); err != nil {
				return err
			}
		}
	}
	return nil
}

// together notes what the study says about all of them.
func (g *game) together(ctx context.Context, answers int) error {
	if g.Config().People == prefer.Shared {
		best, err := g.best(ctx, g.People[0])
		if err != nil {
			return err
		}
		g.said.add(groupMissed, answers, missed(g.mean.Taste, g.mean.Max-g.mean.Worth(best.Option)))
		return nil
	}
	all, err := g.Group(ctx, prefer.Look{})
	if err != nil || all.Best == nil {
		return err
	}
	g.said.add(groupMissed, answers, missed(g.mean.Taste, g.mean.Max-g.mean.Worth(all.Best)))
	for r, who := range g.People {
		i := slices.Index(all.Raters, who.Name)
		if i < 0 {
			continue
		}
		called := trial.Share(slices.Contains(all.Careless, who.Name))
		if who.Careless > 0 {
			g.said.add(carelessFound, answers, called)
			continue
		}
		g.said.add(carelessWrong, answers, called)
		others, n := 0.0, 0.0
		for q, other := range g.People {
			j := slices.Index(all.Raters, other.Name)
			if j < 0 || other.Careless > 0 || q == r {
				continue
			}
			others += g.Alike[r][q]
			n++
			if q > r {
				err := all.Agreement[i][j] - g.Alike[r][q]
				g.said.add(agreementError, answers, math.Abs(err))
				g.said.add(agreementBias, answers, err)
				g.said.add(agreementHeld, answers, trial.Share(all.Low[i][j] <= g.Alike[r][q] && g.Alike[r][q] <= all.High[i][j]))
				g.said.add(agreementWide, answers, all.High[i][j]-all.Low[i][j])
			}
		}
		named := slices.Contains(all.Disagrees, who.Name)
		if others < 0 {
			g.said.add(differFound, answers, trial.Share(named))
		} else if n > 0 {
			g.said.add(differWrong, answers, trial.Share(named))
		}
	}
	g.camps(all, answers)
	return nil
}

// camps notes whether two camps are said to be there, and how many of the honest are in their own: as the camps are told, or the other way round.
func (g *game) camps(all prefer.Group, answers int) {
	said, sizes := len(all.Camps) == 2, [2]int{}
	own, n := 0, 0
	for _, who := range g.People {
		if sizes[who.Camp]++; said && who.Careless == 0 {
			if slices.Contains(all.Camps[who.Camp].Raters, who.Name) {
				own++
			}
			n++
		}
	}
	if sizes[1] == 0 {
		g.said.add(campsWrong, answers, trial.Share(said))
		return
	}
	g.said.add(campsFound, answers, trial.Share(said))
	if said {
		g.said.add(campsPlaced, answers, float64(max(own, n-own))/float64(n))
	}
}

// missed returns the share of the possible improvement that is missed, 0 where all options are alike.
func missed(t *problem.Taste, gap float64) float64 {
	if t.Max == t.Mean {
		return 0
	}
	return gap / (t.Max - t.Mean)
}
