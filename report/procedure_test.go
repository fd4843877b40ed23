package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
)

// TestProcedure: everything that was done with people is told with its number, and what was not done is told, too.
func TestProcedure(t *testing.T) {
	ctx := t.Context()
	s, err := prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("gain", 0, 10), space.Categorical("noise", "quiet", "babble")), Initial: 20, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	say := func(r prefer.Request, a prefer.Answer) (prefer.QuestionID, prefer.AnswerID) {
		t.Helper()
		r.Rater = "P1"
		q, err := s.Ask(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		id, err := s.Tell(ctx, q.ID, a)
		if err != nil {
			t.Fatal(err)
		}
		return q.ID, id
	}
	raters, err := s.Raters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	text, err := newMethods(s, raters, Options{}).text("procedure")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Of 0 answers to questions, 0 had their sides swapped; the left option was chosen in 0 of 0 preferences. There were no hidden repeats. " +
		"There were no catch questions. Undone: 0 answers; skipped: 0 questions; refused as too quick: 0 answers. None of these counts. No rater was excluded."; text != want {
		t.Errorf("of nothing it says\n%s\nwant\n%s", text, want)
	}
	in := func(noise string) prefer.Request {
		return prefer.Request{Fixed: space.Option{"noise": space.ValueOf(noise)}}
	}
	first, _ := say(in("quiet"), prefer.Answer{Choice: prefer.First, Refused: 2})
	say(in("babble"), prefer.Answer{Choice: prefer.Second, Swapped: true})
	say(in("babble"), prefer.Answer{Choice: prefer.Tie})
	_, id := say(prefer.Request{}, prefer.Answer{Choice: prefer.First, Refused: 1})
	say(prefer.Request{Repeat: first}, prefer.Answer{Choice: prefer.Second})
	low, high := space.Option{"gain": space.ValueOf(0.0), "noise": space.ValueOf("quiet")}, space.Option{"gain": space.ValueOf(10.0), "noise": space.ValueOf("quiet")}
	say(prefer.Request{Catch: &prefer.Duel{First: low, Second: high}}, prefer.Answer{Choice: prefer.First, Check: true})
	if err := s.Undo(ctx, id); err != nil {
		t.Fatal(err)
	}
	say(prefer.Request{}, prefer.Answer{Choice: prefer.Skip})
	say(prefer.Request{Practice: true}, prefer.Answer{Choice: prefer.First, Swapped: true})
	if err := s.Change(ctx, prefer.Change{Exclude: []string{"P1"}, Why: "asleep"}); err != nil {
		t.Fatal(err)
	}
	budget := 30
	if err := s.Change(ctx, prefer.Change{Budget: &budget}); err != nil {
		t.Fatal(err)
	}
	if raters, err = s.Raters(ctx); err != nil {
		t.Fatal(err)
	}
	if text, err = newMethods(s, raters, Options{Procedure: "How."}).text("procedure"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"How. Of 5 answers to questions, 1 had their sides swapped; the left option was chosen in 3 of 4 preferences.",
		"1 answer was to hidden repeats; 1 of 1 agreed with the answer before.", "1 answer was to catch questions",
		"In 4 of these answers noise was given (babble 2, quiet 2).", "Undone: 1 answer; skipped: 1 question; refused as too quick: 3 answers",
		"1 answer to practice questions was not learned from.", "Excluded from what was learned about all: P1 (asleep).", "was changed 1 time while it ran",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	source, err := sourceText(s)
	if err != nil {
		t.Fatal(err)
	}
	config, _ := s.Events(0)[0].Created.Config.Hash() // as it was made, whatever was changed since
	log, _ := logfile.Hash(s.Events(0))
	for _, want := range []string{s.Events(0)[0].Created.Kernels + " kernels", config, fmt.Sprintf("its log of %d events %s.", len(s.Events(0)), log)} {
		if !strings.Contains(source, want) {
			t.Errorf("it does not say %q:\n%s", want, source)
		}
	}
}
