package prefer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Joined adds items to the list of a running study; one that has left comes back as it was.
type joinedEvent struct {
	Items []space.Item `json:"items"`
}

// Left takes items out of the list of a running study, by their ids.
type leftEvent struct {
	Items []string `json:"items"`
}

// prepare lays the coordinates out again, for a new word of a feature needs one of its own.
func (j joinedEvent) prepare(s *state) (func(), error) {
	if s.code.Table() == nil {
		return nil, coding.Refuse("option", "items cannot join a study of parameters")
	}
	if len(j.Items) == 0 {
		return nil, coding.Refuse("option", "no items to join")
	}
	fresh, back, err := s.returning(j.Items)
	if err != nil {
		return nil, coding.Refuse("option", "%s", strings.TrimPrefix(err.Error(), "prefer: "))
	}
	code, err := coding.Join(s.cfg.Space, slices.Concat(s.code.Space.Items, fresh))
	if err != nil {
		return nil, coding.Refuse("option", "%s", strings.TrimPrefix(err.Error(), "prefer: "))
	}
	return func() {
		same := code.Dim == s.code.Dim
		s.code = code
		for _, id := range back {
			delete(s.left, id)
		}
		s.list = code.Without(s.left)
		if same {
			return
		}
		again := func(o space.Option) []float64 {
			if o == nil {
				return nil
			}
			x, err := code.Unit(o)
			if err != nil {
				panic(err) // it was an item before
			}
			return x
		}
		for _, q := range s.order {
			q.a, q.b, q.incumbent = again(q.First), again(q.Second), again(q.Incumbent)
		}
		for i, t := range s.takes {
			s.takes[i].a = again(t.option)
		}
		for _, t := range s.answers {
			if t.question != nil {
				t.a, t.b = t.question.a, t.question.b
			} else {
				t.a, t.b = again(t.duel.First), again(t.duel.Second)
			}
		}
	}, nil
}

// returning separates items that join for the first time from those that come back, which must be what they were.
func (s *state) returning(items []space.Item) (fresh []space.Item, back []string, err error) {
	for _, it := range items {
		if !s.left[it.ID] {
			fresh = append(fresh, it)
			continue
		}
		if slices.Contains(back, it.ID) {
			return nil, nil, fmt.Errorf("prefer: two items have the id %q", it.ID)
		}
		if what := itemDifference(s.code.Space.Items[s.code.Table().ByID[it.ID]], it); what != "" {
			return nil, nil, fmt.Errorf("prefer: item %q left the study with another %s: what has changed is another item, and takes another id", it.ID, what)
		}
		back = append(back, it.ID)
	}
	return fresh, back, nil
}

// itemDifference names the first thing in which two items differ, or returns "".
func itemDifference(i, other space.Item) string {
	switch {
	case i.ID != other.ID:
		return "id"
	case i.Media != other.Media:
		return "media"
	case i.Text != other.Text:
		return "text"
	case i.Sum != other.Sum:
		return "sum"
	case !maps.Equal(i.Features, other.Features):
		return "features"
	}
	return ""
}

func (l leftEvent) prepare(s *state) (func(), error) {
	if s.code.Table() == nil {
		return nil, coding.Refuse("option", "items cannot leave a study of parameters")
	}
	if len(l.Items) == 0 {
		return nil, coding.Refuse("option", "no items to leave")
	}
	left := make(map[string]bool, len(s.left)+len(l.Items))
	for id := range s.left {
		left[id] = true
	}
	for _, id := range l.Items {
		switch _, known := s.code.Table().ByID[id]; {
		case !known:
			return nil, coding.RefuseField("option", "leave", id, "%q is not an item of the study", id)
		case s.left[id]:
			return nil, leftError(id)
		case left[id]:
			return nil, coding.RefuseField("option", "leave", id, "item %q is to leave twice", id)
		}
		left[id] = true
	}
	list := s.code.Without(left)
	if n := len(list.Table().Back); n < 2 {
		return nil, coding.Refuse("option", "with %d of %d items gone %d different ones would be left, want 2 or more", len(l.Items), len(s.list.Table().List), n)
	}
	return func() {
		s.left, s.list = left, list
		s.queue = slices.DeleteFunc(s.queue, func(e Enqueued) bool { return left[e.Option.Item()] || left[e.Against.Item()] })
	}, nil
}
