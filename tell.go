package prefer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// Tell answers an open question. Telling the same again under its key returns the first answer's id and changes nothing; a
// key that stands for another answer of the rater is refused ("key").
func (s *Study) Tell(ctx context.Context, id QuestionID, a Answer) (AnswerID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rater := a.Rater
	a.Meta = maps.Clone(a.Meta)
	if q := s.state.questions[id]; q != nil {
		rater = cmp.Or(rater, q.Rater)
		a.Check = a.Check || !q.teaches() // a reader of the log that does not know these learns nothing either
	}
	return s.keep(ctx, rater, answerRecord{answer: a}, id, func(aid AnswerID) Event {
		return Event{Kind: kindAnswered, Answered: &answeredEvent{ID: aid, Question: id, Answer: a}}
	})
}

// Observe records a duel nobody asked for: an answer from elsewhere. Its key works as Tell's does.
func (s *Study) Observe(ctx context.Context, d Duel) (AnswerID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.First, d.Second, d.Answer.Meta = maps.Clone(d.First), maps.Clone(d.Second), maps.Clone(d.Answer.Meta)
	if s.state.code.Costly != nil {
		return "", s.state.code.Costly
	}
	return s.keep(ctx, d.Rater, answerRecord{answer: d.Answer, duel: d}, "", func(aid AnswerID) Event {
		return Event{Kind: kindObserved, Observed: &observedEvent{ID: aid, Duel: d}}
	})
}

// keep appends an answer to a question, or to none, unless the rater has one with its key: that must say the same. The caller holds mu.
func (s *Study) keep(ctx context.Context, rater string, t answerRecord, question QuestionID, event func(AnswerID) Event) (AnswerID, error) {
	if was := s.state.byKey[keyed{rater, t.answer.Key}]; was != nil {
		if what := was.differs(t, question); what != "" {
			return "", coding.RefuseField("key", "key", t.answer.Key, "key %q stands for answer %q, which has another %s; a new answer takes a new key", t.answer.Key, was.id, what)
		}
		return was.id, nil
	}
	aid := s.state.nextAnswer()
	if err := s.append(ctx, event(aid)); err != nil {
		return "", err
	}
	return aid, nil
}

// Undo takes an answer back, at any depth. Its question is open again for its rater; questions they were asked since
// are withdrawn, while those that were open beside it stay.
func (s *Study) Undo(ctx context.Context, id AnswerID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.append(ctx, Event{Kind: kindUndone, Undone: &undoneEvent{Answer: id}})
}

// Accept records whether a rater would take an option, by default (nil) the study's pick: the one answer about an option by
// itself, and the only one that says of something that it is good enough. Duels say what is better, never what will do.
// The latest word about an option counts; saying the same again changes nothing.
func (s *Study) Accept(ctx context.Context, rater string, o space.Option, take bool) (Taken, error) {
	if o == nil {
		_, best, _, _, err := s.preferred(ctx, Look{Rater: rater})
		if err != nil {
			return Taken{}, err
		}
		o = best.Option
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.state.code.Unit(o)
	if err != nil {
		return Taken{}, err
	}
	if i := s.state.word(rater, x); i >= 0 && s.state.takes[i].take == take {
		t := s.state.takes[i]
		return Taken{ID: t.id, Option: maps.Clone(t.option), Rater: rater, Take: take}, ended(ctx)
	}
	t := Taken{ID: fmt.Sprint("t", s.state.seq+1), Option: maps.Clone(o), Rater: rater, Take: take}
	if err := s.append(ctx, Event{Kind: kindTaken, Taken: &t}); err != nil {
		return Taken{}, err
	}
	t.Option = maps.Clone(o)
	return t, nil
}

// Change changes a running study: all of it or, after an error, nothing. Changing a thing to what it is changes nothing.
func (s *Study) Change(ctx context.Context, c Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, err := c.events(s.state)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return ended(ctx)
	}
	return s.append(ctx, events...)
}

// events returns what a change adds to the log, nothing where all is so already.
func (c Change) events(st *state) (out []Event, err error) {
	lists := c.Join != nil || c.Leave != nil || c.Exclude != nil || c.Include != nil || c.Enqueue != nil
	now, next := st.cfg, c.of(st.cfg)
	if changed := c.Settings != nil || next.People != now.People || next.Budget != now.Budget || next.Shortlist != now.Shortlist || next.Prompt != now.Prompt; changed || c.empty() && !lists {
		clone := Change{People: copied(c.People), Budget: copied(c.Budget), Shortlist: copied(c.Shortlist), Prompt: copied(c.Prompt), Settings: slices.Clone(c.Settings)}
		out = append(out, Event{Kind: kindChanged, Changed: &clone})
	}
	if c.Join != nil {
		out = append(out, Event{Kind: kindJoined, Joined: &joinedEvent{Items: slices.Clone(c.Join)}})
	}
	if c.Leave != nil {
		out = append(out, Event{Kind: kindLeft, Left: &leftEvent{Items: slices.Clone(c.Leave)}})
	}
	for _, e := range c.exclusions() {
		if !st.knows(e.Rater) {
			return nil, notFound("no_rater", "rater %q was never asked and has not answered", e.Rater)
		}
		if _, is := st.out[e.Rater]; is != e.Out {
			out = append(out, Event{Kind: kindExcluded, Excluded: &e})
		}
	}
	for _, e := range c.Enqueue {
		if st.code.Costly != nil {
			return nil, st.code.Costly
		}
		for _, name := range e.Except {
			if err := checkRater(name); err != nil {
				return nil, err
			}
		}
		e.Option, e.Against, e.Except = maps.Clone(e.Option), maps.Clone(e.Against), slices.Clone(e.Except)
		out = append(out, Event{Kind: kindEnqueued, Enqueued: &e})
	}
	return out, nil
}

// exclusions returns the raters who are excluded and included.
func (c Change) exclusions() (out []excludedEvent) {
	out = xslices.Map(c.Exclude, func(rater string) excludedEvent { return excludedEvent{Rater: rater, Out: true, Why: c.Why} })
	out = append(out, xslices.Map(c.Include, func(rater string) excludedEvent { return excludedEvent{Rater: rater} })...)
	return out
}
