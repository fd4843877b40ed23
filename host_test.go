package prefer

import (
	"errors"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
)

// TestFollow: two processes on one log. The one that is behind catches up, is the study it would be if it had
// been opened again, and the question it had chosen is not searched for twice if only answers came between.
func TestFollow(t *testing.T) {
	j := &testJournal{t: t}
	here := start(t, Config{Space: unitSquare(), Seed: 3, Journal: j})
	for range 6 {
		tell(t, here, ask(t, here, "ann").ID, First)
	}
	pending := ask(t, here, "ann")
	there, err := Open(ctx, here.Events(0), OpenOptions{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	tell(t, here, pending.ID, Second)
	if _, err := there.Ask(t.Context(), Request{Rater: "bob"}); !errors.Is(err, ErrConflict) {
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
	if _, err := here.Ask(t.Context(), Request{Rater: "cat"}); !errors.Is(err, ErrConflict) {
		t.Fatalf("%v, want a conflict", err)
	}
	void := here.late["cat"].Question
	if err := here.Host().Follow(j.events[len(here.Events(0)):]); err != nil {
		t.Fatal(err)
	}
	again := reopen(t, here.Events(0))
	if got, want := ask(t, here, "cat"), ask(t, again, "cat"); marshal(t, got) != marshal(t, want) || marshal(t, got.Options) == marshal(t, void.Options) {
		t.Errorf("asked %+v, want %+v", got, want)
	}
	if err := there.Host().Follow(j.events); err != nil || string(lines(t, there.Events(0))) != string(lines(t, j.events)) || string(lines(t, here.Events(0))) != string(lines(t, j.events)) {
		t.Errorf("the logs differ (%v)", err)
	}
	if got, want := fingerprint(learned(t, there)), fingerprint(learned(t, reopen(t, here.Events(0)))); !slices.Equal(got, want) {
		t.Error("a study that followed has learned something else than one that was opened")
	}
	if err := there.Host().Follow([]Event{{Seq: 99, Kind: kindUndone, Undone: &undoneEvent{Answer: "a1"}}}); !errors.Is(err, ErrEvents) {
		t.Errorf("a gap in the log: %v", err)
	}
}

// TestAdopt: events from elsewhere are kept all or none, and the study is then the one that their log opens as.
func TestAdopt(t *testing.T) {
	j := &testJournal{t: t}
	s := start(t, Config{Space: unitSquare(), Seed: 3, Journal: j})
	tell(t, s, ask(t, s, "ann").ID, First)
	before := string(lines(t, j.events))
	other, err := Open(ctx, s.Events(0), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	q := ask(t, other, "bob")
	if _, err := other.Tell(t.Context(), q.ID, Answer{Choice: Second, Key: "k"}); err != nil {
		t.Fatal(err)
	}
	q = ask(t, other, "bob")
	if _, err := other.Tell(t.Context(), q.ID, Answer{Choice: Tie}); err != nil {
		t.Fatal(err)
	}
	more := other.Events(0)[s.Seq():]
	for what, c := range map[string]struct {
		change func(*Event)
		why    error
	}{
		"a question that nobody asked": {func(e *Event) { e.Answered.Question = "q9" }, coded("no_question")},
		"a key twice":                  {func(e *Event) { e.Answered.Answer.Key = "k" }, coded("key")},
		"an answer that is none":       {func(e *Event) { e.Answered.Answer.Choice = "perhaps" }, coded("answer")},
	} {
		bad := slices.Clone(more)
		a := *bad[3].Answered
		bad[3].Answered = &a
		c.change(&bad[3])
		if err := s.Host().Adopt(ctx, bad); !wraps(err, c.why) || string(lines(t, s.Events(0))) != before || string(lines(t, j.events)) != before {
			t.Errorf("%s: %v, and %d events are there", what, err, len(j.events))
		}
	}
	named := slices.Clone(more)
	asked := *named[0].Asked
	asked.Rater = "b\xffb"
	named[0].Asked = &asked
	if err := s.Host().Adopt(ctx, named); errcode.Of(err) != "rater" {
		t.Errorf("a name that is not a text: %v", err)
	}
	if err := s.Host().Adopt(ctx, more[1:]); !errors.Is(err, ErrConflict) {
		t.Errorf("a gap: %v", err)
	}
	if err := s.Host().Adopt(ctx, more); err != nil {
		t.Fatal(err)
	}
	if want := string(lines(t, other.Events(0))); string(lines(t, s.Events(0))) != want || string(lines(t, j.events)) != want {
		t.Error("the logs differ")
	}
	if got, want := fingerprint(learned(t, s)), fingerprint(learned(t, reopen(t, other.Events(0)))); !slices.Equal(got, want) {
		t.Error("a study that adopted has learned something else than one that was opened")
	}
	if err := s.Host().Adopt(ctx, nil); err != nil {
		t.Error(err)
	}
}
