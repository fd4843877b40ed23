package sqlstore

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
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
func left(t *testing.T, s *Store, line *Line, goroutines int) {
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
		if log, err = s.Events(ctx, "coffee"); err != nil && !errors.Is(err, store.ErrUnavailable) {
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
	line := NewLine(t, prepared(t))
	s := open(t, line.Address(), Options{Patience: short})
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
				if !errors.Is(err, store.ErrUnavailable) {
					t.Fatalf("frozen at message %d (after the reply: %t): %v, want store.ErrUnavailable", at, after, err)
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
	line := NewLine(t, prepared(t))
	s := open(t, line.Address(), Options{Patience: short})
	q := ask(t, create(t, s, "coffee"), "ann")
	goroutines := runtime.NumGoroutine()
	line.Refuse(true)
	line.Cut()
	if err := observe(t, s, q, "refused"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("refused: %v, want store.ErrUnavailable", err)
	}
	if _, err := Open(ctx, line.Address(), Options{Patience: short}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("opened: %v, want store.ErrUnavailable", err)
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
	line := NewLine(t, prepared(t))
	s := open(t, line.Address(), Options{Patience: short})
	running := create(t, s, "coffee")
	play(t, running, "ann", 3)
	goroutines := runtime.NumGoroutine()
	calls := map[string]func() error{
		"Study":        func() error { _, err := s.Study(ctx, "coffee"); return err },
		"Follow":       func() error { _, _, err := s.Follow(ctx, running); return err },
		"List":         func() error { _, err := s.List(ctx); return err },
		"Check":        func() error { return s.Check(ctx) },
		"UseAhead":     func() error { _, err := s.UseAhead(ctx, running, "ann"); return err },
		"KeepNote":     func() error { return s.KeepNote(ctx, store.Note{Study: "coffee", Name: "x"}) },
		"FindNote":     func() error { _, _, err := s.FindNote(ctx, "coffee", "x"); return err },
		"Create":       func() error { _, err := s.Create(ctx, "tea", config()); return err },
		"Import":       func() error { return s.Import(ctx, "milk", running.Events(0)) },
		"KeepSnapshot": func() error { return running.Config().Journal.(*journal).keepSnapshot(ctx, 3, []byte("x")) },
		"Delete":       func() error { return s.Delete(ctx, "none") },
		"Open":         func() error { return opened(line.Address()) },
	}
	line.Freeze()
	ended := make(chan string)
	for name, do := range calls {
		go func() {
			if err := do(); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("%s: %v, want store.ErrUnavailable", name, err)
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
		await(t, name, func() bool { err := do(); return err == nil || errors.Is(err, store.ErrExists) })
	}
	left(t, s, line, goroutines)
}

func opened(address string) error {
	s, err := Open(ctx, address, Options{Patience: short})
	if err != nil {
		return err
	}
	return s.Close()
}

// TestCloseFrozen: a store is closed while its database is silent, a lease is held and a change is being told.
func TestCloseFrozen(t *testing.T) {
	line := NewLine(t, prepared(t))
	s, err := Open(ctx, line.Address(), Options{Patience: short})
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
	s.notifier.add(store.Change{Study: "coffee", Seq: 2, Kind: "asked"})
	_ = ends(t, "closing", s.Close) // that the server has not said goodbye is no matter
	if err := s.Delete(ctx, "coffee"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("after Close: %v, want store.ErrUnavailable", err)
	}
}

// prepared is a database with the tables made: those who wait but a moment might lose that race on a busy machine.
func prepared(t *testing.T) string {
	t.Helper()
	address := database(t)
	s, err := Open(ctx, address, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return address
}
