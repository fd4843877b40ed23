package prefer

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
)

// suspect fills in how probably a rater is careless, and why.
func (s *Study) suspect(ctx context.Context, y *tally, usual time.Duration) (err error) {
	r := crowd.RaterRecord{Choices: y.sided, Right: y.caught.Count, Caught: y.caught.Of, Left: y.Left.Count, Sided: y.Left.Of, Response: y.MedianResponse, Usual: usual}
	if !r.Enough() {
		return nil
	}
	var model float64
	switch {
	case len(y.sided) == 0: // all were catch questions
	case s.people() == PerRater:
		model, err = s.perRaterOdds(ctx, y)
	default:
		model, err = s.sharedOdds(ctx, y)
	}
	p := crowd.Suspect(r, model)
	if y.Odds, y.Careless = p.Odds(), p.Careless(); y.Careless {
		y.Why = p.Why(r, y.Agreed.Count, y.Agreed.Of)
	}
	return err
}

// perRaterOdds returns the log of how much likelier a rater's choices are of a coin than by their own answers and the model; 0 where that cannot be computed.
// It also fills in the position bias by these answers.
func (s *Study) perRaterOdds(ctx context.Context, y *tally) (odds float64, err error) {
	s.mu.Lock()
	ev, code := s.state.singleEvidence(&y.Name), s.state.code
	s.mu.Unlock()
	if s.cfg.Belief != beliefAveraged || undecided(ev.Duels) {
		return 0, nil
	}
	fit, err := s.beliefFits.Get(ctx, ev, code.Scales)
	if err != nil {
		return 0, err
	}
	y.Position = clearBias(fit, y.Name)
	return crowd.CheckOdds(fit.Surprise(s.cfg.BeliefModels), y.sided, func(a, b []float64, o gp.Outcome) float64 {
		return fit.Belief.Probability(a, b, o, -1, true)
	}), nil
}

// sharedOdds is perRaterOdds in a shared study, given the answers of the others.
func (s *Study) sharedOdds(ctx context.Context, y *tally) (odds float64, err error) {
	v := s.view("")
	s.mu.Lock()
	v.Evidence = s.state.singleEvidence(nil)
	s.mu.Unlock()
	if v.Duels.Len() > learn.DenseLimit || undecided(v.Duels) {
		return 0, nil
	}
	fit, err := s.questionFits.Get(ctx, v.Evidence, v.code.Scales)
	if err != nil {
		return 0, err
	}
	post := fit.Post
	if r := slices.Index(fit.Raters, y.Name); r >= 0 {
		others := fit.Without(r)
		if undecided(others.Duels) {
			return s.perRaterOdds(ctx, y)
		}
		m := s.questionFits.Model
		m.Scales = fit.Scales
		if post, err = crowd.LearnWithout(m, post, fit.Duels, others.Duels, r); err != nil {
			return 0, err
		}
	}
	return crowd.SharedOdds(y.sided, post), nil
}

// followers returns those who follow the order, by name: "ann#2" of old logs is ann with a second question. Only sides drawn at random count: a coin of the
// study's seed decides which option of a question is its First. Observed duels have none, since an import puts the winner first; those of a catch question
// are its author's.
func (st *state) followers() map[string]bool {
	counts := map[string]crowd.Sides{}
	for _, t := range st.answers {
		k, _ := t.answer.Choice.info()
		if k.Side == 0 || t.undone || t.question == nil || t.question.Catch || t.question.isBlind() || t.question.isPractice() {
			continue
		}
		name, _, _ := strings.Cut(t.rater, "#")
		counts[name] = counts[name].Add((k.Side > 0) != t.answer.Swapped)
	}
	out := map[string]bool{}
	for name, c := range counts {
		out[name] = c.Follow()
	}
	return out
}

// mistrust keeps a verdict from being an ending where most of the answers behind it are of raters who follow the order, and says so. What remains an ending
// is that the answers look like chance, which claims nothing about the options; Verdict.For adds that of a budget.
func (cfg *Config) mistrust(out *Verdict, v view) {
	out.FollowsOrder = 2*v.ordered > v.answers
	if out.FollowsOrder && out.Kind.Done() && out.Kind != Chance {
		out.Kind = KeepGoing
		out.Left, out.Late = cfg.left(v.code, v.answers)
	}
}
