package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

var ctx = context.Background()

func TestMain(m *testing.M) {
	if address := os.Getenv("PREFER_STORE_CHILD"); address != "" { // a test has started itself as another process
		kind, rest, _ := strings.Cut(address, ":")
		as := map[string]func(string) error{"look": look, "tell": tellSome, "work": work, "hold": hold}[kind]
		if err := as(rest); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

// engines are the databases every promise is tested on. fresh returns the address of an empty one.
var engines = []struct {
	name  string
	fresh func(testing.TB) string
}{
	{"sqlite", func(t testing.TB) string { return filepath.Join(t.TempDir(), "store.db") }},
	{"postgres", storetest.Database},
}

func onBoth(t *testing.T, test func(t *testing.T, address string)) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) { test(t, e.fresh(t)) })
	}
}

func open(t testing.TB, address string, opts ...Options) *Store {
	t.Helper()
	s, err := Open(ctx, address, append(opts, Options{})[0])
	for range 20 { // on a busy machine a store with little patience may not be reached at once
		if !errors.Is(err, store.ErrUnavailable) {
			break
		}
		s, err = Open(ctx, address, append(opts, Options{})[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// clock returns a source of times that a test can predict.
func clock() func() time.Time {
	var n atomic.Int64
	return func() time.Time { return time.Date(2026, 1, 1, 12, 0, 0, int(n.Add(1)), time.UTC) }
}

// config is a study whose questions are cheap.
func config() prefer.Config {
	return prefer.Config{Space: space.Box(space.Float("milk", 0, 0.5), space.LogFloat("grind", 0.1, 10)), Method: "random", Seed: 7, Now: clock()}
}

func create(t testing.TB, s *Store, name string) *prefer.Study {
	t.Helper()
	study, err := s.Create(ctx, name, config())
	for tries := 0; tries < 20 && errors.Is(err, store.ErrUnavailable); tries++ { // a store with little patience on a busy machine
		if study, err = s.Create(ctx, name, config()); errors.Is(err, store.ErrExists) { // the first try was kept, and its reply came too late
			study, err = s.Study(ctx, name)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return study
}

func study(t testing.TB, s *Store, name string) *prefer.Study {
	t.Helper()
	study, err := s.Study(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	return study
}

func ask(t testing.TB, s *prefer.Study, rater string) prefer.Question {
	t.Helper()
	q, err := s.Ask(ctx, prefer.Request{Rater: rater})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func tell(t testing.TB, s *prefer.Study, q prefer.Question, a prefer.Answer) prefer.AnswerID {
	t.Helper()
	id, err := s.Tell(ctx, q.ID, a)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// play has a rater answer count questions, with keys, and take one answer back.
func play(t testing.TB, s *prefer.Study, rater string, count int) {
	t.Helper()
	for i := range count {
		q := ask(t, s, rater)
		choice := prefer.First
		if q.First.Float("milk") < q.Second.Float("milk") {
			choice = prefer.Second
		}
		id := tell(t, s, q, prefer.Answer{Choice: choice, Key: fmt.Sprintf("key of %s %d", rater, i), Session: "session of " + rater})
		if i == count/2 {
			if err := s.Undo(ctx, id); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// lines are events as JSON, one per line.
func lines(t testing.TB, events []prefer.Event) string {
	t.Helper()
	var b strings.Builder
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func events(t testing.TB, s *Store, name string) []prefer.Event {
	t.Helper()
	events, err := s.Events(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// sameStudy fails unless the stored study is the running one: the same events, the same best option to the
// last bit, and the same next question, which running is then asked.
func sameStudy(t testing.TB, s *Store, name string, running *prefer.Study) {
	t.Helper()
	if got, want := lines(t, events(t, s, name)), lines(t, running.Events(0)); got != want {
		t.Fatalf("the store has the events\n%swant\n%s", got, want)
	}
	twin, err := prefer.Open(t.Context(), events(t, s, name), prefer.OpenOptions{}) // without a journal: it can be asked for free
	if err != nil {
		t.Fatal(err)
	}
	best := func(s *prefer.Study) string {
		b, err := s.Best(ctx, prefer.Look{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got, want := best(study(t, s, name)), best(running); got != want {
		t.Errorf("reopened, the best is\n%s, want\n%s", got, want)
	}
	next := func(s *prefer.Study) string {
		data, err := json.Marshal(ask(t, s, "next"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got, want := next(twin), next(running); got != want {
		t.Errorf("reopened, the next question is\n%s, want\n%s", got, want)
	}
}
