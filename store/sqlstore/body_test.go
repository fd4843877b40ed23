package sqlstore

import (
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

func TestEncode(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("elsewhere", 3600))
	option := space.Option{"x": space.ValueOf(0.1)}
	answered := prefer.Event{Seq: 3, Time: at.UTC(), Kind: "answered"}
	a := payload(&answered.Answered)
	a.ID, a.Question, a.Answer = "a1", "q1", prefer.Answer{Choice: "tie", Key: "k", Rater: "ann"}
	observed := prefer.Event{Seq: 4, Time: at.UTC(), Kind: "observed"}
	o := payload(&observed.Observed)
	o.ID, o.Duel = "a2", prefer.Duel{First: option, Second: option, Rater: "bob", Answer: prefer.Answer{Choice: "first", Key: "l"}}
	undone := prefer.Event{Seq: 5, Time: at.UTC(), Kind: "undone"}
	payload(&undone.Undone).Answer = "a2"
	for _, c := range []struct {
		event prefer.Event
		want  row
	}{
		{prefer.Event{Seq: 2, Time: at, Kind: "asked", Asked: &prefer.Question{ID: "q1", Rater: "ann", First: option, Second: option, Method: "kg"}},
			row{2, "2026-01-02T02:04:05.000000006Z", "asked", "ann", "", chain.Sum{},
				`{"seq":2,"time":"2026-01-02T03:04:05.000000006+01:00","kind":"asked","asked":{"id":"q1","rater":"ann","first":{"x":0.1},"second":{"x":0.1},"method":"kg"}}`}},
		{answered,
			row{3, "2026-01-02T02:04:05.000000006Z", "answered", "ann", "k", chain.Sum{},
				`{"seq":3,"time":"2026-01-02T02:04:05.000000006Z","kind":"answered","answered":{"id":"a1","question":"q1","answer":{"choice":"tie","key":"k","rater":"ann"}}}`}},
		{observed,
			row{4, "2026-01-02T02:04:05.000000006Z", "observed", "bob", "l", chain.Sum{},
				`{"seq":4,"time":"2026-01-02T02:04:05.000000006Z","kind":"observed","observed":{"id":"a2","duel":{"first":{"x":0.1},"second":{"x":0.1},"rater":"bob","answer":{"choice":"first","key":"l"}}}}`}},
		{undone,
			row{5, "2026-01-02T02:04:05.000000006Z", "undone", "", "", chain.Sum{}, `{"seq":5,"time":"2026-01-02T02:04:05.000000006Z","kind":"undone","undone":{"answer":"a2"}}`}},
	} {
		if got, err := encode(c.event); err != nil || got != c.want {
			t.Errorf("encoded as\n%v, %v, want\n%v", got, err, c.want)
		}
	}
}

