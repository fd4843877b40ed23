package live

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/store"
)

// TestForgetMemory: a store in memory forgets as the others do: nothing of them is left but that there was something, what was derived is gone, their
// name is kept out, and a server that has the study open opens it again.
func TestForgetMemory(t *testing.T) {
	h, err := New(Config{Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(t.Context())
	if err := h.Create(t.Context(), "coffee", coffee, Settings{}); err != nil {
		t.Fatal(err)
	}
	for _, rater := range []string{"ann", "ben"} {
		q, err := h.Ask(t.Context(), "coffee", Ask{Rater: rater})
		if err == nil {
			_, err = h.Tell(t.Context(), "coffee", Tell{Question: q.Asked.ID, Answer: prefer.Answer{Choice: prefer.First}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	stale := h.cache.Peek("coffee").Study
	if err := h.store.KeepNote(t.Context(), store.Note{Study: "coffee", Name: store.Derived + "x", Body: "ann"}); err != nil {
		t.Fatal(err)
	}
	if err := h.Rename(t.Context(), "coffee", Rename{"ann", "Annabel"}); err != nil {
		t.Fatal(err)
	}
	if n, err := h.Forget(t.Context(), "coffee", Whom{Rater: "ann"}); n != 3 || err != nil {
		t.Errorf("%d removed, %v; want a question, an answer and a note", n, err)
	}
	if err := h.store.KeepDerived(t.Context(), stale, store.Derived+"y", "ann"); !errors.Is(err, prefer.ErrConflict) {
		t.Errorf("what was derived of them is kept: %v", err)
	}
	var left any
	if err := h.With(t.Context(), "coffee", func(r *Study) error { left = r.Study.Events(0); return nil }); err != nil {
		t.Fatal(err)
	}
	notes, err := h.store.Notes(t.Context(), "coffee", "")
	text, _ := json.Marshal([]any{left, notes})
	if err != nil || strings.Contains(strings.ToLower(string(text)), "ann") || !strings.Contains(string(text), "ben") {
		t.Errorf("%s, %v", text, err)
	}
	if mark, like, err := h.Tokens.Forgotten(t.Context(), "coffee", "ann"); mark == "" || like == "" || err != nil {
		t.Errorf("their name is not kept out: %v", err)
	}
	if _, err := h.Forget(t.Context(), "coffee", Whom{Rater: "ann"}); errcode.Of(err) != "no_rater" {
		t.Errorf("twice: %v", err)
	}
	if q, err := h.Ask(t.Context(), "coffee", Ask{Rater: "ben"}); err != nil || q.Asked.ID != "q3" {
		t.Errorf("ben's next is %s, %v", q.Asked.ID, err)
	}
}

// leaving is a store whose caller leaves while it forgets, and which tells how long it was given.
type leaving struct {
	*store.Memory
	leave   context.CancelFunc
	bounded bool
	calls   int
}

func (l *leaving) Forget(ctx context.Context, study string, raters ...string) (int, error) {
	l.calls++
	_, l.bounded = ctx.Deadline()
	l.leave()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return l.Memory.Forget(ctx, study, raters...)
}

// TestForgetEnds: an erasure that has begun ends, whether or not who wanted it waits, and however long it takes: of many answers that is longer than one waits
// for anything else. All names of a person are erased at once.
func TestForgetEnds(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	st := &leaving{Memory: store.NewMemory(), leave: leave}
	h, err := New(Config{Store: st, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(t.Context())
	if err := h.Create(t.Context(), "coffee", coffee, Settings{}); err != nil {
		t.Fatal(err)
	}
	study, err := st.Study(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ann", "ann#2"} { // as in logs of before
		if _, err := study.Ask(t.Context(), prefer.Request{Rater: name}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := h.Forget(ctx, "coffee", Whom{Rater: "ann"}); n != 2 || err != nil || st.bounded || st.calls != 1 {
		t.Errorf("%d removed, %v, in %d calls, the time for it is bounded: %v", n, err, st.calls, st.bounded)
	}
}
