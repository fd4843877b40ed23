package statements

import (
	"context"
	"math"
	"slices"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/problem"
)

const intervalShare = 0.95 // chance with which a true value is in an interval that is said

// judgeGroup judges what a study says about several people after so many questions of each: about every one of them, and, where tastes are their own, about
// all together.
func (g *game) judgeGroup(ctx context.Context, mark int) (out []Statement, err error) {
	raters, err := g.Study.Raters(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range g.asked {
		i := slices.IndexFunc(raters, func(r prefer.Rater) bool { return r.Name == a.of.Name })
		out = append(out, a.judgeRater(raters[i])...)
	}
	if g.config.People == prefer.PerRater {
		all, err := g.Group(ctx, prefer.Look{})
		if err != nil {
			return nil, err
		}
		out = append(out, g.judgeTogether(all)...)
	}
	for i := range out {
		out[i].Answers, out[i].Mark = mark, mark
	}
	return out, nil
}

// judgeRater: "this rater answers carelessly" and that they do not, with the probability that the odds stand for if a quarter of all raters do; and how often
// they say the same again.
func (a *asked) judgeRater(r prefer.Rater) (out []Statement) {
	if r.Odds != 0 { // else too little is known
		careless := 1 / (1 + 3*math.Exp(-r.Odds))
		if r.Careless {
			out = append(out, Statement{Kind: "answers carelessly", Said: careless, Held: trial.Share(a.of.Careless > 0)})
		} else {
			out = append(out, Statement{Kind: "does not answer carelessly", Said: 1 - careless, Held: trial.Share(a.of.Careless == 0)})
		}
	}
	if r.Agreed.Of == 0 {
		return out
	}
	same := a.saysTheSame()
	return append(out, Statement{Kind: "says the same again", Said: intervalShare, Held: trial.Share(r.Agreed.Low <= same && same <= r.Agreed.High)})
}

const repeatDraws = 500 // of two answers to each pair that was asked again

// saysTheSame returns how often the person gives the same answer twice to the pairs that were asked again. A preference and a tie are no such answers.
func (a *asked) saysTheSame() float64 {
	same, of := 0.0, 0.0
	sided := func(r problem.Reply) bool { return r == problem.First || r == problem.Second }
	for k, f := range a.again {
		for i := range uint64(repeatDraws) {
			one, two := a.of.Rater.Answer(f[0], f[1], a.of.Mood+uint64(k)+2, 2*i), a.of.Rater.Answer(f[0], f[1], a.of.Mood+uint64(k)+2, 2*i+1)
			if sided(one) == sided(two) {
				of++
				same += trial.Share(one == two)
			}
		}
	}
	return same / of
}

// judgeTogether judges what is said about all. The tastes of two people agree by the correlation of their utilities over the space, 0 of a person who has
// none to show; utilities are compared less their mean and divided by their spread.
func (g *game) judgeTogether(all prefer.Group) (out []Statement) {
	add := func(kind string, said, held float64) {
		out = append(out, Statement{Kind: kind, Said: said, Held: held})
	}
	within := func(low, high, v float64) float64 { return trial.Share(low <= v && v <= high) }
	at := xslices.Map(all.Raters, func(name string) int { // among those asked
		return slices.IndexFunc(g.asked, func(a *asked) bool { return a.of.Name == name })
	})
	alike := func(i, k int) float64 {
		if g.asked[at[i]].of.Careless+g.asked[at[k]].of.Careless > 0 {
			return 0
		}
		return g.alike[at[i]][at[k]]
	}
	score, tasteful, mean, pairs := 0.0, 0.0, 0.0, 0.0
	for i, name := range all.Raters {
		who, others := g.asked[at[i]].of, 0.0
		if who.Careless == 0 {
			score += (who.Worth(all.Best) - who.Mean) / who.Spread
			tasteful++
			add("gives up for the group", all.Loss[i], (who.Worth(all.Favourites[i])-who.Worth(all.Best))/who.Spread)
		}
		if slices.Contains(all.Careless, name) {
			continue
		}
		for k, other := range all.Raters {
			if k == i || slices.Contains(all.Careless, other) {
				continue
			}
			if others += alike(i, k); k > i {
				mean, pairs = mean+alike(i, k), pairs+1
				add("agreement of two", intervalShare, within(all.Low[i][k], all.High[i][k], alike(i, k)))
			}
		}
		if slices.Contains(all.Disagrees, name) {
			add("wants the contrary", intervalShare, trial.Share(others < 0))
		}
	}
	if tasteful > 0 {
		add("suits the group", all.Score, score/tasteful)
	}
	if pairs > 0 {
		add("agreement of all", intervalShare, within(all.Together.Low, all.Together.High, mean/pairs))
	}
	if len(all.Camps) > 0 {
		add("two camps", 1/(1+math.Exp(-all.CampOdds)), trial.Share(slices.ContainsFunc(g.asked, func(a *asked) bool { return a.of.Camp > 0 })))
	}
	return out
}
