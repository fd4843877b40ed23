package live

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestAsk: a question comes as it is shown, the answer speaks of that, and the log of the question's own first option.
func TestAsk(t *testing.T) {
	h := newTestStudies(t, nil)
	swapped := 0
	for i := range 10 {
		q := h.ask("ann")
		first, second := q.Asked.First, q.Asked.Second
		if q.Swapped {
			first, second = second, first
			swapped++
		}
		if fmt.Sprint(q.Options[0].Params, q.Options[1].Params) != fmt.Sprint(first, second) || q.ID != string(q.Asked.ID) || q.Why != nil {
			t.Fatalf("question %d is %+v", i, q)
		}
		told := h.tell(q, prefer.First)
		history := h.open().Study.History()
		last := history[len(history)-1]
		want := prefer.First
		if q.Swapped {
			want = prefer.Second
		}
		if last.Answer.Choice != want || last.Answer.Swapped != q.Swapped || !last.Answer.RandomSides || told.Status.Answers != i+1 {
			t.Errorf("shown first, and swapped %v, is kept as %+v", q.Swapped, last.Answer)
		}
	}
	if swapped != 5 {
		t.Errorf("%d of ten were swapped, want every other one", swapped)
	}
}

// TestAskEnds: an ask that is cancelled says so and leaves nothing behind.
func TestAskEnds(t *testing.T) {
	h := newTestStudies(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := h.Ask(ctx, "coffee", Ask{Rater: "ann"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	h.ask("bob")
	if seq := h.open().Seq(); seq != 2 {
		t.Errorf("the log has %d events, want 2", seq)
	}
}

// TestAskSeveral: so many questions are open for one rater, under their name, each with a side of its own; what they answer
// is replaced, and what they take back is open again.
func TestAskSeveral(t *testing.T) {
	h := newTestStudies(t, nil)
	several := func(n int) []Question {
		t.Helper()
		qs, err := h.AskSeveral(t.Context(), "coffee", Ask{Rater: "ann", Owner: true}, n)
		if err != nil || len(qs) != n {
			t.Fatalf("%d questions, %v, want %d", len(qs), err, n)
		}
		for _, q := range qs {
			if q.Rater != "ann" || q.Asked.Rater != "ann" {
				t.Errorf("a question is for %q", q.Rater)
			}
		}
		return qs
	}
	qs := several(4)
	if qs[0].Swapped == qs[1].Swapped || qs[2].Swapped == qs[3].Swapped {
		t.Errorf("sides are not balanced: %v %v %v %v", qs[0].Swapped, qs[1].Swapped, qs[2].Swapped, qs[3].Swapped)
	}
	if again := several(2); again[0].ID != qs[0].ID || again[1].ID != qs[1].ID {
		t.Errorf("fewer are %s and %s, want the oldest", again[0].ID, again[1].ID)
	}
	if one := h.ask("ann"); one.ID != qs[0].ID {
		t.Errorf("one is %s, want the oldest", one.ID)
	}
	h.tell(qs[1], prefer.First)
	after := several(4)
	if after[0].ID != qs[0].ID || after[1].ID != qs[2].ID || after[2].ID != qs[3].ID {
		t.Errorf("after an answer to the second there are %s %s %s", after[0].ID, after[1].ID, after[2].ID)
	}
	undone, err := h.Undo(t.Context(), "coffee", Undo{Rater: "ann"})
	if err != nil || undone.Question != qs[1].ID {
		t.Errorf("undone is %+v, %v", undone, err)
	}
	if back := several(4); back[1].ID != qs[1].ID {
		t.Errorf("what was taken back is not open: %s", back[1].ID)
	}
}

// TestNumberedRaters: in a log of before several questions could be open for one rater, theirs have names with a number, and
// are theirs.
func TestNumberedRaters(t *testing.T) {
	h := newTestStudies(t, nil)
	study, err := h.store.Study(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	q, err := study.Ask(t.Context(), prefer.Request{Rater: "ann#2"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Tell(t.Context(), "coffee", Tell{Question: q.ID, Rater: "bob", Answer: prefer.Answer{Choice: prefer.First}}); !isCode(err, OtherRater) {
		t.Errorf("bob answers it: %v", err)
	}
	told, err := h.Tell(t.Context(), "coffee", Tell{Question: q.ID, Rater: "ann", Answer: prefer.Answer{Choice: prefer.First}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Undo(t.Context(), "coffee", Undo{Answer: prefer.AnswerID(told.Answer), Rater: "ann"}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"ann#2", "a\nb"} {
		if _, err := h.Ask(t.Context(), "coffee", Ask{Rater: name}); !isCode(err, Invalid) {
			t.Errorf("a new rater is called %q: %v", name, err)
		}
	}
}

// TestShownText: every option of a list has words to read: its text, or its id where there is neither text nor media.
func TestShownText(t *testing.T) {
	items := []space.Item{{ID: "Be brief."}, {ID: "Think, then answer."}, {ID: "c", Text: "Explain."}, {ID: "d", Media: "d.png"}}
	h := newTestStudies(t, nil).create("prompts", prefer.Config{Space: space.Space{Items: items}})
	err := h.With(t.Context(), "prompts", func(r *Study) error {
		for id, want := range map[string]string{"Be brief.": "Be brief.", "c": "Explain.", "d": ""} {
			if got := r.Show(space.ItemOption(id)).Item.Text; got != want {
				t.Errorf("the text of %q is %q, want %q", id, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
