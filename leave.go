package prefer

import (
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

func (s *state) prepareLeft(ids []string) (func(), error) {
	if s.code.Table() == nil {
		return nil, coding.Refuse("option", "items cannot leave a study of parameters")
	}
	if len(ids) == 0 {
		return nil, coding.Refuse("option", "no items to leave")
	}
	left := make(map[string]bool, len(s.left)+len(ids))
	for id := range s.left {
		left[id] = true
	}
	for _, id := range ids {
		switch _, known := s.code.Table().ByID[id]; {
		case !known:
			return nil, coding.RefuseField("option", "leave", id, "%q is no item of the study", id)
		case s.left[id]:
			return nil, gone(id)
		case left[id]:
			return nil, coding.RefuseField("option", "leave", id, "item %q is to leave twice", id)
		}
		left[id] = true
	}
	list := s.code.Without(left)
	if n := len(list.Table().Back); n < 2 {
		return nil, coding.Refuse("option", "with %d of %d items gone %d different ones would be left, want 2 or more", len(ids), len(s.list.Table().List), n)
	}
	return func() {
		s.left, s.list = left, list
		s.queue = slices.DeleteFunc(s.queue, func(e Enqueued) bool { return left[e.Option.Item()] || left[e.Against.Item()] })
	}, nil
}

// present reports the first option that is an item which has left.
func (s *state) present(options ...space.Option) error {
	for _, o := range options {
		if id := o.Item(); len(s.left) > 0 && s.left[id] {
			return gone(id)
		}
	}
	return nil
}

// gone is the error about an item that has left.
func gone(id string) error {
	return coding.Refuse("option", "item %q has left the study", id)
}

// withdrawn reports whether a question is about an item that has left: nobody is asked it any more.
func (s *state) withdrawn(q *asked) bool { return s.present(q.First, q.Second) != nil }
