package server

import (
	"testing"
	"time"
)

// await looks until something has come about in the background.
func await(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not come about in a minute", what)
}

// TestBehind: while a rater looks the next question is chosen and found ready, and the status becomes that of
// the verdict by itself.
func TestBehind(t *testing.T) {
	h := busyHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.play("ann", 5)
	q := h.ask("ann")
	hits := h.server.metrics.hits.n.Load()
	probe, err := h.store.Study(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the next question", func() bool { // it is kept when all answers have one
		_, err := h.store.UseAhead(t.Context(), probe, "ann")
		seq, _ := probe.Host().Export("ann")
		return err != nil || seq == probe.Seq()
	})
	h.tell(q, "first")
	h.ask("ann")
	if got := h.server.metrics.hits.n.Load(); got != hits+1 {
		t.Errorf("%d questions were ready, want one more than %d", got, hits)
	}
	await(t, "the verdict", func() bool { st := h.ask("ann").Status; return st.At == 6 && st.Answers == 6 && st.Left[1] > 0 })
}

// TestBehindOthers: with others at work nothing is chosen ahead, for it would be of no use.
func TestBehindOthers(t *testing.T) {
	h := busyHouse(t, nil)
	h.want(201, "POST", "/v1/studies", coffee, nil)
	h.ask("bob")
	before := h.server.metrics.prefetched.n.Load()
	h.tell(h.ask("ann"), "first")
	h.ask("ann")
	await(t, "the verdict", func() bool { return h.ask("ann").Status.At == 1 })
	h.server.behind.mu.Lock()
	defer h.server.behind.mu.Unlock()
	if after := h.server.metrics.prefetched.n.Load(); after > before+3 { // bob's own, if it began before ann came
		t.Errorf("%d questions were chosen ahead", after-before)
	}
}
