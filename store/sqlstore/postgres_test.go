package sqlstore

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// TestPostgresCut cuts the connection at every message of every kind of change, before the server got it
// and before its reply came back: each change happens, and happens once.
func TestPostgresCut(t *testing.T) {
	line := NewLine(t, database(t))
	s := open(t, line.Address())
	running := create(t, s, "coffee")
	q := ask(t, running, "ann")
	duel := func(key string) prefer.Duel {
		return prefer.Duel{First: q.First, Second: q.Second, Rater: key, Answer: prefer.Answer{Choice: prefer.Tie, Key: key}}
	}
	name := func(n int) string { return fmt.Sprint("study ", n) }
	for _, change := range []struct {
		name string
		do   func(n int) error
		done func(n int) bool
	}{
		{"append", func(n int) error { _, err := running.Observe(ctx, duel(fmt.Sprint("key ", n))); return err },
			func(n int) bool { return events(t, s, "coffee")[2+n].Observed.Duel.Rater == fmt.Sprint("key ", n) }},
		{"create", func(n int) error { _, err := s.Create(ctx, name(n), config()); return err },
			func(n int) bool { return len(events(t, s, name(n))) == 1 }},
		{"delete", func(n int) error { return s.Delete(ctx, name(n)) },
			func(n int) bool { _, err := s.Study(ctx, name(n)); return errors.Is(err, store.ErrNoStudy) }},
		{"read", func(int) error { _, err := s.Study(ctx, "coffee"); return err }, func(int) bool { return true }},
	} {
		n := 0
		for _, answered := range []bool{false, true} {
			for at, uncut := 0, false; !uncut; at++ {
				line.Trap(at, answered, line.Cut)
				if err := change.do(n); err != nil {
					t.Fatalf("%s %d, cut at message %d (reached the server: %v): %v", change.name, n, at, answered, err)
				}
				uncut = !line.Disarm()
				n++
			}
		}
		for i := range n {
			if !change.done(i) {
				t.Errorf("%s %d was not done", change.name, i)
			}
		}
		if n < 8 {
			t.Errorf("%s was cut only %d times", change.name, n-2)
		}
		t.Logf("%s: %d cuts", change.name, n-2)
	}
	sameStudy(t, s, "coffee", running)
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// underLoad has several goroutines tell a study something while harm is done, again and again, and checks that each answer
// was kept, and kept once. Nobody is done before harm was done once, however quick the machine.
func underLoad(t *testing.T, s *Store, each int, harm func()) {
	t.Helper()
	q := ask(t, create(t, s, "coffee"), "ann")
	var wait sync.WaitGroup
	const tellers = 3
	harmed := make(chan struct{})
	for teller := range tellers {
		wait.Go(func() {
			for i := range each {
				if i == each/2 {
					<-harmed
				}
				key := fmt.Sprintf("%d-%d", teller, i)
				err := s.Update(ctx, "coffee", func(study *prefer.Study) error {
					_, err := study.Observe(ctx, prefer.Duel{First: q.First, Second: q.Second, Answer: prefer.Answer{Choice: prefer.Tie, Key: key}})
					return err
				})
				if err != nil {
					t.Errorf("%s: %v", key, err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	harm()
	close(harmed)
	for working := true; working; {
		select {
		case <-done:
			working = false
		default:
			harm()
		}
	}
	keys := map[string]int{}
	for _, e := range events(t, s, "coffee") {
		if e.Observed != nil {
			keys[e.Observed.Duel.Answer.Key]++
		}
	}
	for key, n := range keys {
		if n != 1 {
			t.Errorf("%s was kept %d times", key, n)
		}
	}
	if len(keys) != tellers*each {
		t.Errorf("%d answers were kept, want %d", len(keys), tellers*each)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestPostgresTerminated: an administrator ends the sessions of a working store, over and over.
func TestPostgresTerminated(t *testing.T) {
	address := database(t)
	admin := open(t, address)
	ended, rounds := 0, 0
	underLoad(t, open(t, named(t, address, "teller"), Options{Patience: time.Minute}), 20, func() {
		time.Sleep(30 * time.Millisecond)
		if rounds++; rounds > 20 { // a slow machine must get something done, too
			return
		}
		var n int
		err := admin.db.QueryRowContext(ctx, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE application_name = 'teller' AND datname = current_database()`).Scan(&n)
		if err != nil {
			t.Error(err)
		}
		ended += n
	})
	if ended == 0 {
		t.Error("no session was ended: nothing was tested")
	}
	t.Logf("%d sessions ended", ended)
}

// TestPostgresRestart: the server is restarted under a working store, which waits and goes on.
func TestPostgresRestart(t *testing.T) {
	cluster := newCluster(t, "start")
	restarts := 0
	underLoad(t, open(t, cluster.Address, Options{Patience: time.Minute}), 15, func() {
		if restarts < 3 {
			cluster.do(t, "restart")
			restarts++
		}
		time.Sleep(20 * time.Millisecond)
	})
	t.Logf("%d restarts", restarts)
}

// TestPostgresUnreachable: a server that is not there, or refuses, is named without its password.
func TestPostgresUnreachable(t *testing.T) {
	for address, says := range map[string]string{
		onDatabase(t, server(t), "there_is_none"):           "there_is_none",
		"postgres://ann:secret@127.0.0.1:1/coffee":          `"coffee" at 127.0.0.1`,
		"postgres://ann:secret@/coffee?host=" + t.TempDir(): "coffee",
	} {
		_, err := Open(ctx, address, Options{Patience: time.Second})
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want an error that says %q", address, err, says)
		}
		if strings.Contains(address, "secret") && !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s: %v, want store.ErrUnavailable", address, err)
		}
	}
}

// TestPostgresEncoding: a database that cannot hold every name is refused.
func TestPostgresEncoding(t *testing.T) {
	address := server(t)
	name := fmt.Sprintf("latin_%d", os.Getpid())
	run(t, address, "CREATE DATABASE "+name+" ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
	t.Cleanup(func() { run(t, address, "DROP DATABASE "+name+" WITH (FORCE)") })
	_, err := Open(ctx, onDatabase(t, address, name), Options{})
	if err == nil || !strings.Contains(err.Error(), "LATIN1") {
		t.Errorf("a database in LATIN1: %v", err)
	}
}

// TestPostgresRights: a role that may create nothing is told so, and one that may only read can.
func TestPostgresRights(t *testing.T) {
	role := fmt.Sprintf("reader_%d", os.Getpid())
	admin := server(t)
	run(t, admin, "CREATE ROLE "+role+" LOGIN")
	t.Cleanup(func() { run(t, admin, "DROP ROLE "+role) }) // after the database, in which it has rights
	address := database(t)
	run(t, address, "REVOKE CREATE ON SCHEMA public FROM PUBLIC") // the default since PostgreSQL 15
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(role)
	if _, err := Open(ctx, u.String(), Options{}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a role that may create nothing: %v, want store.ErrReadOnly", err)
	}
	play(t, create(t, open(t, address), "coffee"), "ann", 1)
	run(t, address, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+role)
	reading := study(t, open(t, u.String()), "coffee")
	if _, err := reading.Ask(ctx, prefer.Request{Rater: "bob"}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a step by a role that may only read: %v, want store.ErrReadOnly", err)
	}
}

// TestPostgresSettings: what the server bounds follows from the store's patience, and an address may say otherwise.
func TestPostgresSettings(t *testing.T) {
	address := database(t)
	for _, c := range []struct {
		store *Store
		want  [3]string
	}{
		{open(t, address), [3]string{"7500ms", "5s", "10s"}},
		{open(t, address, Options{Patience: 4 * time.Second}), [3]string{"3s", "2s", "4s"}},
		{open(t, with(t, address, "lock_timeout", "1234")), [3]string{"1234ms", "5s", "10s"}},
	} {
		var got [3]string
		err := c.store.read(ctx, func(conn *session) {
			conn.find([]any{&got[0], &got[1], &got[2]}, "SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'), current_setting('statement_timeout')")
		})
		if err != nil || got != c.want {
			t.Errorf("a lock, a pause, a statement: %v, %v, want %v", got, err, c.want)
		}
	}
}
