package prefer

import (
	"context"
	"slices"
)

// Enqueue puts an option somebody wants tried at the end of the queue: one of the next questions, of this
// rater or, if it is empty, of whoever asks next, has it on one side, and the method chooses the other.
func (s *Study) Enqueue(ctx context.Context, o Option, rater string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.append(ctx, Event{Kind: kindEnqueued, Enqueued: &Enqueued{Option: o.clone(), Rater: rater}})
}

func (s *state) prepareEnqueued(e Enqueued) (func(), error) {
	if _, err := s.code.unit(e.Option); err != nil {
		return nil, err
	}
	return func() { s.queue = append(s.queue, e) }, nil
}

// queued returns the place in the queue of the next option for a rater, or −1.
func (s *state) queued(rater string) int {
	return slices.IndexFunc(s.queue, func(e Enqueued) bool { return e.Rater == "" || e.Rater == rater })
}
