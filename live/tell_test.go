package live

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestTellDone: when the verdict is in there is no next question, but asking for one still returns it.
func TestTellDone(t *testing.T) {
	h := newTestStudies(t, nil)
	q := h.ask("ann")
	r := h.open()
	r.mu.Lock()
	r.verdicts[""] = standing{Verdict: prefer.Verdict{Kind: prefer.Settled}}
	r.mu.Unlock()
	out, err := h.Tell(t.Context(), "coffee", Tell{Question: q.Asked.ID, Answer: prefer.Answer{Choice: prefer.First}, Next: true})
	if err != nil || out.Next != nil {
		t.Errorf("told %+v, %v, want no next question", out, err)
	}
	if next := h.ask("ann"); next.ID == q.ID {
		t.Error("a study that is done does not go on")
	}
}
