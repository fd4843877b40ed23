package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
)

// testCheck: damage of every kind is found, and names the study.
func testCheck(t *testing.T, address string) {
	s := open(t, address)
	play(t, create(t, s, "well"), "ann", 2)
	play(t, create(t, s, "ill"), "ann", 3)
	log := events(t, s, "ill")
	const ill = " WHERE study = (SELECT id FROM prefer_studies WHERE name = 'ill')"
	for _, damage := range []string{
		"DELETE FROM prefer_events" + ill + " AND seq = 3",
		"DELETE FROM prefer_events" + ill + " AND seq >= 6",
		"DELETE FROM prefer_events" + ill,
		"UPDATE prefer_events SET seq = 1000" + ill + " AND seq = 3",
		"UPDATE prefer_events SET body = '{}'" + ill + " AND seq = 3",
		"UPDATE prefer_events SET body = ''" + ill + " AND seq = 1",
		"UPDATE prefer_events SET body = (SELECT body FROM prefer_events" + ill + " AND seq = 3)" + ill + " AND seq = 5",
		"UPDATE prefer_events SET rater = 'eve'" + ill + " AND seq = 2",
		"UPDATE prefer_events SET kind = 'undone'" + ill + " AND seq = 2",
		"UPDATE prefer_events SET time = '2026-01-01T12:00:00Z'" + ill + " AND seq = 2",
		"UPDATE prefer_events SET key = ''" + ill + " AND seq = 3",
		"UPDATE prefer_events SET time = 'noon'" + ill + " AND seq = (SELECT last FROM prefer_studies WHERE name = 'ill')",
		"UPDATE prefer_studies SET last = last + 1 WHERE name = 'ill'",
		"UPDATE prefer_studies SET last = last - 1 WHERE name = 'ill'",
	} {
		if _, err := s.db.ExecContext(ctx, damage); err != nil {
			t.Fatalf("%s: %v", damage, err)
		}
		if err := s.Check(ctx); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), `"ill"`) {
			t.Errorf("%s\nis reported as %v", damage, err)
		}
		if _, err := s.db.ExecContext(ctx, "DELETE FROM prefer_studies WHERE name = 'ill'"); err != nil {
			t.Fatal(err)
		}
		if err := s.Import(ctx, "ill", log); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(ctx); err != nil {
		t.Errorf("healed, and reported as %v", err)
	}
	// A row past the end is in the way of the next event, which is refused and not half kept.
	running := study(t, s, "ill")
	if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_events SELECT study, seq + 1, time, kind, rater, key, body FROM prefer_events"+ill+" AND seq = (SELECT last FROM prefer_studies WHERE name = 'ill')"); err != nil {
		t.Fatal(err)
	}
	if _, err := running.Ask(ctx, "eve"); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a step onto a row that should not be there: %v, want ErrCorrupt", err)
	}
	if len(running.Events()) != len(log) {
		t.Error("the step was taken")
	}
}

// TestCheckKeys: two raters may have the same key, and one after taking an answer back; two answers of one that stand are damage.
func TestCheckKeys(t *testing.T) {
	asked := func(seq int, id prefer.QuestionID, rater string) prefer.Event {
		return prefer.Event{Seq: seq, Asked: &prefer.Question{ID: id, Rater: rater}}
	}
	answered := func(seq int, id prefer.AnswerID, question prefer.QuestionID) prefer.Event {
		return prefer.Event{Seq: seq, Answered: &prefer.Answered{ID: id, Question: question, Answer: prefer.Answer{Key: "1"}}}
	}
	observed := func(seq int, id prefer.AnswerID, rater string) prefer.Event {
		return prefer.Event{Seq: seq, Observed: &prefer.Observed{ID: id, Duel: prefer.Duel{Rater: rater, Answer: prefer.Answer{Key: "1"}}}}
	}
	log := []prefer.Event{asked(1, "q1", "ann"), asked(2, "q2", "bob"), answered(3, "a1", "q1"), answered(4, "a2", "q2"), observed(5, "a3", "eve")}
	if err := checkKeys(log); err != nil {
		t.Error(err)
	}
	if err := checkKeys(append(log[:5:5], observed(6, "a4", "ann"))); err == nil || !strings.Contains(err.Error(), `answers "a1" and "a4" of rater "ann" share the key "1"`) {
		t.Errorf("two of ann's: %v", err)
	}
	if err := checkKeys(append(log[:5:5], prefer.Event{Seq: 6, Undone: &prefer.Undone{Answer: "a1"}}, observed(7, "a4", "ann"))); err != nil {
		t.Error(err)
	}
}
