package sqlstore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/store"
)

// testCheck: damage of every kind is found by opening and by a check, which name the study and the event; the others are
// as well as they were, and the damaged one is in the list and can be deleted.
func testCheck(t *testing.T, address string) {
	s := open(t, address)
	play(t, create(t, s, "well"), "bob", 2)
	play(t, create(t, s, "ill"), "ann", 3)
	log := events(t, s, "ill")
	rows, err := encodeAll(chain.Sum{}, log)
	if err != nil {
		t.Fatal(err)
	}
	last := len(rows)
	const ill = " WHERE study = (SELECT id FROM prefer_studies WHERE name = 'ill')"
	const study = " WHERE name = 'ill'"
	const other = "(SELECT %s FROM prefer_events o JOIN prefer_studies s ON s.id = o.study WHERE s.name = 'well' AND o.seq = 3)"
	type fault struct {
		statements []string
		says       string
	}
	one := func(says, statement string) fault { return fault{[]string{statement}, says} }
	faults := []fault{
		one("event 3 is missing", "DELETE FROM prefer_events"+ill+" AND seq = 3"),
		one("events 6 to 7 are missing", "DELETE FROM prefer_events"+ill+" AND seq >= 6"),
		one("it has no events", "DELETE FROM prefer_events"+ill),
		{[]string{"DELETE FROM prefer_events" + ill + " AND seq = 7", "UPDATE prefer_studies SET last = 6" + study}, "its head is"},
		one("event 3 is missing", "UPDATE prefer_events SET seq = 1000"+ill+" AND seq = 3"),
		one("the columns of event 1", "UPDATE prefer_events SET seq = 0"+ill+" AND seq = 1"),
		one("event 3 does not fit", "UPDATE prefer_events SET body = '{}'"+ill+" AND seq = 3"),
		one("event 1 does not fit", "UPDATE prefer_events SET body = ''"+ill+" AND seq = 1"),
		one("event 3 does not fit", `UPDATE prefer_events SET body = replace(replace(replace(body, '"first"', '"x"'), '"second"', '"first"'), '"x"', '"second"')`+ill+" AND seq = 3"),
		one("event 3 does not fit", `UPDATE prefer_events SET body = replace(body, '"choice"', '"choIce"')`+ill+" AND seq = 3"),
		one("event 5 does not fit", "UPDATE prefer_events SET body = (SELECT body FROM prefer_events"+ill+" AND seq = 3)"+ill+" AND seq = 5"),
		{[]string{"UPDATE prefer_events SET seq = 1000" + ill + " AND seq = 3", "UPDATE prefer_events SET seq = 3" + ill + " AND seq = 5", "UPDATE prefer_events SET seq = 5" + ill + " AND seq = 1000"}, "event 3 is missing, or event 5 is in its place"},
		one("event 3 does not fit", "UPDATE prefer_events SET chain = "+fmt.Sprintf(other, "o.chain")+ill+" AND seq = 3"),
		{[]string{"UPDATE prefer_events SET chain = " + fmt.Sprintf(other, "o.chain") + ", body = " + fmt.Sprintf(other, "o.body") + ill + " AND seq = 3"}, "event 3 does not fit"},
		one("event 4 does not fit", "UPDATE prefer_events SET chain = ''"+ill+" AND seq = 4"),
		one("its head is", "UPDATE prefer_studies SET head = (SELECT w.head FROM prefer_studies w WHERE w.name = 'well')"+study),
		one("its head is", "UPDATE prefer_studies SET head = ''"+study),
		one("event 7 comes after", "UPDATE prefer_studies SET last = last - 1"+study),
		one("event 8 is missing", "UPDATE prefer_studies SET last = last + 1"+study),
		one("the columns of event 2", "UPDATE prefer_events SET rater = 'eve'"+ill+" AND seq = 2"),
		one("the columns of event 2", "UPDATE prefer_events SET kind = 'undone'"+ill+" AND seq = 2"),
		one("the columns of event 2", "UPDATE prefer_events SET time = '2026-01-01T12:00:00Z'"+ill+" AND seq = 2"),
		one("the columns of event 3", "UPDATE prefer_events SET key = ''"+ill+" AND seq = 3"),
		one("the columns of event 7", "UPDATE prefer_events SET time = 'noon'"+ill+" AND seq = 7"),
		one("it was created at", "UPDATE prefer_studies SET created = '2026-01-01T12:00:00Z'"+study),
		one("it was created at", "UPDATE prefer_studies SET created = 'noon'"+study),
	}
	// One bit of every field of an event, and of the head.
	luck := rand.New(rand.NewPCG(1, 2))
	flip := func(text string) string {
		b := []byte(text)
		b[luck.IntN(len(b))] ^= 1 << luck.IntN(4) // the lower bits of ASCII: the result is text to PostgreSQL, too
		return string(b)
	}
	for _, r := range []row{rows[0], rows[2], rows[last-1]} {
		for column, text := range map[string]string{"time": r.time, "kind": r.kind, "rater": r.rater, "key": r.key, "body": r.body} {
			says := fmt.Sprintf("the columns of event %d", r.seq)
			if column == "body" {
				says = fmt.Sprintf("event %d", r.seq)
			}
			if text != "" {
				faults = append(faults, one(says, fmt.Sprintf("UPDATE prefer_events SET %s = '%s'%s AND seq = %d",
					column, strings.NewReplacer("'", "''", "\x00", " ").Replace(flip(text)), ill, r.seq)))
			}
		}
		bad := r.chain
		bad[luck.IntN(32)] ^= 1 << luck.IntN(8)
		blob := fmt.Sprintf("x'%v'", bad)
		if strings.HasPrefix(address, "postgres") {
			blob = fmt.Sprintf(`'\x%v'`, bad)
		}
		faults = append(faults, one(fmt.Sprintf("event %d does not fit", r.seq), fmt.Sprintf("UPDATE prefer_events SET chain = %s%s AND seq = %d", blob, ill, r.seq)))
		if r.seq == last {
			faults = append(faults, one("its head is", "UPDATE prefer_studies SET head = "+blob+study))
		}
	}
	for _, f := range faults {
		for _, statement := range f.statements {
			if _, err := s.db.ExecContext(ctx, statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		all, err := s.checkEach(ctx)
		if err != nil || len(all) != 2 || all[0].Study != "ill" || all[1].Err != nil {
			t.Fatalf("%s\na check finds %+v, %v", f.statements, all, err)
		}
		found := map[string]error{"a check": all[0].Err}
		if _, err := s.Study(ctx, "ill"); err != nil || !strings.Contains(f.says, "the columns") { // which a study has no use for
			found["opening"] = err
			_, found["reading"] = s.Events(ctx, "ill")
			_, found["forgetting"] = s.Forget(ctx, "ill", "ann")
		}
		for how, err := range found {
			if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), `"ill"`) || !strings.Contains(err.Error(), f.says) {
				t.Errorf("%s\n%s says %v, want %q", f.statements, how, err, f.says)
			}
		}
		if list, err := s.List(ctx); err != nil || len(list) != 2 || list[1].Damage != nil || list[1].Answers != 1 {
			t.Errorf("%s\nthe list is %+v, %v", f.statements, list, err)
		}
		if err := s.Delete(ctx, "ill"); err != nil {
			t.Fatal(err)
		}
		if err := s.Import(ctx, "ill", log); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.checkEach(ctx)
	if err != nil || all[0] != (Checked{"ill", 0, last, rows[last-1].chain, nil}) {
		t.Errorf("healed, and reported as %+v, %v", all, err)
	}
	// A row past the end is in the way of the next event, which is refused and not half kept.
	running, err := s.Study(ctx, "ill")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_events (study, seq, time, kind, rater, key, chain, body) SELECT study, seq + 1, time, kind, rater, key, chain, body FROM prefer_events"+ill+" AND seq = (SELECT last FROM prefer_studies WHERE name = 'ill')"); err != nil {
		t.Fatal(err)
	}
	if _, err := running.Ask(ctx, prefer.Request{Rater: "eve"}); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a step onto a row that should not be there: %v, want store.ErrCorrupt", err)
	}
	if len(running.Events(0)) != len(log) {
		t.Error("the step was taken")
	}
}

// TestCheckKeys: two raters may have the same key, and one after taking an answer back; two answers of one that stand are damage.
func TestCheckKeys(t *testing.T) {
	said := func(id prefer.AnswerID, rater string) prefer.Entry {
		return prefer.Entry{ID: id, Rater: rater, Answer: prefer.Answer{Key: "1"}}
	}
	log := []prefer.Entry{said("a1", "ann"), said("a2", "bob"), said("a3", "eve")}
	if err := checkKeys(log); err != nil {
		t.Error(err)
	}
	if err := checkKeys(append(log[:3:3], said("a4", "ann"))); err == nil || !strings.Contains(err.Error(), `answers "a1" and "a4" of rater "ann" share the key "1"`) {
		t.Errorf("two of ann's: %v", err)
	}
	log[0].Undone = true
	if err := checkKeys(append(log, said("a4", "ann"))); err != nil {
		t.Error(err)
	}
}
