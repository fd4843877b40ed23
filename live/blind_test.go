package live

import (
	"errors"
	"reflect"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// TestBlind: blind duels are asked beside a rater's question, are shown like any other, count for no goal, are no
// material of hidden checks, and can be taken back.
func TestBlind(t *testing.T) {
	r := openTestStudies(t, freshStore(t), func(c *Config) { c.Workers = -1 }).create("coffee", prefer.Config{Space: space.Box(space.Float("x", 0, 1)), Seed: 2, People: prefer.PerRater})
	if _, err := r.Ask(t.Context(), "coffee", Ask{Rater: "ann", Owner: true, Blind: true}); errcode.Of(err) != "no_pick" {
		t.Errorf("before any answer: %v, want no_pick", err)
	}
	for range 6 {
		r.tell(r.ask("ann"), prefer.First)
	}
	waiting := r.ask("ann")
	swapped := 0
	var first prefer.Choice
	for i := range 4 {
		q := r.askFor(Ask{Rater: "ann", Owner: true, Blind: true})
		if !q.Blind || q.Why != nil {
			t.Errorf("asked %+v", q)
		}
		pick := q.Asked.Blind.Pick // the rater takes the pick, wherever it is shown
		if q.Swapped {
			pick = opposite(pick)
			swapped++
		}
		if i == 0 {
			first = pick
		}
		if told := r.tell(q, pick); told.Status.Answers != 6 {
			t.Errorf("%d answers after a blind duel, want 6", told.Status.Answers)
		}
	}
	if swapped != 2 {
		t.Errorf("%d of 4 are exchanged, want half", swapped)
	}
	check := func() prefer.BlindCheck {
		t.Helper()
		c, err := r.open().Study.Blind(t.Context(), prefer.Look{Rater: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := check(); c.Won != 4 || c.Of != 4 || c.Kind != "holds" {
		t.Errorf("the pick was taken four times (first %s), and the check says %+v", first, c)
	}
	if q := r.ask("ann"); q.ID != waiting.ID || q.Blind {
		t.Errorf("beside them is %+v, want %s", q, waiting.ID)
	}
	r.open().look(func(x *index) {
		for range 40 { // whatever the coin says
			x.seed++
			if c := x.check(r.open().Study, Checks{RepeatRate: 1}, Ask{Rater: "ann"}); c != nil {
				if q, _ := r.open().Study.Question(c.Repeat); q.Blind != nil {
					t.Fatalf("the blind duel %s would be repeated", q.ID)
				}
			}
		}
	})
	if _, err := r.Undo(t.Context(), "coffee", Undo{Rater: "ann"}); err != nil {
		t.Fatal(err)
	}
	if c := check(); c.Of != 3 {
		t.Errorf("after undo %+v", c)
	}
}

// TestBlindHidden: a rater who may not see the result is neither asked blind duels nor whether they would take the pick.
func TestBlindHidden(t *testing.T) {
	r := openTestStudies(t, freshStore(t), func(c *Config) { c.Workers = -1 }).create("coffee", prefer.Config{Space: space.Box(space.Float("x", 0, 1)), Seed: 2})
	for range 5 {
		r.tell(r.ask("ann"), prefer.First)
	}
	_, asked := r.Ask(t.Context(), "coffee", Ask{Rater: "ann", Blind: true})
	_, took := r.Take(t.Context(), "coffee", Take{Rater: "ann", Take: true})
	for _, err := range []error{asked, took} {
		var refusal *Error
		if !errors.As(err, &refusal) || refusal.Code != NoResults {
			t.Errorf("%v, want %s", err, NoResults)
		}
	}
	if _, err := r.Ask(t.Context(), "coffee", Ask{Blind: true, Owner: true, HoldBest: true}); err == nil {
		t.Error("a blind duel with conditions was asked")
	}
	out, err := r.Take(t.Context(), "coffee", Take{Rater: "ann", Owner: true, Take: true})
	if err != nil || !out.Take || out.Rater != "ann" {
		t.Errorf("took %+v, %v", out, err)
	}
	again, err := r.Take(t.Context(), "coffee", Take{Rater: "ann", Owner: true, Take: true})
	if err != nil || !reflect.DeepEqual(again, out) {
		t.Errorf("said again %+v, %v, want %+v", again, err, out)
	}
}
