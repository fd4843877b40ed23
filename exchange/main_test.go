package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/logfile"
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

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestTableOnFullDisk(t *testing.T) {
	wantError(t, "full table", (Table{}).Write(full{}, "s", session(t)), "no space")
}

// FuzzTable: a table of any log that can be read is written, or refused, without a panic.
func FuzzTable(f *testing.F) {
	var data bytes.Buffer
	if err := logfile.Write(&data, "s", session(f)); err != nil {
		f.Fatal(err)
	}
	f.Add(data.Bytes())
	f.Add([]byte("{\"format\":\"prefer.log\",\"version\":1}\n{\"seq\":1,\"time\":\"2026-01-01T10:00:00+01:00\",\"kind\":\"joined\",\"joined\":{\"items\":[{\"id\":\"a\",\"features\":{\"x\":true}}]}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if name, events, err := logfile.Read(bytes.NewReader(data)); err == nil {
			_ = Table{Unanswered: true}.Write(io.Discard, name, events)
		}
	})
}
