package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// settle has a utility of the study stand at this kind, after all answers there are.
func (h *testStudies) settle(of string, kind prefer.VerdictKind) {
	r := h.open()
	r.look(func(x *index) {
		r.verdicts[of] = standing{prefer.Verdict{Kind: kind, Best: prefer.Best{Option: space.Option{"milk": space.ValueOf(0.5), "sugar": space.ValueOf(1.0)}, Confidence: 0.95}}, x.count(of, "")}
	})
}

// TestVerdictFor: what others have found ends nobody's questions before their own budget or ownSay answers, and what a rater found alone
// ends theirs.
func TestVerdictFor(t *testing.T) {
	for _, budget := range []int{0, 3} {
		t.Run(fmt.Sprint("budget ", budget), func(t *testing.T) {
			h := newTestStudies(t, nil)
			if err := h.Alter(t.Context(), "coffee", prefer.Change{}, func(s *Settings) { s.Page.Goal = budget }); err != nil {
				t.Fatal(err)
			}
			h.tell(h.ask("ann"), prefer.First)
			h.settle("", prefer.Settled)
			if st := h.open().Status("ann"); st.Verdict != "done" || st.Found != "" || st.Raters != 1 {
				t.Errorf("ann, alone, stands at %+v", st)
			}
			say := ownSay
			if budget > 0 {
				say = budget
			}
			for n := range say {
				h.settle("", prefer.Settled)
				st := h.open().Status("bob")
				if st.Verdict != "keep_going" || st.Found != "done" || st.Left != [2]int{say - n, say - n} || st.Given != n || !strings.Contains(st.Sentence, fmt.Sprintf("%d more question", say-n)) {
					t.Fatalf("bob, after %d answers of his own, stands at %+v", n, st)
				}
				told := h.tell(h.ask("bob"), prefer.First)
				if told.Next != nil {
					t.Fatal("nobody asked for the next")
				}
			}
			h.settle("", prefer.Settled)
			if st := h.open().Status("bob"); st.Verdict != "done" || st.Found != "" || st.Raters != 2 || st.Given != say {
				t.Errorf("bob, who has had his say, stands at %+v", st)
			}
			if st := h.open().Status("ann"); st.Verdict != "keep_going" || st.Found != "done" {
				t.Errorf("ann, after bob has come, stands at %+v", st)
			}
		})
	}
}

// TestVerdictForOfEach: with a utility each, nobody's ending is another's.
func TestVerdictForOfEach(t *testing.T) {
	h := newTestStudies(t, nil)
	each := coffee
	each.People = prefer.PerRater
	h.create("each", each)
	err := h.With(t.Context(), "each", func(r *Study) error {
		for _, rater := range []string{"ann", "bob"} {
			q, err := h.Ask(t.Context(), "each", Ask{Rater: rater})
			if err != nil {
				return err
			}
			if _, err := h.Tell(t.Context(), "each", Tell{Question: q.Asked.ID, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
				return err
			}
		}
		r.look(func(x *index) {
			r.verdicts["ann"] = standing{prefer.Verdict{Kind: prefer.Settled}, x.count("ann", "")}
		})
		if ann, bob := r.Status("ann"), r.Status("bob"); ann.Verdict != "done" || bob.Verdict != "keep_going" || bob.Found != "" || ann.Raters != 1 || ann.Answers != 1 {
			t.Errorf("ann stands at %+v, bob at %+v", ann, bob)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAll: the verdict on what everybody shares is at its budget when all who have answered are.
func TestAll(t *testing.T) {
	h := newTestStudies(t, nil)
	if err := h.Alter(t.Context(), "coffee", prefer.Change{}, func(s *Settings) { s.Page.Goal = 2 }); err != nil {
		t.Fatal(err)
	}
	for n, want := range []prefer.VerdictKind{prefer.KeepGoing, prefer.BudgetReached} {
		h.tell(h.ask("ann"), prefer.First)
		h.tell(h.ask("bob"), prefer.First)
		v, err := h.open().All(t.Context(), nil)
		if err != nil || v.Kind != want || v.Given != n+1 || v.Raters != 2 {
			t.Errorf("after %d answers of each: %+v, %v, want %s", n+1, v, err, want)
		}
	}
}
