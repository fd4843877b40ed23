package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store/storetest"
)

// short is the patience of stores whose database is about to be lost.
const short = 400 * time.Millisecond

// ends runs something that must not wait for ever.
func ends(t *testing.T, what string, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		buf := make([]byte, 1<<20)
		t.Fatalf("%s still waits after a minute\n%s", what, buf[:runtime.Stack(buf, true)])
		return nil
	}
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for start := time.Now(); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			buf := make([]byte, 1<<20)
			t.Fatalf("not within a minute: %s\n%s", what, buf[:runtime.Stack(buf, true)])
		}
	}
}

// left makes sure that a fault that is over has left nothing behind: no connection in use, no more of them on the line than a
// store has, no goroutine.
func left(t *testing.T, s *Store, line *storetest.Line, goroutines int) {
	t.Helper()
	await(t, "the pool is at rest", func() bool { return s.db.Stats().InUse == 0 })
	await(t, "lost connections are gone", func() bool { return line.Connections() <= maxConnections+2 })
	// A connection is two goroutines of the line.
	await(t, "goroutines have ended", func() bool { return runtime.NumGoroutine() <= goroutines+2*(maxConnections+2) })
}

// observe tells a study something under a key, as often as it takes, and opens it for that.
func observe(t *testing.T, s *Store, q prefer.Question, key string) error {
	t.Helper()
	return ends(t, "an answer", func() error {
		return s.Update(ctx, "coffee", func(study *prefer.Study) error {
			_, err := study.Observe(ctx, prefer.Duel{First: q.First, Second: q.Second, Answer: prefer.Answer{Choice: prefer.Tie, Key: key}})
			return err
		})
	})
}

// keys returns how often each key is in the log, from a database that works, however slowly.
func keys(t *testing.T, s *Store) map[string]int {
	t.Helper()
	found := map[string]int{}
	var log []prefer.Event
	await(t, "the log", func() bool {
		var err error
		if log, err = s.Events(ctx, "coffee"); err != nil && !errors.Is(err, ErrUnavailable) {
			t.Fatal(err)
		}
		return err == nil
	})
	for _, e := range log {
		if e.Observed != nil {
			found[e.Observed.Duel.Answer.Key]++
		}
	}
	return found
}

// TestPostgresFrozen: the line freezes at every message of an append, before the server got it and before its reply came
// back. The call ends with ErrUnavailable, and once the line has thawed the same store keeps the answer, once.
func TestPostgresFrozen(t *testing.T) {
	line := storetest.NewLine(t, database(t))
	s := open(t, line.Address(), Patience(short))
	s.notifier.close()
	s.notifier = nil // its messages would count
	q := ask(t, create(t, s, "coffee"), "ann")
	goroutines := runtime.NumGoroutine()
	frozen := 0
	for _, after := range []bool{false, true} {
		for at, whole := 0, false; !whole; {
			key := fmt.Sprintf("%d %t", at, after)
			line.Trap(at, after, line.Freeze)
			err := observe(t, s, q, key)
			if sprung := line.Disarm(); sprung {
				if !errors.Is(err, ErrUnavailable) {
					t.Fatalf("frozen at message %d (after the reply: %t): %v, want ErrUnavailable", at, after, err)
				}
				frozen++
				at++
			} else { // or a machine so slow that it took the patience without a fault: once more
				whole = err == nil
			}
			line.Thaw()
			await(t, "the answer is taken", func() bool { return observe(t, s, q, key) == nil })
			if n := keys(t, s)[key]; n != 1 {
				t.Fatalf("the answer %q is there %d times", key, n)
			}
		}
	}
	if frozen < 10 {
		t.Errorf("frozen only %d times", frozen)
	}
	left(t, s, line, goroutines)
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
	t.Logf("frozen %d times", frozen)
}

// TestPostgresLost: a database that refuses connections, and one that is slow.
func TestPostgresLost(t *testing.T) {
	line := storetest.NewLine(t, database(t))
	s := open(t, line.Address(), Patience(short))
	q := ask(t, create(t, s, "coffee"), "ann")
	goroutines := runtime.NumGoroutine()
	line.Refuse(true)
	line.Cut()
	if err := observe(t, s, q, "refused"); !errors.Is(err, ErrUnavailable) {
		t.Errorf("refused: %v, want ErrUnavailable", err)
	}
	if _, err := Open(ctx, line.Address(), Patience(short)); !errors.Is(err, ErrUnavailable) {
		t.Errorf("opened: %v, want ErrUnavailable", err)
	}
	line.Refuse(false)
	await(t, "the answer is taken", func() bool { return observe(t, s, q, "refused") == nil })
	left(t, s, line, goroutines)
	slow := open(t, line.Address()) // with the patience everybody has
	line.Delay(50 * time.Millisecond)
	if err := observe(t, slow, q, "slow"); err != nil {
		t.Errorf("slow: %v", err)
	}
	line.Delay(0)
	if got := keys(t, s); got["refused"] != 1 || got["slow"] != 1 {
		t.Errorf("kept %v", got)
	}
}

