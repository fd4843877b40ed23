package prefer

import (
	"context"
	"errors"
	"fmt"
	"maps"
)

// methodDesign marks the quasi-random pairs a study begins with.
const methodDesign = "design"

// Distances in the unit cube, in the parameter that differs most, below which two options or pairs are
// the same to a person.
const (
	sameOption   = 1e-9 // rounding, on the way to user units and back
	sameQuestion = 1e-3 // a repetition
	sameSkipped  = 0.1  // too close to a pair that was skipped lately
	samePending  = 0.05 // too close to what another rater is looking at
	skipMemory   = 20   // questions for which a skip is remembered
)

// Ask returns the question that rater should answer next. While one is open for that rater it returns
// the same one again.
func (s *Study) Ask(ctx context.Context, rater string) (Question, error) {
	return s.AskFor(ctx, Request{Rater: rater})
}

// AskFor is Ask under conditions.
func (s *Study) AskFor(ctx context.Context, r Request) (Question, error) {
	if r.Within < 0 {
		return Question{}, fmt.Errorf("prefer: Request.Within = %v, want a positive duration, or 0 for no limit", r.Within)
	}
	if q, ok, err := s.openQuestion(ctx, r); ok || err != nil {
		return q, err
	}
	search, cancel := r.search(ctx)
	defer cancel()
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	default:
		select {
		case s.asking <- struct{}{}:
			defer func() { <-s.asking }()
		case <-search.Done(): // somebody else is still choosing; out of turn, for the search will be short
		}
	}
	for {
		if q, ok, err := s.openQuestion(ctx, r); ok || err != nil {
			return q, err
		}
		v, q, hold, err := s.next(search, r)
		if err != nil {
			return Question{}, err
		}
		kept, ok, err := s.keepQuestion(ctx, v, q, r.Another)
		if errors.Is(err, ErrConflict) && q.RepeatOf == "" && !q.Catch {
			s.mu.Lock()
			s.late[r.Rater] = late{v.asked, hold, q}
			s.mu.Unlock()
		}
		if ok || err != nil {
			return kept, err
		}
	}
}

// next returns the question for a request, the view it was chosen from and the option it holds: a given one,
// one about an option in the queue, one that came too late for the log, one chosen ahead of time, or a new one.
func (s *Study) next(ctx context.Context, r Request) (view, Question, Option, error) {
	s.mu.Lock()
	v := s.state.view(r.Rater)
	q, given, err := r.given(s.state)
	if i := s.state.queued(r.Rater); i >= 0 && r.Hold == nil && len(r.Fixed) == 0 {
		r.Hold, q.Enqueued = s.state.queue[i].Option, true
	}
	ahead, ready := s.ahead[r.Rater]
	late, again := s.late[r.Rater]
	delete(s.late, r.Rater)
	s.mu.Unlock()
	switch {
	case given || err != nil:
		return v, q, r.Hold, err
	case again && late.asked == v.asked && maps.Equal(late.hold, r.Hold) && maps.Equal(late.question.Fixed, r.Fixed) && late.question.Enqueued == q.Enqueued:
		return v, late.question, r.Hold, nil // answers since do not make a question void, here or in keepQuestion
	case ready && r.Hold == nil && len(r.Fixed) == 0:
		if q, ok := ahead.after(v.seq, s.lastAnswer()); ok {
			return v, q, nil, nil
		}
	}
	enqueued := q.Enqueued
	q, _, err = s.choose(ctx, v, r)
	q.Enqueued = enqueued
	return v, q, r.Hold, err
}

// keepQuestion appends a question chosen from v, unless others were asked since: then it was chosen in
// ignorance of what is pending, and kept is false.
func (s *Study) keepQuestion(ctx context.Context, v view, q Question, another bool) (_ Question, kept bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if open := s.state.open[q.Rater]; len(open) > 0 && !another { // an undo meanwhile brought one back
		return open[0].Question.clone(), true, nil
	}
	if len(s.state.order) != v.asked {
		return Question{}, false, nil
	}
	q.ID = s.state.nextQuestion()
	if err := s.append(ctx, Event{Kind: kindAsked, Asked: &q}); err != nil {
		return Question{}, false, err
	}
	return q.clone(), true, nil
}

// openQuestion returns the rater's oldest open question that goes with the request, if there is one; an error if
// all were asked under other conditions, or ctx is over.
func (s *Study) openQuestion(ctx context.Context, r Request) (Question, bool, error) {
	if err := ended(ctx); err != nil {
		return Question{}, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.state.open[r.Rater]
	if r.Another || len(open) == 0 {
		return Question{}, false, nil
	}
	for _, q := range open {
		if maps.Equal(q.Fixed, r.Fixed) {
			return q.Question.clone(), true, nil
		}
	}
	q := open[0]
	return Question{}, false, fmt.Errorf("prefer: rater %q has question %q open with fixed {%v}, not {%v}: answer it, or skip it: %w", r.Rater, q.ID, q.Fixed, r.Fixed, ErrOpen)
}
