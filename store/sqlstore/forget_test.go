package sqlstore

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// testForget: the log is what forget makes of it, the rest of the store is as it was, and a caller that
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
	want, count := prefer.Forget(events(t, s, "coffee"), "ann")
	if err := held.Config().Journal.(*journal).keepSnapshot(ctx, len(want), []byte("of ann and bob")); err != nil {
		t.Fatal(err)
	}
	before := checksums(t, s, "coffee")
	removed, err := s.Forget(ctx, "coffee", "ann")
	if err != nil || removed != count || count == 0 {
		t.Fatalf("forgot %d events, %v, want %d", removed, err, count)
	}
	if got := lines(t, events(t, s, "coffee")); got != lines(t, want) || strings.Contains(got, "ann") {
		t.Errorf("the log is\n%swant\n%s", got, lines(t, want))
	}
	for i, sum := range checksums(t, s, "coffee") { // ann came first
		if slices.Contains(before, sum) {
			t.Errorf("event %d has a checksum of the edition before", i+2)
		}
	}
	if all, err := s.checkEach(ctx); err != nil || len(all) != 2 || all[0].Err != nil || all[0].Edition != 1 || all[1].Edition != 0 {
		t.Errorf("a check finds %+v, %v", all, err)
	}
	if got := lines(t, events(t, s, "tea")); got != other {
		t.Error("another study was changed")
	}
	if _, err := held.Ask(ctx, prefer.Request{Rater: "bob"}); !errors.Is(err, prefer.ErrConflict) {
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
	if _, err := left.Ask(ctx, prefer.Request{Rater: "cat"}); err != nil {
		t.Error(err)
	}
	if removed, err := s.Forget(ctx, "coffee", "ann"); removed != 0 || err != nil {
		t.Errorf("forgetting again: %d, %v", removed, err)
	}
}

// TestForgetLog: nothing of a person is left, everything of the others is, the log is valid, no id is used
// twice, and the quasi-random sequence goes on.
func TestForgetLog(t *testing.T) {
	s, err := prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("x", 0, 1), space.Float("y", 0, 1)), Seed: 3, Initial: 30})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(s *prefer.Study, rater string) prefer.Question {
		t.Helper()
		q, err := s.Ask(ctx, prefer.Request{Rater: rater})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	practice, err := s.Ask(ctx, prefer.Request{Rater: "zoe-secret", Practice: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tell(ctx, practice.ID, prefer.Answer{Choice: prefer.First}); err != nil {
		t.Fatal(err)
	}
	var secret prefer.AnswerID
	for k := range 6 {
		for _, rater := range []string{"ann", "zoe-secret"} {
			id, err := s.Tell(ctx, ask(s, rater).ID, prefer.Answer{Choice: prefer.First, Key: rater + string(rune('a'+k)), Session: "of " + rater})
			if err != nil {
				t.Fatal(err)
			}
			if rater != "ann" {
				secret = id
			}
		}
	}
	corner := func(x float64) space.Option { return space.Option{"x": space.ValueOf(x), "y": space.ValueOf(0)} }
	_, observed := s.Observe(ctx, prefer.Duel{First: corner(0), Second: corner(1), Rater: "zoe-secret", Answer: prefer.Answer{Choice: prefer.First}})
	if err := errors.Join(s.Undo(ctx, secret), observed); err != nil {
		t.Fatal(err)
	}
	blind, blinded := s.Ask(ctx, prefer.Request{Rater: "zoe-secret", Blind: true})
	_, taken := s.Accept(ctx, "zoe-secret", nil, true)
	if err := errors.Join(blinded, taken, s.Change(ctx, prefer.Change{Exclude: []string{"zoe-secret"}, Why: "a secret"}), s.Change(ctx, prefer.Change{Exclude: []string{"ann"}})); err != nil {
		t.Fatal(err)
	}
	open := ask(s, "zoe-secret")
	log := s.Events(0)
	left, removed := prefer.Forget(log, "zoe-secret")
	if removed != 2+6*2+1+1+3 { // practice, questions, answers, the undo and the duel, a blind one, a word and that they were left out; the open question is the one undone
		t.Errorf("%d events removed", removed)
	}
	for i, e := range log {
		if f := left[i].Forgotten; f != nil && f.Blind != (e.Asked != nil && (e.Asked.ID == blind.ID || e.Asked.ID == practice.ID)) {
			t.Errorf("event %d, %s, is left as %+v", e.Seq, e.Kind, f)
		}
	}
	if text := lines(t, left); strings.Contains(text, "secret") {
		t.Errorf("they are still in %s", text)
	}
	r, err := prefer.Open(ctx, left, prefer.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if raters, err := r.Raters(ctx); err != nil || len(raters) != 1 || !raters[0].Out {
		t.Errorf("raters %+v, %v; want ann, left out", raters, err)
	}
	if err := r.Change(ctx, prefer.Change{Include: []string{"ann"}}); err != nil {
		t.Fatal(err)
	}
	if b, err := r.Belief(ctx, prefer.Look{}); err != nil || b.Answers != 6 {
		t.Errorf("%d duels are left, %v, want ann's 6", b.Answers, err)
	}
	next := ask(r, "new")
	for _, e := range log {
		if e.Asked != nil && (e.Asked.ID == next.ID || e.Asked.First.String() == next.First.String()) {
			t.Errorf("%s is asked again as %s", e.Asked.ID, next.ID)
		}
	}
	if _, err := r.Tell(ctx, open.ID, prefer.Answer{Choice: prefer.First}); err == nil {
		t.Error("their question can still be answered")
	}
	if same, removed := prefer.Forget(left, "nobody"); removed != 0 || len(same) != len(left) {
		t.Errorf("nobody had %d events", removed)
	}
}
