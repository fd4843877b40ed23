package logfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/space"
)

// begin is the time of the first event of tests.
var begin = time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)

// session is a small study that really took place: every kind of event a study writes.
func session(t testing.TB) []prefer.Event {
	t.Helper()
	at := begin
	now := func() time.Time { at = at.Add(time.Second); return at }
	ctx := context.Background()
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Box(space.Float("milk", 0, 0.5), space.LogFloat("temp", 1, 100)), Seed: 1 << 63, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	cup := func(milk, temp float64) space.Option {
		return space.Option{"milk": space.ValueOf(milk), "temp": space.ValueOf(temp)}
	}
	_, err = s.Observe(ctx, prefer.Duel{First: cup(0.1, 5), Second: cup(0.25, 50), Rater: "ann", Answer: prefer.Answer{Choice: prefer.Second}})
	for i, a := range []prefer.Answer{
		{Choice: prefer.First, Swapped: true, ResponseTime: 1500 * time.Microsecond, Session: "monday, early"},
		{Choice: prefer.BothBad, Key: "k<&>"},
	} {
		q, askErr := s.Ask(ctx, prefer.Request{Rater: "bo"})
		id, tellErr := s.Tell(ctx, q.ID, a)
		err = errors.Join(err, askErr, tellErr)
		if i == 0 {
			err = errors.Join(err, s.Undo(ctx, id))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	events := s.Events(0)
	events[0].Created.Config.Now = nil
	return events
}

func written(t testing.TB, name string, events []prefer.Event) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, name, events); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// eventsOf reads events from JSON.
func eventsOf(t *testing.T, lines ...string) []prefer.Event {
	t.Helper()
	events := make([]prefer.Event, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal([]byte(line), &events[i]); err != nil {
			t.Fatal(err)
		}
	}
	return events
}

// sameValue lets cmp look at values.
var sameValue = cmp.Options{cmp.Comparer(func(a, b space.Value) bool { return a == b }), cmp.AllowUnexported(prefer.Config{}, acquisition.Search{})}

// wantError checks that err says all the words.
func wantError(t *testing.T, name string, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error is %v, want %q in it", name, err, w)
		}
	}
}

func TestLogRoundTrip(t *testing.T) {
	events := session(t)
	for i, e := range eventsOf(t, `{"kind":"joined","joined":{"items":[{"id":"a","media":"a.png","features":{"hue":0.1,"kind":"1","new":false}}]}}`,
		`{"kind":"forgotten","forgotten":{"was":"asked","design":true}}`) {
		e.Seq, e.Time = len(events)+1, begin.Add(time.Duration(1-i))
		events = append(events, e)
	}
	data := written(t, "my <coffee>", events)
	for name, text := range map[string]string{
		"as written":      string(data),
		"mark, CRLF":      "\xef\xbb\xbf" + strings.ReplaceAll(string(data), "\n", "\r\n"),
		"no last newline": strings.TrimSuffix(string(data), "\n"),
		"version 1":       `{"format":"prefer.log","version":1,"study":"my <coffee>"}` + string(data[bytes.IndexByte(data, '\n'):]),
	} {
		study, back, err := Read(strings.NewReader(text))
		if err != nil || study != "my <coffee>" {
			t.Fatalf("%s: study %q, %v", name, study, err)
		}
		if d := cmp.Diff(events, back, sameValue); d != "" {
			t.Errorf("%s: read back with differences:\n%s", name, d)
		}
		if head, err := Head(back); err != nil || !strings.Contains(string(data), `"head":"`+head.String()+`"}`) {
			t.Errorf("%s: the head is %v, %v", name, head, err)
		}
		if again := written(t, study, back); !bytes.Equal(again, data) {
			t.Errorf("%s: written again as\n%s\nwant\n%s", name, again, data)
		}
	}
	first, _, _ := strings.Cut(string(data), "\n")
	head := chain.Sum{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		head = head.Next([]byte(line))
	}
	if want := fmt.Sprintf(`{"format":"prefer.log","version":2,"study":"my <coffee>","events":%d,"head":"%v"}`, len(events), head); first != want {
		t.Errorf("the header is %s, want %s", first, want)
	}
}