// TestPostgresSilent: every other call ends as well when the database says nothing, many at a time, more than there are
// connections; and all of them work again.
func TestPostgresSilent(t *testing.T) {
	line := storetest.NewLine(t, database(t))
	s := open(t, line.Address(), Patience(short))
	running := create(t, s, "coffee")
	play(t, running, "ann", 3)
	goroutines := runtime.NumGoroutine()
	calls := map[string]func() error{
		"Study":        func() error { _, err := s.Study(ctx, "coffee"); return err },
		"Follow":       func() error { _, _, err := s.Follow(ctx, running); return err },
		"List":         func() error { _, err := s.List(ctx); return err },
		"Check":        func() error { return s.Check(ctx) },
		"UseAhead":     func() error { _, err := s.UseAhead(ctx, running, "ann"); return err },
		"KeepNote":     func() error { return s.KeepNote(ctx, Note{Study: "coffee", Name: "x"}) },
		"FindNote":     func() error { _, _, err := s.FindNote(ctx, "coffee", "x"); return err },
		"Create":       func() error { _, err := s.Create(ctx, "tea", config()); return err },
		"Import":       func() error { return s.Import(ctx, "milk", running.Events()) },
		"KeepSnapshot": func() error { return running.Config().Journal.(*journal).keepSnapshot(ctx, 3, []byte("x")) },
		"Delete":       func() error { return s.Delete(ctx, "none") },
		"Open":         func() error { return opened(line.Address()) },
	}
	line.Freeze()
	ended := make(chan string)
	for name, do := range calls {
		go func() {
			if err := do(); !errors.Is(err, ErrUnavailable) {
				t.Errorf("%s: %v, want ErrUnavailable", name, err)
			}
			ended <- name
		}()
	}
	for range calls {
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatal("a call still waits after a minute")
		}
	}
	line.Thaw()
	delete(calls, "Delete") // there is nothing to delete
	for name, do := range calls {
		await(t, name, func() bool { err := do(); return err == nil || errors.Is(err, ErrExists) })
	}
	left(t, s, line, goroutines)
}

func opened(address string) error {
	s, err := Open(ctx, address, Patience(short))
	if err != nil {
		return err
	}
	return s.Close()
}

// TestLeaseFrozen: who waits for a lease of a silent database waits no longer than it wants to, who gives one back does not
// wait at all, and afterwards the study can be leased again.
func TestLeaseFrozen(t *testing.T) {
	line := storetest.NewLine(t, database(t))
	s := open(t, line.Address(), Patience(short))
	coffee, tea := create(t, s, "coffee"), create(t, s, "tea")
	release, err := s.Lease(ctx, coffee)
	if err != nil {
		t.Fatal(err)
	}
	goroutines := runtime.NumGoroutine()
	line.Freeze()
	brief, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if err := ends(t, "a lease", func() error { _, err := s.Lease(brief, tea); return err }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want to have waited in vain", err)
	}
	_ = ends(t, "giving back", func() error { release(); return nil })
	line.Thaw()
	for _, study := range []*prefer.Study{coffee, tea} {
		await(t, "a lease", func() bool {
			brief, stop := context.WithTimeout(ctx, 5*time.Second)
			defer stop()
			release, err := s.Lease(brief, study)
			if err == nil {
				release()
			}
			return err == nil
		})
	}
	left(t, s, line, goroutines)
}

