package prefer

import (
	"maps"
	"slices"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// maxContexts is the number of settings of the contexts up to which Contexts lists all.
const maxContexts = 24

// Contexts returns the settings of the contexts to look at one by one: all of them if they are finitely many and no more than 24, those that the constraints
// rule out left aside; else those that were asked about, in the order of their first question, at most as many. None in a study without contexts.
func (s *Study) Contexts() []space.Option {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state
	given := st.cfg.Space.Contexts()
	if len(given) == 0 {
		return nil
	}
	all := []space.Option{{}}
	for _, p := range given {
		if coding.Continuous(p) || len(all)*len(p.Values()) > maxContexts {
			return st.settings()
		}
		var more []space.Option
		for _, o := range all {
			for _, v := range p.Values() {
				each := maps.Clone(o)
				each[p.Name] = v
				more = append(more, each)
			}
		}
		all = more
	}
	return slices.DeleteFunc(all, func(o space.Option) bool {
		_, err := st.code.Under(o)
		return err != nil
	})
}

// settings returns the settings of the contexts of the first questions and observed duels.
func (s *state) settings() (out []space.Option) {
	seen := map[string]bool{}
	add := func(o space.Option) {
		o = s.cfg.Space.Context(o)
		if k := o.String(); !seen[k] && len(out) < maxContexts {
			seen[k], out = true, append(out, o)
		}
	}
	for _, q := range s.order {
		add(q.First)
	}
	for _, t := range s.answers {
		if t.question == nil && !t.undone {
			add(t.duel.First)
		}
	}
	return out
}

// Items returns the list of the study: with the items that joined, and without those that have left, unless all is set. It is nil if the study has parameters.
func (s *Study) Items(all bool) []space.Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	items := slices.Clone(s.state.code.Space.Items)
	if all || len(s.state.left) == 0 {
		return items
	}
	return slices.DeleteFunc(items, func(it space.Item) bool { return s.state.left[it.ID] })
}
