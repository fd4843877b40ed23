package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// TestVerify: a run in which all promises were kept passes, and each of them is missed when it is not.
func TestVerify(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "store.db")
	st, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	study, err := st.Create(ctx, "coffee", prefer.Config{Space: prefer.Box(prefer.Float("milk", 0, 1)), Method: "random"})
	if err != nil {
		t.Fatal(err)
	}
	l := newLedger()
	for i := range 6 {
		rater := fmt.Sprint("rater", i%2)
		q, err := study.Ask(ctx, rater)
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint("key", i)
		id, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		l.kept(answer{"coffee", rater, key, string(q.ID), string(id)})
	}
	found, err := verify(ctx, path, l)
	if err != nil || len(found.broken) != 0 || found.studies != 1 || found.answers != 6 || found.questions != 6 {
		t.Fatalf("%+v, %v", found, err)
	}
	events := study.Events()
	for name, c := range map[string]struct {
		events       func() []prefer.Event
		acknowledged []answer
		want         string
	}{
		"missing": {func() []prefer.Event { return events }, []answer{{"coffee", "rater0", "key99", "q1", "a1"}}, `"key99" to q1 was acknowledged and is not there`},
		"another": {func() []prefer.Event { return events }, []answer{{"coffee", "rater0", "key0", "q1", "a2"}}, `acknowledged as a2 to q1`},
		"doubled": {func() []prefer.Event { return append(slices.Clone(events), events[len(events)-1]) }, nil, `"key5" is there 2 times`},
		"gap":     {func() []prefer.Event { return slices.Delete(slices.Clone(events), 3, 5) }, nil, "event 4 is number 6"},
		"two open": {func() []prefer.Event {
			again := *events[1].Asked
			again.ID = "q99"
			return slices.Insert(slices.Clone(events), 2, prefer.Event{Seq: 3, Kind: "asked", Asked: &again})
		}, nil, "was asked q99 while q1 was open"},
	} {
		f := &findings{}
		f.account("coffee", c.events(), c.acknowledged)
		if !strings.Contains(strings.Join(f.broken, "\n"), c.want) {
			t.Errorf("%s: found %q, want %q", name, f.broken, c.want)
		}
	}
	other, err := prefer.Open(t.Context(), events[:9], prefer.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := &findings{}
	f.replay(ctx, "coffee", events, other)
	f.replay(ctx, "coffee", events[1:], other)
	if len(f.broken) < 2 {
		t.Errorf("found %q in a log that is another one, and in one that does not replay", f.broken)
	}
	l.violated("rater1 was given two questions")
	if found, err := verify(ctx, path, l); err != nil || len(found.broken) != 1 {
		t.Errorf("%+v, %v, want what a rater saw", found, err)
	}
}
