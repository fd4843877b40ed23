package live

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// storeKind names what the processes under test keep their studies in: files, or with "postgres" databases.
const storeKind = "PREFER_TEST_STORE"

// freshStore returns the address of an empty store.
func freshStore(t testing.TB) string {
	t.Helper()
	if os.Getenv(storeKind) == "postgres" {
		return storetest.Database(t)
	}
	return filepath.Join(t.TempDir(), "store.db")
}

// TestOnPostgres runs on PostgreSQL what open studies do with their store.
func TestOnPostgres(t *testing.T) {
	t.Setenv(storeKind, "postgres")
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"shared ahead", TestSharedAhead}, {"catch up", TestCatchUp}, {"wander", TestWander}, {"background", TestBackgroundAhead}, {"settings", TestSettingsDamaged},
		{"links", TestLinks}, {"guest row", TestGuestRow}, {"guest ends", TestGuestEnds}, {"forgotten", TestGuestForgotten}, {"merge", TestMerge}, {"uploads", TestUploadLinks},
	} {
		t.Run(c.name, c.test)
	}
}

// coffee is a study of two parameters whose early questions are quick.
var coffee = prefer.Config{Space: space.Box(space.Float("milk", 0, 1), space.Float("sugar", 0, 5)), Prompt: "Which cup?", Seed: 7,
	Modelling: prefer.Modelling{Search: acquisition.Search{Candidates: 64, Starts: 2, Finalists: 1, Evals: 30}}}

// testStudies are open studies under test.
type testStudies struct {
	*Studies
	t     testing.TB
	store *sqlstore.Store
	path  string
}

// newTestStudies opens a new store with the study coffee, in which nothing goes on in the background.
func newTestStudies(t testing.TB, change func(*Config)) *testStudies {
	t.Helper()
	return openTestStudies(t, freshStore(t), func(c *Config) {
		c.Workers = -1
		if change != nil {
			change(c)
		}
	}).create("coffee", coffee)
}

// busyTestStudies opens a new store with the study coffee.
func busyTestStudies(t testing.TB, change func(*Config)) *testStudies {
	t.Helper()
	return openTestStudies(t, freshStore(t), change).create("coffee", coffee)
}

// openTestStudies opens the store at an address.
func openTestStudies(t testing.TB, path string, change func(*Config)) *testStudies {
	t.Helper()
	st, err := sqlstore.Open(context.Background(), path, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Store: st, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Budget: 30 * time.Second}
	if change != nil {
		change(&cfg)
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return &testStudies{Studies: s, t: t, store: st, path: path}
}

func (r *testStudies) create(name string, cfg prefer.Config) *testStudies {
	r.t.Helper()
	if err := r.Create(context.Background(), name, cfg, Settings{}); err != nil {
		r.t.Fatal(err)
	}
	return r
}

// ask returns a rater's question about coffee.
func (r *testStudies) ask(rater string) Question {
	r.t.Helper()
	return r.askFor(Ask{Rater: rater})
}

func (r *testStudies) askFor(a Ask) Question {
	r.t.Helper()
	q, err := r.Ask(context.Background(), "coffee", a)
	if err != nil {
		r.t.Fatal(err)
	}
	return q
}

// tell answers a question about coffee.
func (r *testStudies) tell(q Question, choice prefer.Choice) Told {
	r.t.Helper()
	out, err := r.Tell(context.Background(), "coffee", Tell{Question: q.Asked.ID, Answer: prefer.Answer{Choice: choice}})
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// open returns coffee as it is open.
func (r *testStudies) open() *Study { return r.cache.Peek("coffee") }

// await waits until something has come about in the background: as long as a busy machine may take, which says nothing
// about what is tested.
func await(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not come about in %v", what, patience)
}

const patience = 5 * time.Minute

// isCode reports whether an error is a refusal of this kind.
func isCode(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}
