package report

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestReadings: every reading is what the study said at the time.
func TestReadings(t *testing.T) {
	ctx := context.Background()
	s, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Box(prefer.Float("x", 0, 1)), Initial: 9})
	if err != nil {
		t.Fatal(err)
	}
	var want []reading
	for k := range 5 {
		q, err := s.Ask(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		choice := prefer.First
		if q.First.Float("x") < q.Second.Float("x") {
			choice = prefer.Second
		}
		if _, err := s.Tell(ctx, q.ID, prefer.Answer{Choice: choice}); err != nil {
			t.Fatal(err)
		}
		best, err := s.Best(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, reading{k + 1, best.Confidence})
	}
	lengths, answers := prefixes(s.Events(), nil)
	got, err := readings(ctx, s.Events(), "", lengths, answers, func() {})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestPrefixes: all of a short log, forty of a longer one, twelve of a long one, the last always; of one rater hers.
func TestPrefixes(t *testing.T) {
	for n, want := range map[int]int{0: 0, 7: 7, 40: 40, 41: 40, 150: 40, 151: 12, 1000: 12} {
		events := []prefer.Event{{Created: &prefer.Created{}}}
		for i := range n {
			rater := []string{"a", "b"}[i%2]
			events = append(events, prefer.Event{Observed: &prefer.Observed{Duel: prefer.Duel{Rater: rater}}})
		}
		lengths, answers := prefixes(events, nil)
		if len(lengths) != want || len(answers) != want {
			t.Errorf("%d of %d answers, want %d", len(lengths), n, want)
		}
		if want > 0 && (lengths[want-1] != n+1 || answers[want-1] != n) {
			t.Errorf("the last prefix of %d answers has %d", n, answers[want-1])
		}
		for i := range lengths {
			if lengths[i] != answers[i]+1 || i > 0 && lengths[i] <= lengths[i-1] {
				t.Errorf("prefix %d of length %d has %d answers", i, lengths[i], answers[i])
			}
		}
		b := "b"
		if lengths, answers := prefixes(events, &b); n == 7 && (!slices.Equal(lengths, []int{3, 5, 7}) || !slices.Equal(answers, []int{1, 2, 3})) {
			t.Errorf("of rater b: %v with %v answers", lengths, answers)
		}
	}
}

// TestPath: who said what, with what is worth a note.
func TestPath(t *testing.T) {
	ctx := context.Background()
	s := played(t, prefer.Config{Space: coffee(), Answers: prefer.Answers{Grades: 2}}, 2, taste, "anna")
	o := s.History()[0].First
	other := s.History()[0].Second
	for _, a := range []prefer.Answer{{Choice: prefer.Second, Strength: 1, Check: true}, {Choice: prefer.First, Strength: 2}, {Choice: prefer.Tie}} {
		if _, err := s.Observe(ctx, prefer.Duel{First: o, Second: other, Rater: "ben", Answer: a}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Undo(ctx, s.History()[3].ID); err != nil {
		t.Fatal(err)
	}
	list := path(s, newShower(s, Options{}.withDefaults()), Options{}.withDefaults(), nil)
	var heard []string
	for _, a := range list[2:] {
		heard = append(heard, a.Said+" ("+a.Note+")")
	}
	want := "clearly second (from elsewhere, check, not learned from); first, strength 2 (from elsewhere, taken back); can't tell (from elsewhere)"
	if got := strings.Join(heard, "; "); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := said(prefer.Answer{Choice: prefer.BothBad}); got != "both bad" {
		t.Error(got)
	}
	if a := list[0]; a.Rater != "anna" || a.Note != "to begin with, sides swapped" || a.Response != "1.5 s" || a.Time != "4 Mar 09:03:00" || !strings.HasPrefix(a.First, "sugar ") {
		t.Errorf("%+v", a)
	}
	if list[2].Won != 2 || list[3].Won != 1 || !list[3].Undone || list[4].Won != 0 {
		t.Errorf("%+v", list[2:])
	}
}
