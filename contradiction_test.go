package prefer

import (
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestContradictions: of twenty-nine answers that want more of everything and one that does not, the one is marked, and the chance it is given is that of
// a study that never heard it.
func TestContradictions(t *testing.T) {
	for name, cfg := range map[string]Config{"averaged": {}, "likeliest": {Modelling: Modelling{Belief: beliefLikeliest, Model: gp.Model{Trend: gp.None()}}}} {
		s := seen(t, 2, 29, cfg, func(u []float64) float64 { return 40 * (u[0] + u[1]) })
		odd := Duel{First: optionOf(s.cfg.Space, []float64{0.2, 0.1}), Second: optionOf(s.cfg.Space, []float64{0.9, 0.8}), Answer: Answer{Choice: First}}
		before, err := s.Belief(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		a, b, _ := s.state.code.Pair(odd.First, odd.Second)
		want := before.utility.Probability(a, b, 1, -1, false)
		if list := contradictions(t, s); len(list) != 0 {
			t.Errorf("%s: of one mind, and yet %v", name, list)
		}
		ids, err := s.Observe(t.Context(), odd)
		if err != nil {
			t.Fatal(err)
		}
		id := ids[0]
		list := contradictions(t, s)
		if len(list) != 1 || list[id] == 0 {
			t.Fatalf("%s: %v, want %s", name, list, id)
		}
		// The hyper-parameters have heard it: that makes it likelier than it was, by far less than what was said against it.
		if got := list[id]; !(got >= want/2 && got < 0.1) {
			t.Errorf("%s: %g given the others, %g before it was said", name, got, want)
		}
		if err := s.Undo(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if list = contradictions(t, s); len(list) != 0 {
			t.Errorf("%s: taken back, and yet %v", name, list)
		}
	}
}

func contradictions(t *testing.T, s *Study) map[AnswerID]float64 {
	t.Helper()
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	return b.Contradictions()
}
