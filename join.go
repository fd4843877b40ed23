package prefer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// Items returns the list of the study as it is now: with those that joined, without those that have left; nil if it has parameters.
func (s *Study) Items() []space.Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.state.left) == 0 {
		return slices.Clone(s.state.code.Space.Items)
	}
	return slices.DeleteFunc(slices.Clone(s.state.code.Space.Items), func(it space.Item) bool { return s.state.left[it.ID] })
}

// AllItems returns every item that ever was in the list, in the order of joining: what questions and answers may be about.
func (s *Study) AllItems() []space.Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.state.code.Space.Items)
}

// prepareJoined lays the coordinates out anew, for a new word of a feature needs one of its own.
func (s *state) prepareJoined(items []space.Item) (func(), error) {
	if s.code.Table() == nil {
		return nil, coding.Refuse("option", "items cannot join a study of parameters")
	}
	if len(items) == 0 {
		return nil, coding.Refuse("option", "no items to join")
	}
	fresh, back, err := s.returning(items)
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
		if what := differs(s.code.Space.Items[s.code.Table().ByID[it.ID]], it); what != "" {
			return nil, nil, fmt.Errorf("prefer: item %q left the study with another %s: what has changed is another item, and takes another id", it.ID, what)
		}
		back = append(back, it.ID)
	}
	return fresh, back, nil
}
