package live

import (
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestBackgroundAhead: while a rater looks the next question is chosen and found ready, and the status becomes that of
// the verdict by itself.
func TestBackgroundAhead(t *testing.T) {
	h := busyTestStudies(t, nil)
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
	h := busyTestStudies(t, nil)
	h.ask("bob")
	before := h.Counters.Prefetched.Load()
	h.tell(h.ask("ann"), prefer.First)
	h.ask("ann")
	await(t, "the verdict", func() bool { return h.ask("ann").Status.At == 1 })
	if after := h.Counters.Prefetched.Load(); after > before+3 { // bob's own, if it began before ann came
		t.Errorf("%d questions were chosen ahead", after-before)
	}
}

// TestStatusOfEach: budgets are each rater's own, skips and checks count for nothing, and settings of before there were
// budgets have one in their goal.
func TestStatusOfEach(t *testing.T) {
	h := newTestStudies(t, nil)
	if err := h.Alter(t.Context(), "coffee", prefer.Change{}, func(s *Settings) { s.Page.Goal = 3 }); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, rater := range []string{"ann", "bob"} {
			h.tell(h.ask(rater), prefer.First)
		}
		h.tell(h.ask("eve"), prefer.Skip)
	}
	for rater, want := range map[string]Status{
		"ann": {Verdict: "budget_reached", Answers: 6, Given: 3}, "bob": {Verdict: "budget_reached", Answers: 6, Given: 3},
		"cat": {Verdict: "keep_going", Answers: 6}, "eve": {Verdict: "keep_going", Answers: 6}, "": {Verdict: "keep_going", Answers: 6},
	} {
		st := h.open().Status(rater)
		if st.Verdict != want.Verdict || st.Answers != want.Answers || st.Given != want.Given || st.Budget != 3 {
			t.Errorf("%q: %+v, want %+v", rater, st, want)
		}
		v, err := h.open().Verdict(t.Context(), rater)
		if rater == "" {
			want.Verdict, want.Given = "budget_reached", 3 // an owner who looks sees how the others stand
		}
		if err != nil || string(v.Kind) != want.Verdict || v.Given != want.Given || v.Budget != 3 || v.Answers != 6 {
			t.Errorf("%q: %+v, %v, want %+v", rater, v, err, want)
		}
	}
	if told := h.tell(h.ask("ann"), prefer.First); told.Status.Given != 4 || told.Status.Verdict != "budget_reached" {
		t.Errorf("beyond the budget: %+v", told)
	}
}

// TestObservedSparesTheBudget: duels that were reported, as an import brings them, teach, and leave the budget of whose they are
// as it was.
func TestObservedSparesTheBudget(t *testing.T) {
	h := newTestStudies(t, nil)
	if err := h.Alter(t.Context(), "coffee", prefer.Change{}, func(s *Settings) { s.Page.Goal = 3 }); err != nil {
		t.Fatal(err)
	}
	check := func(what string, want Status) {
		t.Helper()
		st := h.open().Status("ann")
		if st.Verdict != want.Verdict || st.Answers != want.Answers || st.Given != want.Given || st.Budget != 3 {
			t.Errorf("%s: status %+v, want %+v", what, st, want)
		}
		v, err := h.open().Verdict(t.Context(), "ann")
		if err != nil || string(v.Kind) != want.Verdict || v.Answers != want.Answers || v.Given != want.Given || v.Budget != 3 {
			t.Errorf("%s: verdict %s after %d answers, %d given of %d, %v, want %+v", what, v.Kind, v.Answers, v.Given, v.Budget, err, want)
		}
	}
	for i := range 4 {
		d := prefer.Duel{Answer: prefer.Answer{Choice: prefer.First},
			First:  space.Option{"milk": space.ValueOf(0.2 * float64(i)), "sugar": space.ValueOf(1.0)},
			Second: space.Option{"milk": space.ValueOf(0.9 - 0.1*float64(i)), "sugar": space.ValueOf(3.0)}}
		if _, err := h.Tell(t.Context(), "coffee", Tell{Rater: "ann", Owner: true, Duel: &d}); err != nil {
			t.Fatal(err)
		}
	}
	check("four reported", Status{Verdict: "keep_going", Answers: 4})
	for range 2 {
		h.tell(h.ask("ann"), prefer.First)
	}
	check("two asked for", Status{Verdict: "keep_going", Answers: 6, Given: 2})
	h.tell(h.ask("ann"), prefer.First)
	check("three asked for", Status{Verdict: "budget_reached", Answers: 7, Given: 3})
}

// TestStatusTakenBack: a verdict that rests on an answer which was taken back, or turned round, is none.
func TestStatusTakenBack(t *testing.T) {
	h := newTestStudies(t, nil)
	q := h.ask("ann")
	told := h.tell(q, prefer.First)
	if _, err := h.open().Verdict(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if st := h.open().Status("ann"); st.At != 1 || *st.Confidence == 0 || h.open().stale("ann", 0) {
		t.Errorf("the verdict is known, and the status %+v", st)
	}
	if _, err := h.Flip(t.Context(), "coffee", prefer.AnswerID(told.Answer)); err != nil {
		t.Fatal(err)
	}
	if st := h.open().Status("ann"); st.At != 0 || st.Answers != 1 || !h.open().stale("ann", 0) {
		t.Errorf("turned round: %+v", st)
	}
	if _, err := h.open().Verdict(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Take(t.Context(), "coffee", Take{Rater: "ann", Owner: true}); err != nil {
		t.Fatal(err)
	}
	if st := h.open().Status("ann"); st.At != 0 || st.Answers != 1 || !h.open().stale("ann", 0) {
		t.Errorf("they would not take it: %+v", st)
	}
	if _, err := h.Undo(t.Context(), "coffee", Undo{Rater: "ann"}); err != nil {
		t.Fatal(err)
	}
	if st := h.open().Status("ann"); st.At != 0 || st.Answers != 0 || *st.Confidence != 0 {
		t.Errorf("taken back: %+v", st)
	}
}

// TestGoalIsBudget: a new study keeps the goal of its page as its budget, unless it states one.
func TestGoalIsBudget(t *testing.T) {
	h := newTestStudies(t, nil)
	for name, budget := range map[string]int{"none": 0, "own": 7} {
		cfg := coffee
		cfg.Budget = budget
		if err := h.Create(t.Context(), name, cfg, Settings{Page: Appearance{Goal: 5}}); err != nil {
			t.Fatal(err)
		}
		err := h.With(t.Context(), name, func(r *Study) error {
			if want := max(5, budget); r.Budget() != want || r.Config.Budget != want {
				t.Errorf("%s: %d answers, in the log %d, want %d", name, r.Budget(), r.Config.Budget, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
