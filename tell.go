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
	if known, err := s.state.sameKey(rater, answerRecord{answer: a}, id); known != "" || err != nil {
		return known, err
	}
	aid := s.state.nextAnswer()
	if err := s.append(ctx, Event{Kind: kindAnswered, Answered: &answeredEvent{ID: aid, Question: id, Answer: a}}); err != nil {
		return "", err
	}
	return aid, nil
}

// Observe records duels nobody asked for, answers from elsewhere: all of them or, after an error, none. Their keys work as Tell's do.
func (s *Study) Observe(ctx context.Context, duels ...Duel) (ids []AnswerID, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.code.Costly != nil {
		return nil, s.state.code.Costly
	}
	on := s.state
	if len(duels) > 1 { // what comes later is checked against what comes before
		if on, err = replayed(s.events); err != nil {
			return nil, err
		}
	}
	var events []Event
	for i, d := range duels {
		d.First, d.Second, d.Answer.Meta = maps.Clone(d.First), maps.Clone(d.Second), maps.Clone(d.Answer.Meta)
		id, err := on.sameKey(d.Rater, answerRecord{answer: d.Answer, duel: d}, "")
		if id == "" && err == nil {
			id = on.nextAnswer()
			events = append(events, Event{Kind: kindObserved, Observed: &observedEvent{ID: id, Duel: d}})
			if on != s.state {
				err = on.follow(events[len(events)-1])
			}
		}
		if err != nil && on != s.state {
			err = fmt.Errorf("prefer: duel %d: %w", i+1, err)
		}
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if len(events) == 0 {
		return ids, ended(ctx)
	}
	if err := s.append(ctx, events...); err != nil {
		return nil, err
	}
	return ids, nil
}

// sameKey returns the answer that a rater gave under the key of this one, "" if none: it must say the same.
func (s *state) sameKey(rater string, t answerRecord, question QuestionID) (AnswerID, error) {
	was := s.byKey[keyed{rater, t.answer.Key}]
	if was == nil {
		return "", nil
	}
	if what := was.differs(t, question); what != "" {
		return "", coding.RefuseField("key", "key", t.answer.Key, "key %q stands for answer %q, which has another %s; a new answer takes a new key", t.answer.Key, was.id, what)
	}
	return was.id, nil
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
	excluded := xslices.Map(c.Exclude, func(rater string) excludedEvent { return excludedEvent{Rater: rater, Out: true, Why: c.Why} })
	included := xslices.Map(c.Include, func(rater string) excludedEvent { return excludedEvent{Rater: rater} })
	for _, e := range append(excluded, included...) {
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
