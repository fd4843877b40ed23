package prefer

import (
	"errors"
	"slices"
	"testing"
)

// TestFollow: two processes on one log. The one that is behind catches up, is the study it would be if it had
// been opened again, and the question it had chosen is not searched for twice if only answers came between.
func TestFollow(t *testing.T) {
	j := &memory{t: t}
	here := start(t, Config{Space: unitSquare(), Seed: 3, Journal: j})
	for range 6 {
		tell(t, here, ask(t, here, "ann").ID, First)
	}
	pending := ask(t, here, "ann")
	there, err := Open(ctx, here.Events(), OpenOptions{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	tell(t, here, pending.ID, Second)
	if _, err := there.Ask(t.Context(), "bob"); !errors.Is(err, ErrConflict) {
		t.Fatalf("%v, want a conflict", err)
	}
	chosen := there.late["bob"].Question
	if err := there.Host().Follow(j.events); err != nil {
		t.Fatal(err)
	}
	q := ask(t, there, "bob")
	if q.First.String() != chosen.First.String() || q.Second.String() != chosen.Second.String() || len(there.late) != 0 {
		t.Errorf("asked %+v, want the question that was chosen: %+v", q, chosen)
	}
	// A question asked elsewhere makes the choice void.
	if _, err := here.Ask(t.Context(), "cat"); !errors.Is(err, ErrConflict) {
		t.Fatalf("%v, want a conflict", err)
	}
	void := here.late["cat"].Question
	if err := here.Host().Follow(j.events[len(here.Events()):]); err != nil {
		t.Fatal(err)
	}
	again := reopen(t, here.Events())
	if got, want := ask(t, here, "cat"), ask(t, again, "cat"); marshal(t, got) != marshal(t, want) || got.First.String() == void.First.String() {
		t.Errorf("asked %+v, want %+v", got, want)
	}
	if err := there.Host().Follow(j.events); err != nil || string(lines(t, there.Events())) != string(lines(t, j.events)) || string(lines(t, here.Events())) != string(lines(t, j.events)) {
		t.Errorf("the logs differ (%v)", err)
	}
	if got, want := fingerprint(learned(t, there)), fingerprint(learned(t, reopen(t, here.Events()))); !slices.Equal(got, want) {
		t.Error("a study that followed has learned something else than one that was opened")
	}
	if err := there.Host().Follow([]Event{{Seq: 99, Kind: kindUndone, Undone: &Undone{Answer: "a1"}}}); !errors.Is(err, ErrEvents) {
		t.Errorf("a gap in the log: %v", err)
	}
}
