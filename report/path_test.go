package report

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

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
	list := path(s, newPresenter(s, Options{}.withDefaults()), nil, nil)
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
	before, raters := readings(s.Events(0), nil), []prefer.Rater{{Name: "anna"}}
	text := func() string { // but for the hash of the log
		methods, err := methodsText(s, raters, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return lead(s, raters) + strings.Join(methods[:len(methods)-1], "\n")
	}
	without := text()
	q, err := s.Ask(t.Context(), prefer.Request{Rater: "anna", Blind: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
		t.Fatal(err)
	}
	list := path(s, newPresenter(s, Options{}.withDefaults()), nil, nil)
	if len(list) != 5 || list[4].Note != "blind duel of the pick, check, not learned from" {
		t.Errorf("the path is %+v", list)
	}
	if got := readings(s.Events(0), nil); !reflect.DeepEqual(got, before) {
		t.Errorf("the readings are %+v, without a check %+v", got, before)
	}
	if got := strings.Replace(text(), " 1 blind duel of the pick against rivals was not learned from.", "", 1); got != without || got == text() {
		t.Errorf("the report says\n%s\nwithout a check\n%s", text(), without)
	}
}

// TestPracticePath: what somebody practised on is in the path with a note, and no answer anywhere else.
func TestPracticePath(t *testing.T) {
	s := played(t, prefer.Config{Space: coffee()}, 4, taste, "anna")
	before, text := readings(s.Events(0), nil), lead(s, nil)
	q, err := s.Ask(t.Context(), prefer.Request{Rater: "anna", Practice: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: prefer.First}); err != nil {
		t.Fatal(err)
	}
	if text, err := newMethods(s, nil, Options{}).text("procedure"); err != nil || !strings.Contains(text, "Of 4 answers to questions, ") || !strings.Contains(text, "1 answer to practice questions was not learned from.") {
		t.Errorf("the methods say %s, %v", text, err)
	}
	if list := path(s, newPresenter(s, Options{}.withDefaults()), nil, nil); len(list) != 5 || list[4].Note != "practice, not learned from" {
		t.Errorf("the path is %+v", list)
	}
	if got := readings(s.Events(0), nil); !reflect.DeepEqual(got, before) || lead(s, nil) != text {
		t.Errorf("the readings are %+v, %s, without practice %+v, %s", got, lead(s, nil), before, text)
	}
}
