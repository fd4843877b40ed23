package prefer

import (
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// methodEnqueued marks a pair that somebody wanted asked.
const methodEnqueued = "enqueued"

// Waiting returns how many pairs are in the queue for a rater, under these contexts.
func (h *Host) Waiting(rater string, fixed space.Option) (n int) {
	s := h.study
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.state.queue {
		if e.Against != nil && s.state.isFor(e, rater, fixed) {
			n++
		}
	}
	return n
}

func (e Enqueued) prepare(s *state) (func(), error) {
	a, err := s.code.Unit(e.Option)
	if err != nil {
		return nil, err
	}
	if e.Against != nil {
		if _, _, err := s.code.Pair(e.Option, e.Against); err != nil {
			return nil, err
		}
		b, err := s.code.Unit(e.Against)
		if err != nil {
			return nil, err
		}
		if s.code.Gap(a, b) < coding.SameOption {
			return nil, coding.Refuse("option", "both sides of the pair are {%v}", e.Option)
		}
		if err := s.present(e.Against); err != nil {
			return nil, err
		}
	}
	if err := s.present(e.Option); err != nil {
		return nil, err
	}
	return func() { s.queue = append(s.queue, e) }, nil
}

// queued returns the place in the queue of the next option for a rater under what is fixed, or −1: one under another context waits for that.
func (s *state) queued(rater string, fixed space.Option) int {
	return slices.IndexFunc(s.queue, func(e Enqueued) bool { return s.isFor(e, rater, fixed) })
}

// isFor reports whether a rater under what is fixed may be asked about what was enqueued.
func (s *state) isFor(e Enqueued, rater string, fixed space.Option) bool {
	return (e.Rater == "" || e.Rater == rater) && !slices.Contains(e.Except, rater) && maps.Equal(s.cfg.Space.Context(e.Option), s.cfg.Space.Context(fixed))
}
