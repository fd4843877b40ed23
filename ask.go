package prefer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/learn"
	"github.com/prefer-bo/prefer/internal/splitmix"
	"github.com/prefer-bo/prefer/space"
)

// Ask returns the question that a rater should answer next, under the conditions of the request. While one is open for that rater it
// returns the same one again. A study with contexts needs their values in Request.Fixed.
func (s *Study) Ask(ctx context.Context, r Request) (Question, error) {
	if r.Within < 0 {
		return Question{}, fmt.Errorf("prefer: Request.Within = %v, want a positive duration, or 0 for no limit", r.Within)
	}
	r, err := r.conditions(s.cfg.Space)
	if err != nil {
		return Question{}, err
	}
	if !r.Blind {
		return s.askToLearn(ctx, r)
	}
	return s.askBlind(ctx, r)
}

// askToLearn asks a question whose answer teaches the study something, or returns the one that is open.
func (s *Study) askToLearn(ctx context.Context, r Request) (Question, error) {
	search := ctx
	if r.Within > 0 {
		var cancel context.CancelFunc
		search, cancel = context.WithTimeoutCause(ctx, r.Within, errHurry)
		defer cancel()
	}
	var release func()
	for {
		if q, ok, err := s.openQuestion(ctx, r); ok || err != nil {
			return q, err
		}
		if release == nil {
			release = s.waitToChoose(search)
			defer release()
			continue // the ask it waited for may have been the rater's own
		}
		c, err := s.next(search, r)
		if err != nil {
			return Question{}, err
		}
		c.Forecast = s.forecast(search, c)
		kept, ok, err := s.keepQuestion(ctx, c, r.Another)
		if errors.Is(err, ErrConflict) && c.RepeatOf == "" && !c.Catch && !r.Practice {
			s.mu.Lock()
			s.late[r.Rater] = chosenQuestion{c.Question, view{asked: c.view.asked}, c.hold}
			s.mu.Unlock()
		}
		if ok || err != nil {
			return kept, err
		}
	}
}

// waitToChoose waits until no other ask is choosing a question. Once ctx is over it waits no longer, for the search will be short.
func (s *Study) waitToChoose(ctx context.Context) (release func()) {
	select {
	case s.asking <- struct{}{}:
		return func() { <-s.asking }
	default:
	}
	select {
	case s.asking <- struct{}{}:
		return func() { <-s.asking }
	case <-ctx.Done():
		return func() {}
	}
}

// conditions returns the request with the contexts that its options tell, and reports one that nothing tells. A repeat has those of the question it repeats.
func (r Request) conditions(s space.Space) (Request, error) {
	if r.Repeat != "" {
		r.contexts = s.Context(r.Fixed)
		return r, nil
	}
	fixed := space.Option{}
	if r.Catch != nil {
		maps.Copy(fixed, s.Context(r.Catch.First))
	}
	maps.Copy(fixed, r.Fixed)
	r.contexts = s.Context(fixed)
	maps.Copy(fixed, r.contexts) // the end of a circle is its beginning
	if r.Fixed = fixed; len(fixed) == 0 {
		r.Fixed = nil
	}
	return r, coding.Given(s, r.Fixed)
}

// next returns the question for a request: one that is at hand, or a new one.
func (s *Study) next(ctx context.Context, r Request) (chosenQuestion, error) {
	s.mu.Lock()
	c, ok, err := s.atHand(r)
	s.mu.Unlock()
	if ok || err != nil {
		return c, err
	}
	if s.cfg.Belief == beliefAveraged && c.view.Duels != nil && s.cfg.Search.Workers != 1 {
		go func() { _, _ = s.beliefFits.Get(ctx, c.view.Evidence) }() // for the forecast, which then waits for it and has its error
	}
	r.Hold = c.hold
	q, _, err := s.choose(ctx, c.view, r)
	q.Enqueued = c.Enqueued
	c.Question = q
	return c, err
}

// atHand returns a question that takes no search, if ok: a given one, one that came too late for the log, or one chosen ahead of time. Otherwise c says what
// to choose from, and holds the option that is next in the queue. The caller holds mu.
func (s *Study) atHand(r Request) (c chosenQuestion, ok bool, err error) {
	c = chosenQuestion{view: s.state.view(r.Rater), hold: r.Hold}
	plain := r.Hold == nil && len(r.Fixed) == len(r.contexts) && !r.Practice
	var against space.Option // the other side, of a pair that was enqueued
	if i := s.state.queued(r.Rater, r.contexts); i >= 0 && plain {
		c.hold, c.Enqueued, plain = s.state.queue[i].Option, true, false
		against = s.state.queue[i].Against
	}
	if err := s.state.present(r.Hold); err != nil {
		return c, true, fmt.Errorf("prefer: hold: %w", err)
	}
	late := s.late[r.Rater]
	delete(s.late, r.Rater)
	if q, given, err := r.given(s.state); given || err != nil {
		c.Question = q
		return c, true, err
	}
	if against != nil {
		c.Question = Question{Rater: r.Rater, First: maps.Clone(c.hold), Second: maps.Clone(against), Method: methodEnqueued, Fixed: maps.Clone(r.Fixed), Enqueued: true}
		if splitmix.Coin(s.cfg.Seed^sideCoin, uint64(c.view.count)) {
			c.First, c.Second = c.Second, c.First
		}
		return c, true, nil
	}
	if !r.Practice && late.fits(c, r) && s.state.present(late.First, late.Second) == nil {
		c.Question = late.Question
		return c, true, nil
	}
	if plain {
		if q, ok := s.ahead[r.Rater].after(c.view.seq, s.events[len(s.events)-1].Answered); ok && maps.Equal(q.Fixed, r.Fixed) {
			c.Question = q
			return c, true, nil
		}
	}
	return c, false, nil
}

// fits reports whether a question that came too late is what would be chosen for a request now, as c says. Answers since
// do not make it void, here or in keepQuestion.
func (l chosenQuestion) fits(c chosenQuestion, r Request) bool {
	return l.First != nil && l.view.asked == c.view.asked && l.Enqueued == c.Enqueued &&
		maps.Equal(l.hold, c.hold) && maps.Equal(l.Fixed, r.Fixed)
}

// errHurry is why a search ends that was given little time.
var errHurry = errors.New("the time for the search is up")

// forecast works out what a question's rater will say. It is all 0 if time is up, or if there is no averaged belief.
func (s *Study) forecast(ctx context.Context, c chosenQuestion) (f [3]float64) {
	v := c.view
	if s.cfg.Belief != beliefAveraged || v.Duels == nil || ctx.Err() != nil {
		return f
	}
	fit, err := s.beliefFits.ForRater(ctx, v.Evidence, v.rater)
	a, b, invalid := v.code.Pair(c.First, c.Second)
	if err != nil || invalid != nil {
		return f
	}
	r := slices.Index(fit.Raters, c.Rater)
	for _, o := range fit.Belief.Parts[0].Answers().Outcomes() {
		f[1-learn.Side(o)] += fit.Belief.Probability(a, b, o, r, false)
	}
	return f
}
