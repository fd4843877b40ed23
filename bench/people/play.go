package people

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/bench"
	"github.com/prefer-bo/prefer/problem"
)

// game is a study that is being played.
type game struct {
	*population
	*prefer.Study
	said tally
	team *prefer.Best // of a shared study since the last answer; nil if nobody looked
}

// sure is the confidence from which on a study says that nothing is noticeably better.
const sure = 0.9

// play plays a study: everybody in turn, one question each, up to the last mark; then the newcomer. Everything but the seconds
// is a function of the cell, the seed and the arm.
func (p Plan) play(ctx context.Context, c cell, of *population, arm Arm) (Study, error) {
	runtime.LockOSThread() // processor time is read off the thread
	defer runtime.UnlockOSThread()
	cpu := bench.ThreadTime()
	out := Study{key: key{c, p.Method, arm.Name}}
	cfg := p.Study
	cfg.Space, cfg.Seed, cfg.Method = of.mean.Space(), c.seed(seedStudy), p.Method
	cfg.Search.Workers = 1 // populations are what runs side by side
	s, err := prefer.New(ctx, arm.Set(cfg))
	if err != nil {
		return out, err
	}
	g := game{population: of, Study: s}
	called, last := ctx, slices.Max(p.Marks)
	ctx = context.WithoutCancel(ctx) // so that fits run on this thread, whose time is read; called is looked at once a round
	for answers := 1; answers <= last; answers++ {
		if err := context.Cause(called); err != nil {
			return out, err
		}
		for _, who := range of.people {
			if err := g.answer(ctx, who, answers); err != nil {
				return out, err
			}
		}
		if !slices.Contains(p.Marks, answers) {
			continue
		}
		for _, who := range of.people {
			if err := g.look(ctx, who, answers); err != nil {
				return out, err
			}
		}
		if err := g.together(ctx, answers); err != nil {
			return out, err
		}
	}
	if c.Careless == 0 {
		if err := g.join(ctx, p.Marks); err != nil {
			return out, err
		}
	}
	seconds := (bench.ThreadTime() - cpu).Seconds()
	g.said.add(cost, 0, seconds)
	out.Values = g.said.values
	return out, nil
}

// answer asks somebody her question of that number.
func (g *game) answer(ctx context.Context, who *person, number int) error {
	q, err := g.Ask(ctx, prefer.Request{Rater: who.name})
	if err != nil {
		return err
	}
	reply, swapped := who.answer(who.Worth(q.First), who.Worth(q.Second), number)
	g.team = nil
	_, err = g.Tell(ctx, q.ID, prefer.Answer{Choice: bench.Replies[reply], Swapped: swapped})
	return err
}

// look notes what the study says to one person, and what is true of it. What it says to the careless is nobody's.
func (g *game) look(ctx context.Context, who *person, answers int) error {
	if who.careless > 0 {
		return nil
	}
	best, err := g.best(ctx, who)
	if err != nil {
		return err
	}
	gap := who.Max - who.Worth(best.Option)
	right := gap <= who.Tolerance(who.rater.Sigma)
	role := everybody
	switch {
	case who == g.newcomer:
		role = newcomer
	case who.outlier:
		role = outlier
	}
	g.said.add(role.missed, answers, missed(who.Taste, gap))
	g.said.add(role.said, answers, best.Confidence)
	g.said.add(role.held, answers, truth(right))
	if best.Confidence >= sure {
		g.said.add(role.wrong, answers, truth(!right))
	}
	return nil
}

// best returns the study's pick for somebody. Of a shared study it is everybody's.
func (g *game) best(ctx context.Context, who *person) (prefer.Best, error) {
	if g.team != nil {
		return *g.team, nil
	}
	best, err := g.Best(ctx, prefer.Look{Rater: who.name})
	if err == nil && g.Config().People == prefer.Shared {
		g.team = &best
	}
	return best, err
}

// join has the newcomer come. She is shown a pick before her first answer, after two, and at the marks.
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
		best, err := g.best(ctx, g.people[0])
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
	place := map[string]int{} // in the group's lists
	for i, name := range all.Raters {
		place[name] = i
	}
	for r, who := range g.people {
		i, told := place[who.name]
		if !told {
			continue
		}
		if called := truth(slices.Contains(all.Careless, who.name)); who.careless > 0 {
			g.said.add(carelessFound, answers, called)
			continue
		} else {
			g.said.add(carelessWrong, answers, called)
		}
		others, n := 0.0, 0.0
		for q, other := range g.people {
			j, told := place[other.name]
			if !told || other.careless > 0 || q == r {
				continue
			}
			others += g.alike[r][q]
			n++
			if q > r {
				err := all.Agreement[i][j] - g.alike[r][q]
				g.said.add(agreementError, answers, math.Abs(err))
				g.said.add(agreementBias, answers, err)
				g.said.add(agreementHeld, answers, truth(all.Low[i][j] <= g.alike[r][q] && g.alike[r][q] <= all.High[i][j]))
				g.said.add(agreementWide, answers, all.High[i][j]-all.Low[i][j])
			}
		}
		named := slices.Contains(all.Disagrees, who.name)
		if others < 0 {
			g.said.add(differFound, answers, truth(named))
		} else if n > 0 {
			g.said.add(differWrong, answers, truth(named))
		}
	}
	g.camps(all, answers)
	return nil
}

// camps notes whether two camps are said to be there, and how many of the honest are in their own: as the camps are told, or
// the other way round.
func (g *game) camps(all prefer.Group, answers int) {
	said, sizes := len(all.Camps) == 2, [2]int{}
	own, n := 0, 0
	for _, who := range g.people {
		if sizes[who.camp]++; said && who.careless == 0 {
			if slices.Contains(all.Camps[who.camp].Raters, who.name) {
				own++
			}
			n++
		}
	}
	switch {
	case sizes[1] == 0:
		g.said.add(campsWrong, answers, truth(said))
	default:
		g.said.add(campsFound, answers, truth(said))
		if said {
			g.said.add(campsPlaced, answers, float64(max(own, n-own))/float64(n))
		}
	}
}

// missed returns the share of the possible improvement that is missed, 0 where all options are alike.
func missed(t *problem.Taste, gap float64) float64 {
	if t.Max == t.Mean {
		return 0
	}
	return gap / (t.Max - t.Mean)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
