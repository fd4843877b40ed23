package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// testForget: the log is what prefer.Forget makes of it, the rest of the store is as it was, and whoever
// holds the study from before is told to open it again.
func testForget(t *testing.T, address string) {
	s := open(t, address)
	held := create(t, s, "coffee")
	play(t, held, "ann", 3)
	play(t, held, "bob", 3)
	bobs := 0
	for _, e := range held.History() {
		if e.Rater == "bob" && !e.Undone {
			bobs++
		}
	}
	play(t, create(t, s, "tea"), "ann", 2)
	other := lines(t, events(t, s, "tea"))
	want, count := forget(events(t, s, "coffee"), "ann")
	if err := held.Config().Journal.(*journal).keepSnapshot(ctx, len(want), []byte("of ann and bob")); err != nil {
		t.Fatal(err)
	}
	removed, err := s.Forget(ctx, "coffee", "ann")
	if err != nil || removed != count || count == 0 {
		t.Fatalf("forgot %d events, %v, want %d", removed, err, count)
	}
	if got := lines(t, events(t, s, "coffee")); got != lines(t, want) || strings.Contains(got, "ann") {
		t.Errorf("the log is\n%swant\n%s", got, lines(t, want))
	}
	if got := lines(t, events(t, s, "tea")); got != other {
		t.Error("another study was changed")
	}
	if _, err := held.Ask(ctx, "bob"); !errors.Is(err, prefer.ErrConflict) {
		t.Errorf("a study from before: %v, want ErrConflict", err)
	}
	j := held.Config().Journal.(*journal)
	if err := j.keepSnapshot(ctx, len(want), []byte("still of ann")); err != nil {
		t.Error(err)
	}
	if l, err := s.load(ctx, "coffee"); err != nil || l.snapshot != nil {
		t.Errorf("left is the snapshot %q, %v", l.snapshot, err)
	}
	left, err := s.Study(ctx, "coffee")
	if err != nil {
		t.Fatal(err)
	}
	if raters, err := left.Raters(ctx); err != nil || len(raters) != 1 || raters[0].Name != "bob" || raters[0].Answers != bobs {
		t.Errorf("left are %+v, %v", raters, err)
	}
	if _, err := left.Ask(ctx, "cat"); err != nil {
		t.Error(err)
	}
	if removed, err := s.Forget(ctx, "coffee", "ann"); removed != 0 || err != nil {
		t.Errorf("forgetting again: %d, %v", removed, err)
	}
}
