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
		want = append(want, reading{len(s.Events()), k + 1, best.Confidence})
	}
	got := beginnings(s.Events(), nil)
	if err := replay(ctx, s.Events(), "", got, func() {}); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestBeginnings: all of a short log, forty of a longer one, twelve of a long one, the last always; of one rater hers.
func TestBeginnings(t *testing.T) {
	for n, want := range map[int]int{0: 0, 7: 7, 40: 40, 41: 40, 150: 40, 151: 12, 1000: 12} {
		events := []prefer.Event{{Created: &prefer.Created{}}}
		for i := range n {
			rater := []string{"a", "b"}[i%2]
			events = append(events, prefer.Event{Observed: &prefer.Observed{Duel: prefer.Duel{Rater: rater}}})
		}
		list := beginnings(events, nil)
		if len(list) != want {
			t.Errorf("%d of %d answers, want %d", len(list), n, want)
		}
		if want > 0 && (list[want-1].events != n+1 || list[want-1].answers != n) {
			t.Errorf("the last beginning of %d answers is %+v", n, list[want-1])
		}
		for i, r := range list {
			if r.events != r.answers+1 || i > 0 && r.events <= list[i-1].events {
				t.Errorf("beginning %d is %+v", i, r)
			}
		}
		b := "b"
		if list := beginnings(events, &b); n == 7 && !slices.Equal(list, []reading{{events: 3, answers: 1}, {events: 5, answers: 2}, {events: 7, answers: 3}}) {
			t.Errorf("of rater b: %+v", list)
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
	list := path(s, newPresenter(s, Options{}.withDefaults()), nil)
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

// TestBlindPath: a blind duel is in the path with a note, and no answer anywhere else.
func TestBlindPath(t *testing.T) {
	s := played(t, prefer.Config{Space: coffee()}, 4, taste, "anna")
	before, raters := beginnings(s.Events(), nil), []prefer.Rater{{Name: "anna"}}
	text := func() string { // but for the hash of the log
		methods, err := methodsText(s, raters, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return lead(s, raters) + strings.Join(methods[:len(methods)-1], "\n")
	}
	without := text()
	q, err := s.AskFor(t.Context(), prefer.Request{Rater: "anna", Blind: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
		t.Fatal(err)
	}
	list := path(s, newPresenter(s, Options{}.withDefaults()), nil)
	if len(list) != 5 || list[4].Note != "blind duel of the pick, check, not learned from" {
		t.Errorf("the path is %+v", list)
	}
	if got := beginnings(s.Events(), nil); !slices.Equal(got, before) {
		t.Errorf("the readings are %+v, without a check %+v", got, before)
	}
	if got := strings.Replace(text(), " 1 blind duel of the pick against rivals was not learned from.", "", 1); got != without || got == text() {
		t.Errorf("the report says\n%s\nwithout a check\n%s", text(), without)
	}
}

// TestPracticePath: what somebody practised on is in the path with a note, and no answer anywhere else.
func TestPracticePath(t *testing.T) {
	s := played(t, prefer.Config{Space: coffee()}, 4, taste, "anna")
	before, text := beginnings(s.Events(), nil), lead(s, nil)
	q, err := s.AskFor(t.Context(), prefer.Request{Rater: "anna", Practice: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
		t.Fatal(err)
	}
	if text := newConduct(s, nil).text("", nil); !strings.Contains(text, "Of 4 answers to questions ") || !strings.Contains(text, "1 answer to practice questions was not learned from.") {
		t.Errorf("the methods say %s", text)
	}
	if list := path(s, newPresenter(s, Options{}.withDefaults()), nil); len(list) != 5 || list[4].Note != "practice, not learned from" {
		t.Errorf("the path is %+v", list)
	}
	if got := beginnings(s.Events(), nil); !slices.Equal(got, before) || lead(s, nil) != text {
		t.Errorf("the readings are %+v, %s, without practice %+v, %s", got, lead(s, nil), before, text)
	}
}
