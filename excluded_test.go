package prefer

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
)

// TestLeaveOut: an excluded rater teaches nobody: what is believed is to the last bit what it is without them, and with them once they are
// back; their answers stay.
func TestLeaveOut(t *testing.T) {
	ctx := t.Context()
	with, without := opposites(t, Shared, "ann", "ben", "one"), opposites(t, Shared, "ann", "ben")
	s := opposites(t, Shared, "ann", "ben", "one")
	if err := s.Change(ctx, Change{Exclude: []string{"one"}, Why: "first, always"}); err != nil {
		t.Fatal(err)
	}
	n := s.Seq()
	if err := s.Change(ctx, Change{Exclude: []string{"one"}, Why: "again"}); err != nil || s.Seq() != n {
		t.Errorf("leaving out again: %v, %d events more", err, s.Seq()-n)
	}
	if err := s.Change(ctx, Change{Exclude: []string{"nobody"}}); errcode.Of(err) != "no_rater" {
		t.Errorf("leaving out nobody: %v", err)
	}
	for _, s := range []*Study{s, reopen(t, s.Events(0))} {
		if got, want := believes(t, s, ""), believes(t, without, ""); !reflect.DeepEqual(got, want) {
			t.Errorf("without them: %v, want %v", got, want)
		}
		v, err := s.Verdict(ctx, Look{})
		if err != nil || v.Answers != 16 || len(s.History()) != 24 {
			t.Errorf("the verdict rests on %d answers of %d, %v", v.Answers, len(s.History()), err)
		}
		raters, err := s.Raters(ctx)
		if err != nil || len(raters) != 3 || !raters[2].Out || raters[2].OutWhy != "first, always" || raters[2].Answers != 8 || raters[0].Out {
			t.Errorf("raters %+v, %v", raters, err)
		}
	}
	if err := s.Change(ctx, Change{Include: []string{"one"}}); err != nil {
		t.Fatal(err)
	}
	if got, want := believes(t, s, ""), believes(t, with, ""); !reflect.DeepEqual(got, want) {
		t.Errorf("with them: %v, want %v", got, want)
	}
}

// TestLeaveOutAsking: an excluded rater is still asked, their questions do not concern others, and pairs they were asked may be asked of others.
func TestLeaveOutAsking(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Seed: 3, Modelling: Modelling{Search: little}})
	first := ask(t, s, "one")
	if err := s.Change(t.Context(), Change{Exclude: []string{"one"}}); err != nil {
		t.Fatal(err)
	}
	if v := s.view("ann"); len(v.past) != 0 || len(v.pending) != 0 || v.count != 1 || v.design != 1 {
		t.Errorf("ann's view has %d questions, %d open, %d counted, %d quasi-random", len(v.past), len(v.pending), v.count, v.design)
	}
	if v := s.view("one"); len(v.past) != 1 {
		t.Errorf("their own view has %d questions", len(v.past))
	}
	tell(t, s, first.ID, First)
	if q := ask(t, s, "one"); q.ID == first.ID {
		t.Error("they are asked no more")
	}
	if v := s.view("one"); v.Duels.Len() != 0 || v.given != 1 {
		t.Errorf("%d duels are learned from, %d answers of theirs count against their budget", v.Duels.Len(), v.given)
	}
}

// TestLeaveOutGroup: in a study per rater an excluded rater keeps their favourite and is not part of the group.
func TestLeaveOutGroup(t *testing.T) {
	s, without := opposites(t, PerRater, "ann", "ben", "one"), opposites(t, PerRater, "ann", "ben")
	own := believes(t, s, "one")
	if err := s.Change(t.Context(), Change{Exclude: []string{"one"}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(own, believes(t, s, "one")) {
		t.Error("their own belief is another")
	}
	got, err := s.Group(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := without.Group(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Raters, want.Raters) || !reflect.DeepEqual(got.Agreement, want.Agreement) {
		t.Errorf("the group is %+v, want %+v", got, want)
	}
}