// TestLeaseIdle: a session that the server has ended is opened again, and nobody notices.
func TestLeaseIdle(t *testing.T) {
	address := database(t)
	s := open(t, named(t, address, "idle"))
	coffee := create(t, s, "coffee")
	for range 2 {
		release, err := s.Lease(ctx, coffee)
		if err != nil {
			t.Fatal(err)
		}
		release()
		session := <-s.leases.session // the lease is given back
		var limit string
		if err := session.QueryRow(ctx, "SELECT coalesce(current_setting('idle_session_timeout', true), '1min')").Scan(&limit); err != nil || limit != "1min" {
			t.Errorf("the session ends after %s, %v, want a minute", limit, err)
		}
		s.leases.session <- session
		run(t, address, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'idle' AND (query LIKE '%idle_session%' OR query LIKE '%advisory%')")
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
		{open(t, address, Patience(4*time.Second)), [3]string{"3s", "2s", "4s"}},
		{open(t, storetest.With(t, address, "lock_timeout", "1234")), [3]string{"1234ms", "5s", "10s"}},
	} {
		var got [3]string
		err := c.store.read(ctx, func(ctx context.Context, conn *sql.Conn) error {
			return conn.QueryRowContext(ctx, "SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'), current_setting('statement_timeout')").
				Scan(&got[0], &got[1], &got[2])
		})
		if err != nil || got != c.want {
			t.Errorf("a lock, a pause, a statement: %v, %v, want %v", got, err, c.want)
		}
	}
}

// TestListenFrozen: a listener whose line is dead finds out, and hears again what happens.
func TestListenFrozen(t *testing.T) {
	address := database(t)
	line := storetest.NewLine(t, address)
	s, other := open(t, address), open(t, line.Address(), Patience(short))
	here := create(t, s, "coffee")
	heard := make(chan Change, 100)
	listening, stop := context.WithCancel(ctx)
	ended := make(chan bool, 1)
	go func() { ended <- other.Listen(listening, func(c Change) { heard <- c }) }()
	hear := func(want Change) {
		t.Helper()
		for {
			select {
			case got := <-heard:
				if got == want {
					return
				}
			case <-time.After(time.Minute):
				t.Fatalf("%+v was not heard", want)
			}
		}
	}
	hear(Change{})
	ask(t, here, "ann")
	hear(Change{"coffee", 2, "asked"})
	time.Sleep(2 * short) // nothing is said, and the connection lives
	ask(t, here, "bob")
	hear(Change{"coffee", 3, "asked"})
	if len(heard) > 0 {
		t.Errorf("the connection was lost: %+v", <-heard)
	}
	line.Freeze()
	await(t, "the listener gives its connection up", func() bool { // and tries for others
		before := line.Connections()
		time.Sleep(short)
		return line.Connections() > before
	})
	ask(t, here, "cat")
	line.Thaw()
	hear(Change{}) // something was missed
	ask(t, here, "dan")
	hear(Change{"coffee", 5, "asked"})
	stop()
	<-ended
}

// TestNotifyFrozen: what could not be told while the database was silent is told afterwards.
func TestNotifyFrozen(t *testing.T) {
	address := database(t)
	line := storetest.NewLine(t, address)
	s, other := open(t, line.Address(), Patience(short)), open(t, address)
	create(t, s, "coffee")
	heard := make(chan Change, 100)
	listening, stop := context.WithCancel(ctx)
	ended := make(chan bool, 1)
	go func() { ended <- other.Listen(listening, func(c Change) { heard <- c }) }()
	<-heard
	line.Freeze()
	s.notifier.add(Change{"coffee", 2, "asked"})
	await(t, "it is being told", func() bool { s.notifier.mu.Lock(); defer s.notifier.mu.Unlock(); return len(s.notifier.changes) == 0 })
	s.notifier.add(Change{"tea", 7, "asked"})
	time.Sleep(2 * short)
	line.Thaw()
	want := map[Change]bool{{"coffee", 2, "asked"}: true, {"tea", 7, "asked"}: true}
	for len(want) > 0 {
		select {
		case got := <-heard:
			delete(want, got)
		case <-time.After(time.Minute):
			t.Fatalf("not heard: %v", want)
		}
	}
	stop()
	<-ended
}

// TestCloseFrozen: a store is closed while its database is silent, a lease is held and a change is being told.
func TestCloseFrozen(t *testing.T) {
	line := storetest.NewLine(t, database(t))
	s, err := Open(ctx, line.Address(), Patience(short))
	if err != nil {
		t.Fatal(err)
	}
	coffee := create(t, s, "coffee")
	release, err := s.Lease(ctx, coffee)
	if err != nil {
		t.Fatal(err)
	}
	line.Freeze()
	release()
	s.notifier.add(Change{"coffee", 2, "asked"})
	_ = ends(t, "closing", s.Close) // that the server has not said goodbye is no matter
	if err := s.Delete(ctx, "coffee"); !errors.Is(err, ErrUnavailable) {
		t.Errorf("after Close: %v, want ErrUnavailable", err)
	}
}
