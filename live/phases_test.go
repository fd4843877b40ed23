package live

import (
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// seat opens the study coffee, in which everybody is led through.
func phasesRoom(t *testing.T, s Settings, budget int) *testStudies {
	t.Helper()
	h := openTestStudies(t, freshStore(t), func(c *Config) { c.Workers = -1 })
	cfg := coffee
	cfg.Initial, cfg.Budget = 1000, budget
	if err := h.Create(t.Context(), "coffee", cfg, s); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestPracticeTakenBack: what is taken back is practised again, however many questions are open at once, and who was asked
// something else has begun.
func TestPracticeTakenBack(t *testing.T) {
	h := phasesRoom(t, Settings{Phases: Phases{Practice: 3}}, 0)
	qs, err := h.AskSeveral(t.Context(), "coffee", Ask{Rater: "ann", Owner: true}, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range qs {
		if q.Practice != (i < 3) {
			t.Errorf("question %d of five at once is to practise on: %v", i, q.Practice)
		}
	}
	if s := h.open().Status("ann"); s.Practice != 0 {
		t.Errorf("a rater who has begun has still to practise: %d", s.Practice)
	}
	for range 2 {
		h.tell(h.ask("bo"), prefer.First)
	}
	last := h.ask("bo")
	h.tell(last, prefer.Skip) // which is practice, too
	if q := h.ask("bo"); !last.Practice || q.Practice || last.Status.Practice != 1 {
		t.Errorf("%+v follows %+v", q, last)
	}
	for range 2 { // the question that was asked since is withdrawn
		if _, err := h.Undo(t.Context(), "coffee", Undo{Rater: "bo"}); err != nil {
			t.Fatal(err)
		}
	}
	if q := h.ask("bo"); !q.Practice || q.Status.Practice != 2 {
		t.Errorf("two taken back there is %+v", q)
	}
}

// TestBreaks: one after each block of answers that count, until the next thing is said.
func TestBreaks(t *testing.T) {
	catch := Catch{Better: space.Option{"milk": space.ValueOf(1), "sugar": space.ValueOf(0)}, Worse: space.Option{"milk": space.ValueOf(0), "sugar": space.ValueOf(5)}}
	h := phasesRoom(t, Settings{Phases: Phases{BreakEvery: 4}, Checks: Checks{Catch: []Catch{catch}, CatchEvery: 5}}, 8)
	var path []int
	for range 10 { // the fifth and the tenth are catch questions, which do not count
		q := h.ask("ann")
		path = append(path, q.Status.Break)
		if again := h.ask("ann"); again.Status.Break != q.Status.Break {
			t.Errorf("looked at again, the break is %d, was %d", again.Status.Break, q.Status.Break)
		}
		h.tell(q, prefer.First)
	}
	want := []int{0, 0, 0, 0, 4, 0, 0, 0, 0, 0} // none at the end
	for i := range want {
		if path[i] != want[i] {
			t.Fatalf("the breaks are %v, want %v", path, want)
		}
	}
	if s := h.open().Status("ann"); s.Given != 8 || s.Break != 0 || s.Verdict != string(prefer.BudgetReached) {
		t.Errorf("at the end the status is %+v", s)
	}
}
