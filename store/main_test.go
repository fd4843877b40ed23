package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

var ctx = context.Background()

func TestMain(m *testing.M) {
	if address := os.Getenv("PREFER_STORE_CHILD"); address != "" { // a test has started itself as another process
		kind, rest, _ := strings.Cut(address, ":")
		as := map[string]func(string) error{"look": look, "tell": tellSome, "work": work}[kind]
		if err := as(rest); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	cluster.mu.Lock()
	if cluster.dir != "" {
		stopCluster(cluster.dir)
	}
	os.Exit(code)
}

// engines are the databases every promise is tested on. fresh returns the address of an empty one.
var engines = []struct {
	name  string
	fresh func(testing.TB) string
}{
	{"sqlite", func(t testing.TB) string { return filepath.Join(t.TempDir(), "store.db") }},
	{"postgres", database},
}

func onBoth(t *testing.T, test func(t *testing.T, address string)) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) { test(t, e.fresh(t)) })
	}
}

// cluster is the PostgreSQL server of this test process, if it had to start one.
var cluster struct {
	mu       sync.Mutex
	url, dir string
	err      error
}

var databases atomic.Int64

// server returns the address of a PostgreSQL server: the one PREFER_TEST_POSTGRES names, or one started for
// this test process.
func server(t testing.TB) string {
	t.Helper()
	if url := os.Getenv("PREFER_TEST_POSTGRES"); url != "" {
		return url
	}
	cluster.mu.Lock()
	defer cluster.mu.Unlock()
	if cluster.url == "" && cluster.err == nil {
		cluster.url, cluster.dir, cluster.err = startCluster()
	}
	if cluster.err != nil {
		t.Skipf("SKIPPED: no PostgreSQL here (%v); set PREFER_TEST_POSTGRES=postgres://… to an empty server", cluster.err)
	}
	return cluster.url
}

func script(dir string, args ...string) (string, error) {
	c := exec.Command("../scripts/postgres", args...)
	c.Env = append(os.Environ(), "PREFER_POSTGRES_DIR="+dir)
	c.Stderr = os.Stderr
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}

// startCluster starts a server where the programs for it are there; it installs nothing.
func startCluster() (url, dir string, err error) {
	if _, err := script("", "bin"); err != nil {
		return "", "", fmt.Errorf("initdb was not found: %w", err)
	}
	parent, err := os.MkdirTemp("", "prefer")
	if err != nil {
		return "", "", err
	}
	if err := os.Chmod(parent, 0o755); err != nil { // the server runs as somebody else if this is root
		return "", "", err
	}
	dir = filepath.Join(parent, "pg")
	url, err = script(dir, "start")
	return url, dir, err
}

func stopCluster(dir string) {
	if _, err := script(dir, "stop"); err != nil {
		fmt.Fprintln(os.Stderr, "PostgreSQL was not stopped:", err)
	}
	os.Remove(filepath.Dir(dir))
}

// database creates an empty database that the test's end removes.
func database(t testing.TB) string {
	t.Helper()
	server, name := server(t), fmt.Sprintf("prefer_%d_%d", os.Getpid(), databases.Add(1))
	run(t, server, "CREATE DATABASE "+name)
	t.Cleanup(func() { run(t, server, "DROP DATABASE "+name+" WITH (FORCE)") })
	return onDatabase(t, server, name)
}

// onDatabase returns the address of another database of a server.
func onDatabase(t testing.TB, server, name string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// named returns an address under which the server knows the client by name.
func named(t testing.TB, address, name string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("application_name", name)
	u.RawQuery = q.Encode()
	return u.String()
}

// run executes a statement on a PostgreSQL server.
func run(t testing.TB, address, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, statement); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, address string, opts ...Option) *Store {
	t.Helper()
	s, err := Open(ctx, address, opts...)
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
	return prefer.Config{Space: prefer.Box(prefer.Float("milk", 0, 0.5), prefer.LogFloat("grind", 0.1, 10)), Method: "random", Seed: 7, Now: clock()}
}

func create(t testing.TB, s *Store, name string) *prefer.Study {
	t.Helper()
	study, err := s.Create(ctx, name, config())
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
	q, err := s.Ask(ctx, rater)
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
	if got, want := lines(t, events(t, s, name)), lines(t, running.Events()); got != want {
		t.Fatalf("the store has the events\n%swant\n%s", got, want)
	}
	twin, err := prefer.Open(prefer.Config{}, events(t, s, name)) // without a journal: it can be asked for free
	if err != nil {
		t.Fatal(err)
	}
	best := func(s *prefer.Study) string {
		b, err := s.Best(ctx)
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
