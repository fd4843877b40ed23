package prefer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/crowd"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/xslices"
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
	ev := s.state.singleEvidence(&y.Name)
	s.mu.Unlock()
	if s.cfg.Belief != beliefAveraged || ev.Undecided() {
		return 0, nil
	}
	fit, err := s.beliefFits.Get(ctx, ev)
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
	if v.Duels.Len() > learn.PlainLimit || v.Undecided() {
		return 0, nil
	}
	fit, err := s.questionFits.Get(ctx, v.Evidence)
	if err != nil {
		return 0, err
	}
	post := fit.Post
	if r := slices.Index(fit.Raters, y.Name); r >= 0 {
		others := fit.Without(r)
		if others.Undecided() {
			return s.perRaterOdds(ctx, y)
		}
		if post, err = crowd.LearnWithout(others.Sized(s.questionFits.Model), post, fit.Duels, others.Duels, r); err != nil {
			return 0, err
		}
	}
	return crowd.SharedOdds(y.sided, post), nil
}

// Raters returns everybody who was asked or answered, by name.
func (s *Study) Raters(ctx context.Context) ([]Rater, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	var noise map[string]float64 // relative to the study's, where it can be told
	var shared *learn.Fit
	if s.people() != PerRater {
		v := s.view("")
		fit, err := s.questionFits.ForRater(ctx, v.Evidence, v.rater)
		if err != nil {
			return nil, err
		}
		if shared = fit; len(fit.Raters) > 1 {
			noise = fit.Noises()
		}
	}
	byName := s.tallies(noise)
	medians := map[string]time.Duration{}
	for name, y := range byName {
		medians[name] = y.MedianResponse
	}
	usual, all := crowd.UsualResponses(medians), slices.Sorted(maps.Keys(byName))
	if err := cooperate.Each(ctx, len(all), s.cfg.Search.Workers, func(i int) error {
		y := byName[all[i]]
		if shared != nil {
			y.Position = clearBias(shared, y.Name)
		}
		return s.suspect(ctx, y, usual[y.Name])
	}); err != nil {
		return nil, cmp.Or(ended(ctx), err)
	}
	return xslices.Map(all, func(name string) Rater { return byName[name].Rater }), nil
}

// tallies counts everybody's answers.
func (s *Study) tallies(noise map[string]float64) map[string]*tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	byName := map[string]*tally{}
	of := func(name string) *tally {
		if byName[name] == nil {
			why, out := s.state.out[name]
			byName[name] = &tally{Rater: Rater{Name: name, Noise: noise[name], Out: out, OutWhy: why}}
		}
		return byName[name]
	}
	for _, q := range s.state.order {
		of(q.Rater)
	}
	for _, t := range s.state.answers {
		if !t.undone && t.question.teaches() {
			of(t.rater).add(t, s.state.questions)
		}
	}
	followers := s.state.followers()
	for name, y := range byName {
		person, _, _ := strings.Cut(name, "#")
		y.FollowsOrder = followers[person]
		y.done()
	}
	return byName
}

// tally counts a rater's answers.
type tally struct {
	Rater
	times    []time.Duration
	sided    []crowd.Preference // but those to catch questions
	caught   Share              // catch questions that were answered right
	observed Share              // as Left, of observed duels
	placed   bool               // some of these are Swapped, so that they have sides
}

func (y *tally) add(t *answerRecord, questions map[QuestionID]*asked) {
	y.Answers++
	if t.counts() {
		y.Counted++
	}
	y.count(t.answer.Choice)
	if k, _ := t.answer.Choice.info(); k.Side != 0 {
		if t.answer.Strength > 0 {
			y.Clear++
		}
		if t.question != nil && t.question.Known != "" {
			y.caught.Of++
			if t.answer.Choice == t.question.Known {
				y.caught.Count++
			}
		} else {
			y.sided = append(y.sided, crowd.Preference{A: t.a, B: t.b, First: k.Side > 0, Check: t.answer.Check})
		}
		left := &y.Left
		if t.question == nil {
			left = &y.observed
			y.placed = y.placed || t.answer.Swapped
		}
		left.Of++
		if (k.Side > 0) != t.answer.Swapped {
			left.Count++
		}
	}
	if t.answer.ResponseTime > 0 {
		y.times = append(y.times, t.answer.ResponseTime)
	}
	if t.question == nil || t.question.RepeatOf == "" {
		return
	}
	if before := questions[t.question.RepeatOf]; before != nil && before.answer != nil {
		was, same := before.answer.winner(), t.winner()
		if was != nil && same != nil || before.answer.answer.Choice == t.answer.Choice {
			y.Agreed.Of++
			if was == nil || coding.Gap(was, same) <= coding.SameOption {
				y.Agreed.Count++
			}
		}
	}
}

// winner returns the option that was preferred, or nil.
func (t *answerRecord) winner() []float64 {
	switch k, _ := t.answer.Choice.info(); {
	case k.Side > 0:
		return t.a
	case k.Side < 0:
		return t.b
	}
	return nil
}

func (y *tally) done() {
	if y.placed {
		y.Left.Count, y.Left.Of = y.Left.Count+y.observed.Count, y.Left.Of+y.observed.Of
	}
	y.Left, y.Agreed = newShare(y.Left.Count, y.Left.Of), newShare(y.Agreed.Count, y.Agreed.Of)
	if len(y.times) > 0 {
		y.MedianResponse = crowd.Median(y.times)
	}
}
