package prefer

import (
	"context"
	"fmt"
	"slices"
)

// Excluded leaves a rater out of what the group learns, or takes her back. Her answers stay in the log and in her own result;
// while she is out they teach nobody else.
type Excluded struct {
	Rater string `json:"rater"`
	Out   bool   `json:"out"`
	Why   string `json:"why,omitempty"` // in the owner's words
}

// LeaveOut leaves a rater out of what the group learns: a shared utility is learned without her answers, and Group goes by the
// others. In a study per rater she still has a favourite of her own. Why is kept in the log, for whoever reads it later.
// Leaving out who is out changes nothing.
func (s *Study) LeaveOut(ctx context.Context, rater, why string) error {
	return s.exclude(ctx, Excluded{Rater: rater, Out: true, Why: why})
}

// TakeBack has a rater who was left out count again, with all she has said.
func (s *Study) TakeBack(ctx context.Context, rater string) error {
	return s.exclude(ctx, Excluded{Rater: rater})
}

func (s *Study) exclude(ctx context.Context, e Excluded) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.state.knows(e.Rater) {
		return fmt.Errorf("prefer: rater %q was never asked and has not answered: %w", e.Rater, ErrNoRater)
	}
	if _, out := s.state.out[e.Rater]; out == e.Out {
		return ended(ctx)
	}
	return s.append(ctx, Event{Kind: kindExcluded, Excluded: &e})
}

func (s *state) prepareExcluded(e Excluded) func() {
	return func() {
		if e.Out {
			s.out[e.Rater] = e.Why
		} else {
			delete(s.out, e.Rater)
		}
	}
}

// knows reports whether a rater was asked something or has said something.
func (s *state) knows(rater string) bool {
	return slices.ContainsFunc(s.order, func(q *asked) bool { return q.Rater == rater }) ||
		slices.ContainsFunc(s.answers, func(t *told) bool { return t.rater == rater })
}

// learnsFrom reports whether what a rater says teaches the one who looks: everybody heeds herself (only, in a study per rater), and in
// a shared study nobody heeds who was left out.
func (s *state) learnsFrom(rater string, only *string) bool {
	if only != nil {
		return rater == *only
	}
	_, out := s.out[rater]
	return !out
}
