package prefer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/space"
)

// lines writes events as JSON Lines, and readLines reads them.
func lines(t testing.TB, events []Event) []byte {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	for _, e := range events {
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	return buf.Bytes()
}

func readLines(data []byte) (events []Event, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	for dec.More() {
		var e Event
		if err := dec.Decode(&e); err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

// TestEventJSON: one of each kind comes back from JSON as it was, also with the real clock.
func TestEventJSON(t *testing.T) {
	s, err := New(ctx, Config{Space: coffee(), Seed: 1 << 63, Initial: -1})
	if err != nil {
		t.Fatal(err)
	}
	observe(t, s, cup(0.2, 1), cup(0.1, 2), First)
	q := ask(t, s, "ann")
	if q.Value == 0 || q.Incumbent == nil || q.Method != "kg" {
		t.Errorf("the question leaves fields empty: %+v", q)
	}
	undo(t, s, tell(t, s, q.ID, Tie))
	data := lines(t, s.Events(0))
	back, err := readLines(data)
	if err != nil {
		t.Fatal(err)
	}
	want := s.Events(0)
	want[0].Created.Config.Now = nil
	if !reflect.DeepEqual(back, want) {
		t.Errorf("read back as\n%+v, want\n%+v", back, want)
	}
	if again := lines(t, back); !bytes.Equal(again, data) {
		t.Errorf("written again as\n%s, want\n%s", again, data)
	}
}

// TestEventForm fixes the words of the log: other programs read it.
func TestEventForm(t *testing.T) {
	s := start(t, Config{Space: space.Box(space.Float("x", 0, 1))})
	observe(t, s, space.Option{"x": space.ValueOf(0.25)}, space.Option{"x": space.ValueOf(1)}, Second)
	undo(t, s, "a1")
	got := strings.Split(strings.TrimSpace(string(lines(t, s.Events(0)[1:]))), "\n")
	want := []string{
		`{"seq":2,"time":"2026-01-01T10:00:02Z","kind":"observed","observed":{"id":"a1","duel":{"first":{"x":0.25},"second":{"x":1},"answer":{"choice":"second"}}}}`,
		`{"seq":3,"time":"2026-01-01T10:00:03Z","kind":"undone","undone":{"answer":"a1"}}`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the log reads\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// testJournal is a journal that can fail and that looks at the study it serves.
type testJournal struct {
	mu     sync.Mutex
	events []Event
	fail   error
	study  *Study
	t      *testing.T
}

func (m *testJournal) Append(_ context.Context, after int, events ...Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.study != nil && (m.study.state.seq != after || len(m.study.events) != after) { // the caller holds the lock
		m.t.Errorf("event %d was applied before it was kept", after+1)
	}
	switch {
	case m.fail != nil:
		return m.fail
	case len(m.events) != after:
		return fmt.Errorf("journal ends at %d, not %d: %w", len(m.events), after, ErrConflict)
	}
	m.events = append(m.events, events...)
	return nil
}

func TestJournal(t *testing.T) {
	disk := errors.New("disk full")
	j := &testJournal{t: t, fail: disk}
	cfg := Config{Space: coffee(), Journal: j, Now: clock()}
	if s, err := New(ctx, cfg); !errors.Is(err, disk) || s != nil {
		t.Fatalf("New on a failing journal: %v, %v", s, err)
	}
	j.fail = nil
	s := start(t, cfg)
	j.study = s
	twin := start(t, Config{Space: coffee()}) // has no journal, hence no failures
	broken := func(name string, try func() error) {
		t.Helper()
		j.fail = disk
		unchanged(t, s, name, disk, try)
		j.fail = nil
	}
	for range 6 {
		broken("ask", func() error { _, err := s.Ask(ctx, Request{}); return err })
		q, want := ask(t, s, ""), ask(t, twin, "")
		if !reflect.DeepEqual(q, want) {
			t.Fatalf("after a failure the question is %+v, want %+v", q, want)
		}
		broken("tell", func() error { _, err := s.Tell(ctx, q.ID, Answer{Choice: First, Key: "k"}); return err })
		tell(t, s, q.ID, honest(q))
		tell(t, twin, q.ID, honest(q))
	}
	broken("undo", func() error { return s.Undo(ctx, "a2") })
	undo(t, s, "a2")
	undo(t, twin, "a2")
	broken("observe", func() error {
		_, err := s.Observe(ctx, Duel{First: cup(0, 1), Second: cup(0.5, 1), Answer: Answer{Choice: First}})
		return err
	})
	observe(t, s, cup(0.2, 1), cup(0.5, 1), First)
	observe(t, twin, cup(0.2, 1), cup(0.5, 1), First)
	sameBits(t, "with and without failures", s, twin)
	if !reflect.DeepEqual(j.events, s.Events(0)) {
		t.Error("the journal and the log differ")
	}
	reopen(t, j.events)
}

// TestJournalConflict: of two processes on one journal, the one that is behind is told so.
func TestJournalConflict(t *testing.T) {
	j := &testJournal{t: t}
	one := start(t, Config{Space: coffee(), Journal: j})
	two, err := Open(ctx, one.Events(0), OpenOptions{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	q := ask(t, one, "")
	unchanged(t, two, "conflict", ErrConflict, func() error { _, err := two.Ask(ctx, Request{}); return err })
	three, err := Open(ctx, j.events, OpenOptions{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	tell(t, three, q.ID, First)
	unchanged(t, one, "conflict", ErrConflict, func() error { _, err := one.Tell(ctx, q.ID, Answer{Choice: First}); return err })
}

// TestContextOver: a context that is over is an error, its own and the reason somebody gave, and nothing happens.
func TestContextOver(t *testing.T) {
	j := &testJournal{t: t}
	s := start(t, Config{Space: coffee(), Journal: j})
	ids := play(t, s, "", 5)
	q := ask(t, s, "")
	reason := errors.New("the guests have left")
	gone, cancel := context.WithCancelCause(ctx)
	cancel(reason)
	late, stop := context.WithDeadline(ctx, time.Unix(0, 0))
	defer stop()
	h := s.Host()
	for name, do := range map[string]func(context.Context) error{
		"New":       func(c context.Context) error { _, err := New(c, Config{Space: coffee(), Journal: j}); return err },
		"Open":      func(c context.Context) error { _, err := Open(c, s.Events(0), OpenOptions{}); return err },
		"Ask":       func(c context.Context) error { _, err := s.Ask(c, Request{Rater: "ann"}); return err },
		"Ask again": func(c context.Context) error { _, err := s.Ask(c, Request{}); return err },
		"in time":   func(c context.Context) error { _, err := s.Ask(c, Request{Rater: "ann", Within: 1}); return err },
		"Tell":      func(c context.Context) error { _, err := s.Tell(c, q.ID, Answer{Choice: First}); return err },
		"Observe": func(c context.Context) error {
			_, err := s.Observe(c, Duel{First: q.First, Second: q.Second, Answer: Answer{Choice: First}})
			return err
		},
		"Undo":     func(c context.Context) error { return s.Undo(c, ids[0]) },
		"Enqueue":  func(c context.Context) error { return s.Change(c, Change{Enqueue: []Enqueued{{Option: q.First}}}) },
		"Best":     func(c context.Context) error { _, err := s.Best(c, Look{}); return err },
		"Belief":   func(c context.Context) error { _, err := s.Belief(c, Look{}); return err },
		"Verdict":  func(c context.Context) error { _, err := s.Verdict(c, Look{}); return err },
		"Raters":   func(c context.Context) error { _, err := s.Raters(c); return err },
		"Prefetch": func(c context.Context) error { _, err := h.Prefetch(c, ""); return err },
		"Stock":    func(c context.Context) error { _, err := h.Stock(c, 3); return err },
	} {
		unchanged(t, s, name, context.Canceled, func() error { return do(gone) })
		unchanged(t, s, name, reason, func() error { return do(gone) })
		unchanged(t, s, name, context.DeadlineExceeded, func() error { return do(late) })
	}
	if len(j.events) != len(s.Events(0)) {
		t.Errorf("the journal has %d events, the study %d", len(j.events), len(s.Events(0)))
	}
}
