package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/sentence"
)

// suspect returns the terms of the odds that a rater is careless.
func (s *Study) suspect(ctx context.Context, y *tally, usual time.Duration) (p crowd.Suspicion, err error) {
	r := crowd.Conduct{Choices: y.sided, Right: y.caught.Count, Caught: y.caught.Of, Left: y.Left.Count, Sided: y.Left.Of, Response: y.MedianResponse, Usual: usual}
	if !r.Enough() {
		return p, nil
	}
	var model float64
	switch {
	case len(y.sided) == 0: // all were catch questions
	case s.people() == PerRater:
		model, err = s.perRaterOdds(ctx, y)
	default:
		model, err = s.sharedOdds(ctx, y)
	}
	return crowd.Suspect(r, model), err
}

// perRaterOdds returns the log of how much likelier a rater's choices are of a coin than by their own answers and the model; 0 where that
// cannot be computed.
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

// judge fills in what a suspicion comes to.
func (r *Rater) judge(p crowd.Suspicion, caught Share, usual time.Duration) {
	r.Odds, r.Careless = p.Odds(), p.Careless()
	if r.Careless {
		r.Why = suspicionWords(p, *r, caught, usual)
	}
}

// suspicionWords says what speaks most for a rater's being careless.
func suspicionWords(p crowd.Suspicion, r Rater, caught Share, usual time.Duration) string {
	wrong := fmt.Sprintf("answered %d of %s wrong", caught.Of-caught.Count, sentence.Count(caught.Of, "catch question"))
	if p.Catch > 0 && p.Catch >= math.Max(math.Max(p.Choices, p.Sides), p.Quick) {
		return wrong
	}
	if p.Catch > 0 {
		p.Catch = 0
		return suspicionWords(p, r, Share{}, usual) + ", and " + wrong
	}
	side, of := "left", r.Left.Count
	if 2*of < r.Left.Of {
		side, of = "right", r.Left.Of-of
	}
	switch most := math.Max(math.Max(p.Choices, p.Sides), p.Quick); {
	case most == p.Sides:
		return fmt.Sprintf("took what was on the %s %d times out of %d", side, of, r.Left.Of)
	case most == p.Choices && r.Agreed.Of > 2 && 4*r.Agreed.Count < 3*r.Agreed.Of:
		return fmt.Sprintf("said the same again %d times out of %d", r.Agreed.Count, r.Agreed.Of)
	case most == p.Quick:
		return fmt.Sprintf("took %.1f s, where others take %.1f, and answered as if by chance", r.MedianResponse.Seconds(), usual.Seconds())
	}
	return "answered as if by chance"
}

// A rater follows the order if the side on which an option is shown explains their choices: of at least orderAnswers preferences k of n are for
// what was shown first, and the 99 % interval of Wilson for the share behind them does not contain one half. The interval is the score test solved for the
// share, so this is
//
//	|2k − n| > z √n,   Φ(z) = 0.995.
//
// Ties, both bad and skips take no side. Only sides drawn at random count: a coin of the study's seed decides which option of a question is
// its First. Observed duels have none, since an import puts the winner first; those of a catch question are its author's.
const (
	orderAnswers = 10
	orderZ       = 2.5758293035489004
)

// sideCount counts a rater's preferences by what was shown.
type sideCount struct{ first, of int }

// add counts an answer, if it takes a side that was drawn.
func (c *sideCount) add(t *told) {
	k, _ := t.answer.Choice.info()
	if k.Side == 0 || t.question == nil || t.question.Catch {
		return
	}
	c.of++
	if (k.Side > 0) != t.answer.Swapped {
		c.first++
	}
}

// follows reports whether these are the answers of somebody who follows the order.
func (c sideCount) follows() bool {
	if c.of < orderAnswers {
		return false
	}
	off, n := float64(2*c.first-c.of), float64(c.of)
	return off*off > orderZ*orderZ*n
}

// followers returns those who follow the order, by name: "ann#2" of old logs is ann with a second question.
func (st *state) followers() map[string]bool {
	counts := map[string]*sideCount{}
	for _, t := range st.answers {
		if t.undone || t.question.isBlind() || t.question.isPractice() {
			continue
		}
		name, _, _ := strings.Cut(t.rater, "#")
		if counts[name] == nil {
			counts[name] = &sideCount{}
		}
		counts[name].add(t)
	}
	out := map[string]bool{}
	for name, c := range counts {
		out[name] = c.follows()
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
