package live

import (
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestBackgroundAhead: while a rater looks the next question is chosen and found ready, and the status becomes that of
// the verdict by itself.
func TestBackgroundAhead(t *testing.T) {
	h := busyRoom(t, nil)
	for range 5 {
		h.tell(h.ask("ann"), prefer.First)
	}
	q := h.ask("ann")
	hits := h.Counters.Hits.Load()
	probe, err := h.store.Study(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the next question", func() bool { // it is kept when all answers have one
		_, err := h.store.UseAhead(t.Context(), probe, "ann")
		seq, _ := probe.Host().Export("ann")
		return err != nil || seq == probe.Seq()
	})
	h.tell(q, prefer.First)
	h.ask("ann")
	if got := h.Counters.Hits.Load(); got != hits+1 {
		t.Errorf("%d questions were ready, want one more than %d", got, hits)
	}
	await(t, "the verdict", func() bool { st := h.ask("ann").Status; return st.At == 6 && st.Answers == 6 && st.Left[1] > 0 })
}

// TestBackgroundOthers: with others at work nothing is chosen ahead, for it would be of no use.
func TestBackgroundOthers(t *testing.T) {
	h := busyRoom(t, nil)
	h.ask("bob")
	before := h.Counters.Prefetched.Load()
	h.tell(h.ask("ann"), prefer.First)
	h.ask("ann")
	await(t, "the verdict", func() bool { return h.ask("ann").Status.At == 1 })
	h.background.mu.Lock()
	defer h.background.mu.Unlock()
	if after := h.Counters.Prefetched.Load(); after > before+3 { // bob's own, if it began before ann came
		t.Errorf("%d questions were chosen ahead", after-before)
	}
}
