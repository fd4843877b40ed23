package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

func TestEncode(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("elsewhere", 3600))
	option := prefer.Option{"x": prefer.ValueOf(0.1)}
	for _, c := range []struct {
		event prefer.Event
		want  row
	}{
		{prefer.Event{Seq: 2, Time: at, Kind: "asked", Asked: &prefer.Question{ID: "q1", Rater: "ann", First: option, Second: option, Method: "kg"}},
			row{2, "2026-01-02T02:04:05.000000006Z", "asked", "ann", "",
				`{"seq":2,"time":"2026-01-02T03:04:05.000000006+01:00","kind":"asked","asked":{"id":"q1","rater":"ann","first":{"x":0.1},"second":{"x":0.1},"method":"kg"}}`}},
		{prefer.Event{Seq: 3, Time: at.UTC(), Kind: "answered", Answered: &prefer.Answered{ID: "a1", Question: "q1", Answer: prefer.Answer{Choice: "tie", Key: "k", Rater: "ann"}}},
			row{3, "2026-01-02T02:04:05.000000006Z", "answered", "ann", "k",
				`{"seq":3,"time":"2026-01-02T02:04:05.000000006Z","kind":"answered","answered":{"id":"a1","question":"q1","answer":{"choice":"tie","key":"k","rater":"ann"}}}`}},
		{prefer.Event{Seq: 4, Time: at.UTC(), Kind: "observed", Observed: &prefer.Observed{ID: "a2", Duel: prefer.Duel{First: option, Second: option, Rater: "bob", Answer: prefer.Answer{Choice: "first", Key: "l"}}}},
			row{4, "2026-01-02T02:04:05.000000006Z", "observed", "bob", "l",
				`{"seq":4,"time":"2026-01-02T02:04:05.000000006Z","kind":"observed","observed":{"id":"a2","duel":{"first":{"x":0.1},"second":{"x":0.1},"rater":"bob","answer":{"choice":"first","key":"l"}}}}`}},
		{prefer.Event{Seq: 5, Time: at.UTC(), Kind: "undone", Undone: &prefer.Undone{Answer: "a2"}},
			row{5, "2026-01-02T02:04:05.000000006Z", "undone", "", "", `{"seq":5,"time":"2026-01-02T02:04:05.000000006Z","kind":"undone","undone":{"answer":"a2"}}`}},
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
		e := prefer.Event{Seq: 1, Kind: "answered", Answered: &prefer.Answered{Answer: prefer.Answer{Session: text}}}
		r, err := encode(e)
		if (err == nil) != ok {
			t.Errorf("%q: %v, want it to be kept: %v", text, err, ok)
		}
		if err == nil {
			back, err := decode(0, []string{r.body})
			if err != nil || back[0].Answered.Answer.Session != text {
				t.Errorf("%q came back as %+v, %v", text, back, err)
			}
		}
	}
}

// TestDecode: order is kept and the first damaged event is named, however many workers there are.
func TestDecode(t *testing.T) {
	log := synthetic(t, 300)
	rows, err := encodeAll(log)
	if err != nil {
		t.Fatal(err)
	}
	bodies := make([]string, len(rows))
	for i, r := range rows {
		bodies[i] = r.body
	}
	back, err := decode(0, bodies)
	if err != nil || lines(t, back) != lines(t, log) {
		t.Fatalf("decoded otherwise (%v)", err)
	}
	bodies[587], bodies[123], bodies[400] = "", bodies[124], "{}"
	if _, err := decode(0, bodies); err == nil || !strings.Contains(err.Error(), "event 124 says that it is number 125") {
		t.Errorf("three events are damaged, and the error is %v", err)
	}
}

// FuzzEventBody puts a damaged body in the database: the study opens or is refused as damaged.
func FuzzEventBody(f *testing.F) {
	s := open(f, filepath.Join(f.TempDir(), "store.db"))
	s.db.SetMaxOpenConns(2) // one keeps the log open
	if _, err := s.db.ExecContext(ctx, "PRAGMA synchronous = OFF"); err != nil {
		f.Fatal(err)
	}
	play(f, create(f, s, "coffee"), "ann", 3)
	rows, err := encodeAll(events(f, s, "coffee"))
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
	put := func(t testing.TB, seq int, body string) {
		t.Helper()
		if _, err := s.db.ExecContext(ctx, "UPDATE prefer_events SET body = $1 WHERE seq = $2", body, seq); err != nil {
			t.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, seq int, body string) {
		if seq < 1 || seq > len(rows) {
			return
		}
		put(t, seq, body)
		defer put(t, seq, rows[seq-1].body)
		study, err := s.Study(ctx, "coffee")
		switch {
		case err != nil && !errors.Is(err, ErrCorrupt):
			t.Errorf("event %d = %q: %v, want ErrCorrupt", seq, body, err)
		case err == nil && len(study.Events()) != len(rows):
			t.Errorf("event %d = %q: opened with %d events, want %d", seq, body, len(study.Events()), len(rows))
		}
		if err := s.Check(ctx); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("event %d = %q: Check says %v, want ErrCorrupt or nothing", seq, body, err)
		}
	})
}
