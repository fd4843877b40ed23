package live

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestAhead: what is said to come does come, whatever the answer. Where checks are hidden among the questions a rater is told nothing, and the owner all.
func TestAhead(t *testing.T) {
	h := busyTestStudies(t, nil)
	for k, choice := range []prefer.Choice{prefer.First, prefer.Tie, prefer.Second} {
		q := h.ask("ann")
		var next Ahead
		await(t, "what comes next", func() bool { next = h.open().Ahead("ann", false); return next.All })
		said := map[string]bool{}
		for _, o := range next.Options {
			said[o.Params.String()] = true
		}
		h.tell(q, choice)
		for _, o := range h.ask("ann").Options {
			if !said[o.Params.String()] {
				t.Errorf("question %d after %s has %v, said to come were %v", k+1, choice, o.Params, said)
			}
		}
	}
	if err := h.Alter(t.Context(), "coffee", prefer.Change{}, func(s *Settings) { s.Checks.RepeatRate = 0.1 }); err != nil {
		t.Fatal(err)
	}
	await(t, "what comes next", func() bool { h.ask("ann"); return len(h.open().Ahead("ann", true).Options) > 0 })
	if next := h.open().Ahead("ann", false); len(next.Options) > 0 || !next.All {
		t.Errorf("a rater who is checked is told %+v", next)
	}
}
