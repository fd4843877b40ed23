package live

import (
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestMethodsText: every setting is told with its number, none that is not on, and sides only where live drew them.
func TestMethodsText(t *testing.T) {
	const sides = "Which option was on the left was balanced"
	s, err := New(Config{Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context()) //nolint:errcheck // it is in memory
	cfg := prefer.Config{Space: space.Box(space.Float("x", 0, 1)), Method: "random"}
	settings := Settings{Phases: Phases{Practice: 2, BreakEvery: 12, Blind: 6}, Checks: Checks{RepeatRate: 0.15, MinRT: 300, Catch: []Catch{{Better: space.Option{"x": space.ValueOf(1.0)}, Worse: space.Option{"x": space.ValueOf(0.0)}}}}}
	for name, set := range map[string]Settings{"plain": {}, "checked": settings} {
		if err := s.Create(t.Context(), name, cfg, set); err != nil {
			t.Fatal(err)
		}
	}
	conduct := func(name string) (text string) {
		t.Helper()
		if err := s.With(t.Context(), name, func(r *Study) error { text = r.MethodsText(); return nil }); err != nil {
			t.Fatal(err)
		}
		return text
	}
	for range 4 {
		q, err := s.Ask(t.Context(), "plain", Ask{Rater: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tell(t.Context(), "plain", Tell{Question: q.Asked.ID, Rater: "ann", Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
			t.Fatal(err)
		}
	}
	if text := conduct("plain"); !strings.HasPrefix(text, sides) || strings.Count(text, ".") != 1 {
		t.Errorf("without checks it says %q", text)
	}
	text := conduct("checked")
	for _, want := range []string{sides, "were to be 15% of a rater's questions", "One question in 10 was to be a catch question, whose answer is known (pairs to take it from: 1)", "within 300 ms was refused",
		"began with 2 practice questions", "after every 12 answers", "6 blind duels of the pick"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q: %s", want, text)
		}
	}
	err = s.With(t.Context(), "plain", func(r *Study) error { // two answers on the same side: live never does that
		for range 2 {
			q, err := r.Study.Ask(t.Context(), prefer.Request{Rater: "bo"})
			if err != nil {
				return err
			}
			if _, err := r.Study.Tell(t.Context(), q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if text := conduct("plain"); text != "" {
		t.Errorf("of sides that live did not draw it says %q", text)
	}
}
