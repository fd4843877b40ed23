package prefer

import (
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
)

// TestKeys: a key stands for one answer of one rater. The same answer again is that answer; anything else under it is refused, by name, and nothing is
// kept; the same key of another rater is another key. A restart knows it all.
func TestKeys(t *testing.T) {
	s := start(t, Config{Space: coffee(), Answers: Answers{Grades: 1}})
	told := map[string]QuestionID{}
	ids := map[AnswerID]bool{}
	duel := Duel{First: cup(0.1, 1), Second: cup(0.4, 3), Answer: Answer{Choice: Second, Strength: 1, Key: "d1"}}
	for _, rater := range []string{"", "anna", "ben"} {
		q := ask(t, s, rater)
		told[rater] = q.ID
		id, err := s.Tell(ctx, q.ID, Answer{Choice: First, Key: "1"})
		if err != nil {
			t.Fatal(err)
		}
		d := duel
		d.Rater = rater
		other, err := s.Observe(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		ids[id], ids[other[0]] = true, true
	}
	if n := len(s.History()); len(ids) != 6 || n != 6 {
		t.Fatalf("six answers under two keys of three raters have %d ids, and %d are kept", len(ids), n)
	}
	next := ask(t, s, "anna")
	for name, study := range map[string]*Study{"as it was": s, "after a restart": reopen(t, s.Events(0))} {
		for rater, q := range told {
			d := duel
			d.Rater = rater
			d.Answer.Session, d.Answer.ResponseTime = "sent again", 3
			again, err := study.Observe(ctx, d)
			if err != nil || !ids[again[0]] {
				t.Errorf("%s: the duel of %q again is %q, %v", name, rater, again, err)
			}
			id, err := study.Tell(ctx, q, Answer{Choice: First, Key: "1", Rater: rater})
			if err != nil || !ids[id] {
				t.Errorf("%s: the answer of %q again is %q, %v", name, rater, id, err)
			}
		}
		tell := func(q QuestionID, a Answer) func() error {
			return func() error { _, err := study.Tell(ctx, q, a); return err }
		}
		observe := func(change func(*Duel)) func() error {
			d := duel
			d.Rater = "anna"
			change(&d)
			return func() error { _, err := study.Observe(ctx, d); return err }
		}
		for _, c := range []struct {
			key, what string
			do        func() error
		}{
			{"1", "choice", tell(told["anna"], Answer{Choice: Second, Key: "1"})},
			{"1", "strength", tell(told["anna"], Answer{Choice: First, Strength: 1, Key: "1"})},
			{"1", "check", tell(told["anna"], Answer{Choice: First, Check: true, Key: "1"})},
			{"1", "question", tell(next.ID, Answer{Choice: First, Key: "1"})},
			{"d1", "question", tell(next.ID, Answer{Choice: First, Key: "d1"})},
			{"1", "question", observe(func(d *Duel) { d.Answer.Key = "1" })},
			{"d1", "pair", observe(func(d *Duel) { d.First = cup(0.2, 1) })},
			{"d1", "pair", observe(func(d *Duel) { d.First, d.Second = d.Second, d.First })},
			{"d1", "choice", observe(func(d *Duel) { d.Answer.Choice = First })},
			{"d1", "strength", observe(func(d *Duel) { d.Answer.Strength = 0 })},
			{"d1", "check", observe(func(d *Duel) { d.Answer.Check = true })},
		} {
			unchanged(t, study, name+": another "+c.what, coded("key"), c.do)
			if err := c.do(); err == nil || !strings.Contains(err.Error(), `key "`+c.key+`"`) || !strings.Contains(err.Error(), "another "+c.what) {
				t.Errorf("%s: %v, want a sentence with the key %q and that its answer has another %s", name, err, c.key, c.what)
			}
		}
		// Another rater's name finds nothing of theirs.
		if id, err := study.Tell(ctx, told["anna"], Answer{Choice: First, Key: "1", Rater: "carl"}); errcode.Of(err) != "no_question" {
			t.Errorf("%s: anna's answer in carl's name is %q, %v, want %v", name, id, err, coded("no_question"))
		}
	}
}

// TestKeysOfOldLogs: a log in which two answers of a rater have the same key, as other programs may write it, is read and means what it meant: the
// later one is that of the key, and taking the earlier one back takes no key from it.
func TestKeysOfOldLogs(t *testing.T) {
	s := start(t, Config{Space: coffee()})
	for _, choice := range []Choice{First, Second} {
		if _, err := s.Observe(ctx, Duel{First: cup(0.1, 1), Second: cup(0.4, 3), Answer: Answer{Choice: choice}}); err != nil {
			t.Fatal(err)
		}
	}
	events := slices.Clone(s.Events(0))
	for i := range events[1:] {
		o := *events[1+i].Observed
		o.Duel.Answer.Key = "k"
		events[1+i].Observed = &o
	}
	again := Duel{First: cup(0.1, 1), Second: cup(0.4, 3), Answer: Answer{Choice: Second, Key: "k"}}
	old := reopen(t, events)
	if n := old.view("").Duels.Len(); n != 2 {
		t.Fatalf("%d duels, want both", n)
	}
	for range 2 {
		if id, err := old.Observe(ctx, again); err != nil || id[0] != events[2].Observed.ID {
			t.Errorf("the later one again is %q, %v, want %q", id, err, events[2].Observed.ID)
		}
		if old.Seq() == 3 {
			undo(t, old, events[1].Observed.ID)
		}
	}
}
