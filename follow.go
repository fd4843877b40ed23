package prefer

import "maps"

// Follow takes in events that another process has appended to the log of this study: a study that got
// ErrConflict catches up and goes on, without being opened again. Events the study has already are passed
// over. The journal is not asked: it has them.
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
	return nil
}

// late is a question that was chosen and could not be kept, because another process had appended something.
type late struct {
	Question
	asked int // questions in the log it was chosen from
	hold  Option
}

// fits reports whether the question is what would be chosen for a request now, as c says. Answers since do not make it
// void, here or in keepQuestion.
func (l late) fits(c chosen, r Request) bool {
	return l.First != nil && l.asked == c.view.asked && maps.Equal(l.hold, c.hold) && maps.Equal(l.Fixed, r.Fixed) && l.Enqueued == c.Enqueued
}