// TestLogOpens: what comes back is the study.
func TestLogOpens(t *testing.T) {
	_, events, err := Read(bytes.NewReader(written(t, "s", session(t))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := prefer.Open(t.Context(), events, prefer.OpenOptions{}); err != nil {
		t.Error(err)
	}
}

func TestReadLogErrors(t *testing.T) {
	data := string(written(t, "s", session(t)))
	rows := strings.SplitAfter(data, "\n")
	headAt := strings.Index(data, `"head":"`) + len(`"head":"`)
	for data[headAt] > '9' { // a digit of it
		headAt++
	}
	for name, c := range map[string]struct {
		text  string
		words []string
	}{
		"empty":           {"", []string{"empty", "header"}},
		"no header":       {rows[1], []string{"line 1", "prefer.log"}},
		"other format":    {`{"format":"x.log","version":1}`, []string{"line 1", "x.log"}},
		"later version":   {strings.Replace(data, `"version":2`, `"version":3,"zip":true`, 1), []string{"line 1", "version 3", "versions 1 to 2"}},
		"header field":    {strings.Replace(data, `"version":2`, `"version":2,"zip":true`, 1), []string{"line 1", `"zip"`}},
		"header case":     {strings.Replace(data, `"head"`, `"heaD"`, 1), []string{"line 1", `"heaD"`, `"head"`}},
		"header twice":    {strings.Replace(data, `"events"`, `"events":7,"events"`, 1), []string{"line 1", "twice", `"events"`}},
		"no head at all":  {strings.Replace(data, `"head":"`, `"head":"00`, 1), []string{"line 1", "64 hexadecimal digits"}},
		"another head":    {data[:headAt] + string('0'+(data[headAt]-'0'+1)%10) + data[headAt+1:], []string{"do not fit the head", `{"format":"prefer.log","version":1,"study":"s"}`}},
		"another answer":  {strings.Replace(data, `"choice":"second"`, `"choice":"first"`, 1), []string{"do not fit the head", "changed"}},
		"end cut off":     {strings.TrimSuffix(data, rows[len(rows)-2]), []string{"has 5 events", "says 6", "cut short"}},
		"key in capitals": {strings.Replace(data, `"choice":"second"`, `"Choice":"second"`, 1), []string{"line 3", `"observed.duel.answer.Choice"`, `"choice"`}},
		"key twice":       {strings.Replace(data, `"choice":"second"`, `"choice":"first","choice":"second"`, 1), []string{"line 3", "twice", `choice"`}},
		"newer kind":      {strings.Replace(data, `"kind":"observed","observed"`, `"kind":"voted","voted"`, 1), []string{"line 3", `"voted"`, "made by a newer prefer"}},
		"unknown field":   {strings.Replace(data, `"choice":"second"`, `"choice":"second","mood":3`, 1), []string{"line 3", `.mood"`, "made by a newer prefer"}},
		"wrong type":      {strings.Replace(data, `"seq":3`, `"seq":"three"`, 1), []string{"line 4", `"seq"`, "string"}},
		"torn":            {data[:len(data)-20], []string{"line 7", "cut short"}},
		"missing line":    {strings.Replace(data, rows[3], "", 1), []string{"line 4", "seq", "want 3"}},
		"bad value":       {strings.Replace(data, `"milk":0.1`, `"milk":[1]`, 1), []string{"line 3", "not [1]"}},
		"two on one line": {strings.Replace(data, "\n{\"seq\":4", "{\"seq\":4", 1), []string{"line 4", "more after"}},
	} {
		if c.text == data {
			t.Errorf("%s: the log was not changed", name)
		}
		study, events, err := Read(strings.NewReader(c.text))
		wantError(t, name, err, c.words...)
		if study != "" || events != nil {
			t.Errorf("%s: %q and %d events beside the error", name, study, len(events))
		}
	}
}

func TestWriteLogErrors(t *testing.T) {
	wantError(t, "order", Write(&bytes.Buffer{}, "s", []prefer.Event{{Seq: 2}}), "event 1", "seq 2")
	wantError(t, "full", Write(full{}, "s", session(t)), "no space")
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// FuzzReadLog: a log that reads is written and read back as the same events, and then as the same bytes.
func FuzzReadLog(f *testing.F) {
	data := written(f, "s", session(f))
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte("{\"format\":\"prefer.log\",\"version\":1}\n{\"seq\":1,\"time\":\"2026-01-01T10:00:00+01:00\",\"kind\":\"joined\",\"joined\":{\"items\":[{\"id\":\"a\",\"features\":{\"x\":true}}]}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name, events, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		once := written(t, name, events)
		name2, events2, err := Read(bytes.NewReader(once))
		if err != nil || name2 != name {
			t.Fatalf("read back as %q, %v; want %q", name2, err, name)
		}
		if d := cmp.Diff(events, events2, sameValue, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("read back with differences:\n%s", d)
		}
		if again := written(t, name, events2); !bytes.Equal(again, once) {
			t.Fatalf("written again as\n%s\nwant\n%s", again, once)
		}
	})
}

// TestLogHash: the hash of a study is that of what is written after the first line, for example by "tail -n +2 | sha256sum".
func TestLogHash(t *testing.T) {
	events := session(t)
	s, err := prefer.Open(t.Context(), events, prefer.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := bytes.Cut(written(t, "coffee", events), []byte("\n"))
	got, err := Hash(s.Events(0))
	if want := fmt.Sprintf("%x", sha256.Sum256(lines)); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
