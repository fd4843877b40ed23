package prefer

import (
	"context"
	"fmt"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Host is a study as a process sees it that serves many people at once and shares the log with other processes: it chooses questions before somebody asks,
// catches up with the log, and leaves behind what makes the next start quick. None of it changes which question a rater is asked after which answers, except
// that one in stock may be a few answers old. A program that asks one person needs none of it.
type Host struct {
	study *Study

	// Shown, if not nil, says how a question is shown: in Swapped and RandomSides of the answer that returns. Prefetch chooses for answers of that kind.
	Shown func(QuestionID) Answer
}

// Host returns what only a process that serves the study to others needs.
func (s *Study) Host() *Host { return &Host{study: s} }

// Follow takes in events that another process has appended to the log of this study: a study that got ErrConflict catches up and goes on, without being
// opened again. Events the study has already are passed over. The journal is not asked: it has them.
func (h *Host) Follow(events []Event) error {
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range events {
		if e.Seq <= s.state.seq {
			continue
		}
		if err := s.state.apply(e); err != nil {
			return err
		}
		s.events = append(s.events, e)
	}
	s.settle()
	return nil
}

// Adopt takes in events that happened elsewhere, numbered to follow the log of this study, and keeps them: all or none. What was asked is
// taken as it was, and not worked out again. Events that follow another log, because this one has gone on, are an ErrConflict.
func (h *Host) Adopt(ctx context.Context, events []Event) error {
	if err := ended(ctx); err != nil || len(events) == 0 {
		return err
	}
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := events[0].Seq; first != s.state.seq+1 {
		return fmt.Errorf("prefer: event %d does not follow event %d: %w", first, s.state.seq, ErrConflict)
	}
	trial, err := replayed(s.events)
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := checkRater(e.rater()); err != nil {
			return fmt.Errorf("event %d: %w", e.Seq, err)
		}
		if t := trial.holder(e); t != nil {
			return coding.Refuse("key", "event %d: answer %q of rater %q has the same key, %q", e.Seq, t.id, t.rater, t.answer.Key)
		}
		if err := trial.apply(e); err != nil {
			return err
		}
	}
	if s.cfg.Journal != nil {
		if err := s.cfg.Journal.Append(ctx, s.state.seq, events...); err != nil {
			return fmt.Errorf("prefer: %d events were not kept: %w", len(events), err)
		}
	}
	for _, e := range events {
		if err := s.state.apply(e); err != nil {
			return err // never: the trial has shown that it replays
		}
		s.events = append(s.events, e)
	}
	s.settle()
	return nil
}

// Left is Verdict.Left of a study that looks for such a shortlist (Config.Shortlist), after so many answers about one utility, without a verdict: a function of
// their number alone.
func (h *Host) Left(shortlist, answers int) (left [2]int, late bool) {
	h.study.mu.Lock()
	code := h.study.state.list
	h.study.mu.Unlock()
	return h.study.cfg.left(code, shortlist, answers)
}

// Waiting returns how many pairs are in the queue for a rater, under these contexts.
func (h *Host) Waiting(rater string, fixed space.Option) (n int) {
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	contexts := s.cfg.Space.Context(fixed)
	for _, e := range s.state.queue {
		if e.Against != nil && s.state.isFor(e, rater, contexts) {
			n++
		}
	}
	return n
}

// holder returns the answer that stands under the key of the answer in an event, nil if there is none.
func (s *state) holder(e Event) *answerRecord {
	switch {
	case e.Answered != nil && s.questions[e.Answered.Question] != nil:
		return s.byKey[keyed{s.questions[e.Answered.Question].Rater, e.Answered.Answer.Key}]
	case e.Observed != nil:
		return s.byKey[keyed{e.Observed.Duel.Rater, e.Observed.Duel.Answer.Key}]
	}
	return nil
}
