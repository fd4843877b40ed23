package prefer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/pairs"
)

// another asks one more question although some are open.
func another(t *testing.T, s *Study, rater string) Question {
	t.Helper()
	q, err := s.Ask(ctx, Request{Rater: rater, Another: true})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestAnother: a rater may have several questions open, different ones; a plain Ask returns the oldest; they are answered
// in any order, nobody else's questions are like them; and the log replays.
func TestAnother(t *testing.T) {
	for _, answers := range []int{0, 8} { // among quasi-random pairs, and among those of the method
		s := start(t, Config{Space: coffee(), Modelling: Modelling{Search: little}})
		play(t, s, "ann", answers)
		first, second, third := another(t, s, "ann"), another(t, s, "ann"), another(t, s, "ann")
		bob := ask(t, s, "bob")
		if q := ask(t, s, "ann"); q.ID != first.ID {
			t.Errorf("asked again: %s, want the oldest, %s", q.ID, first.ID)
		}
		if got := ids(s.OpenQuestions("ann")); !slices.Equal(got, []QuestionID{first.ID, second.ID, third.ID}) {
			t.Errorf("open are %v", got)
		}
		open := s.view("").pending
		for i, q := range open {
			if pairs.Clash(s.state.code, askedPairs(open[:i]), q.a, q.b, pairs.Close) {
				t.Errorf("question %s is one that is open already", q.ID)
			}
		}
		tell(t, s, second.ID, First)
		tell(t, s, third.ID, Skip)
		unchanged(t, s, "answered", coded("no_question"), func() error { _, err := s.Tell(ctx, second.ID, Answer{Choice: First}); return err })
		if got := ids(s.OpenQuestions("ann")); !slices.Equal(got, []QuestionID{first.ID}) {
			t.Errorf("open are %v, want %s", got, first.ID)
		}
		tell(t, s, first.ID, Second)
		tell(t, s, bob.ID, First)
		if got := s.OpenQuestions("ann"); got != nil {
			t.Errorf("open are %v, want none", ids(got))
		}
		if q, ok := s.Question(second.ID); !ok || q.First.String() != second.First.String() {
			t.Errorf("question %s is %+v, %t", second.ID, q, ok)
		}
		if _, ok := s.Question("q99"); ok {
			t.Error("there is a question that was never asked")
		}
		if a, b := ask(t, s, "ann"), ask(t, reopen(t, s.Events(0)), "ann"); a.First.String() != b.First.String() || a.ID != b.ID {
			t.Errorf("replayed, %s is asked, not %s", b.ID, a.ID)
		}
	}
}

func ids(qs []Question) (out []QuestionID) {
	for _, q := range qs {
		out = append(out, q.ID)
	}
	return out
}

// TestUndoAmongSeveral: taking an answer back withdraws what was asked since, and leaves what was open beside it.
func TestUndoAmongSeveral(t *testing.T) {
	s := start(t, Config{Space: coffee(), Initial: 30})
	check := func(when string, want ...Question) {
		t.Helper()
		for _, s := range []*Study{s, reopen(t, s.Events(0))} {
			if got := ids(s.OpenQuestions("ann")); !slices.Equal(got, ids(want)) {
				t.Errorf("%s %v are open, want %v", when, got, ids(want))
			}
		}
	}
	q1, q2, q3 := another(t, s, "ann"), another(t, s, "ann"), another(t, s, "ann")
	a1, a2 := tell(t, s, q1.ID, First), tell(t, s, q2.ID, First)
	q4 := another(t, s, "ann")
	check("after two answers", q3, q4)
	undo(t, s, a1)
	check("back at the first", q1, q3) // the fourth was asked since
	unchanged(t, s, "withdrawn", coded("no_question"), func() error { _, err := s.Tell(ctx, q4.ID, Answer{Choice: First}); return err })
	undo(t, s, a2)
	check("back at the second, too", q1, q2, q3)
	tell(t, s, q3.ID, First)
	tell(t, s, q2.ID, First)
	a1 = tell(t, s, q1.ID, First)
	q5 := ask(t, s, "ann")
	a5 := tell(t, s, q5.ID, First)
	undo(t, s, a1)
	check("back at the first alone", q1)
	undo(t, s, a5)
	check("at one that was never beside it", q5) // as ever: they are back at this one
}

// TestPrefetchAmongSeveral: what is chosen ahead counts on their other questions.
func TestPrefetchAmongSeveral(t *testing.T) {
	s, plain := start(t, Config{Space: coffee(), Modelling: Modelling{Search: little}}), start(t, Config{Space: coffee(), Modelling: Modelling{Search: little}})
	for _, s := range []*Study{s, plain} {
		play(t, s, "ann", 6)
		ask(t, s, "ann")
		another(t, s, "ann")
	}
	if n, err := s.Host().Prefetch(ctx, "ann"); n != 3 || err != nil {
		t.Fatalf("%d chosen ahead, %v", n, err)
	}
	for _, s := range []*Study{s, plain} {
		tell(t, s, s.OpenQuestions("ann")[0].ID, Second)
	}
	if !s.Host().Ready("ann") || plain.Host().Ready("ann") {
		t.Errorf("ready: %t, without choosing ahead %t", s.Host().Ready("ann"), plain.Host().Ready("ann"))
	}
	if a, b := another(t, s, "ann"), another(t, plain, "ann"); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("ahead %+v, otherwise %+v", a, b)
	}
}