// TestEncodeText: text comes back as it was, or is refused.
func TestEncodeText(t *testing.T) {
	for text, ok := range map[string]bool{
		"": true, "Jürgen": true, "\ufffd": true, `\ufffd`: true, `\\ufffd`: true, `"\`: true, "\u2028": true, "a\x00b": true,
		"\xff": false, `\` + "\xff": false, "caf\xc3": false, "\xed\xa0\x80": false,
	} {
		e := prefer.Event{Seq: 1, Kind: "answered"}
		payload(&e.Answered).Answer.Session = text
		r, err := encode(e)
		if (err == nil) != ok {
			t.Errorf("%q: %v, want it to be kept: %v", text, err, ok)
		}
		if err == nil {
			back, err := ending{}.next(reread(relinked([]row{r}))[0])
			if err != nil || back.Answered.Answer.Session != text {
				t.Errorf("%q came back as %+v, %v", text, back, err)
			}
		}
	}
}

// TestDecode: order is kept and the first damaged event is named, however many workers there are.
func TestDecode(t *testing.T) {
	log := synthetic(t, 300)
	rows, err := encodeAll(chain.Sum{}, log)
	if err != nil {
		t.Fatal(err)
	}
	kept := reread(rows)
	back, err := decode(ending{}, kept)
	if err != nil || lines(t, back) != lines(t, log) {
		t.Fatalf("decoded otherwise (%v)", err)
	}
	half := ending{300, rows[299].chain}
	if back, err := decode(half, kept[300:]); err != nil || lines(t, back) != lines(t, log[300:]) {
		t.Fatalf("the second half is decoded otherwise (%v)", err)
	}
	half.chain[31] ^= 1
	if _, err := decode(half, kept[300:]); err == nil || !strings.Contains(err.Error(), "event 301 does not fit") {
		t.Errorf("the second half after another first half: %v", err)
	}
	kept[587].body, kept[123].body, kept[400].body = nil, kept[124].body, []byte("{}")
	if _, err := decode(ending{}, kept); err == nil || !strings.Contains(err.Error(), "event 124 is missing, or event 125 is in its place") {
		t.Errorf("three events are damaged, and the error is %v", err)
	}
}

// reread returns rows as they are read.
func reread(rows []row) (all []kept) {
	for _, r := range rows {
		all = append(all, kept{r.chain, []byte(r.body)})
	}
	return all
}

// relinked returns rows whose chain fits what they are, as if they had been kept so.
func relinked(rows []row) []row {
	rows = slices.Clone(rows)
	var chain chain.Sum
	for i := range rows {
		chain = chain.Next([]byte(rows[i].body))
		rows[i].chain = chain
	}
	return rows
}

// forge puts rows in the place of a study's log, with a head that fits the last.
func forge(t testing.TB, s *Store, name string, rows []row) {
	t.Helper()
	err := s.write(ctx, func(c *session, _ bool) {
		var id int64
		if !c.find([]any{&id}, "UPDATE prefer_studies SET last = $1, head = $2 WHERE name = $3 RETURNING id", len(rows), rows[len(rows)-1].chain[:], name) {
			c.fail(sql.ErrNoRows)
		}
		c.exec("DELETE FROM prefer_events WHERE study = $1", id)
		c.insert(id, rows)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// FuzzEventBody puts a body in the database with checksums that fit: the study opens, or is refused as damaged or newer.
func FuzzEventBody(f *testing.F) {
	s := open(f, filepath.Join(f.TempDir(), "store.db"))
	s.db.SetMaxOpenConns(2) // one keeps the log open
	if _, err := s.db.ExecContext(ctx, "PRAGMA synchronous = OFF"); err != nil {
		f.Fatal(err)
	}
	play(f, create(f, s, "coffee"), "ann", 3)
	rows, err := encodeAll(chain.Sum{}, events(f, s, "coffee"))
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range rows {
		f.Add(r.seq, r.body)
		f.Add(r.seq%len(rows)+1, r.body)
		f.Add(r.seq, r.body[:len(r.body)/2])
		f.Add(r.seq, strings.Replace(r.body, ":", ":-1e999,", 1))
	}
	f.Add(1, "\x00\xff")
	f.Fuzz(func(t *testing.T, seq int, body string) {
		if seq < 1 || seq > len(rows) {
			return
		}
		put := slices.Clone(rows)
		put[seq-1].body = body
		forge(t, s, "coffee", relinked(put))
		defer forge(t, s, "coffee", rows)
		damaged := func(err error) bool { return errors.Is(err, store.ErrCorrupt) || errors.Is(err, prefer.ErrNewer) }
		study, err := s.Study(ctx, "coffee")
		switch {
		case err != nil && !damaged(err):
			t.Errorf("event %d = %q: %v, want store.ErrCorrupt or ErrNewer", seq, body, err)
		case err == nil && len(study.Events(0)) != len(rows):
			t.Errorf("event %d = %q: opened with %d events, want %d", seq, body, len(study.Events(0)), len(rows))
		}
		if found := s.Check(ctx); found != nil && !damaged(found) || found == nil && err != nil {
			t.Errorf("event %d = %q: Check says %v, opening %v", seq, body, found, err)
		}
	})
}

// payload sets a part of an event to its zero value and returns it.
func payload[T any](part **T) *T {
	*part = new(T)
	return *part
}
