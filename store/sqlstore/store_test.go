package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// testOpenTogether: several open a store that is not there yet, and share it.
func testOpenTogether(t *testing.T, address string) {
	var wait sync.WaitGroup
	for i := range 6 {
		wait.Go(func() {
			s, err := Open(ctx, address, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, err := s.Create(ctx, fmt.Sprint("study ", i), config()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if list, err := open(t, address).List(ctx); err != nil || len(list) != 6 {
		t.Errorf("the store lists %v, %v", list, err)
	}
}

func testReadOnly(t *testing.T, address string) {
	if _, err := Open(ctx, address, Options{ReadOnly: true}); err == nil {
		t.Fatal("a store that is not there was opened for reading")
	}
	s := open(t, address)
	play(t, create(t, s, "coffee"), "ann", 2)
	reader := open(t, address, Options{ReadOnly: true})
	looking := study(t, reader, "coffee")
	if got, want := lines(t, looking.Events(0)), lines(t, events(t, s, "coffee")); got != want {
		t.Errorf("read\n%swant\n%s", got, want)
	}
	if _, err := looking.Best(ctx, prefer.Look{}); err != nil {
		t.Error(err)
	}
	if err := reader.Check(ctx); err != nil {
		t.Error(err)
	}
	_, asked := looking.Ask(ctx, prefer.Request{Rater: "bob"})
	_, created := reader.Create(ctx, "tea", config())
	_, forgot := reader.Forget(ctx, "coffee", "ann")
	_, direct := reader.db.ExecContext(ctx, "DELETE FROM prefer_studies")
	for _, err := range []error{asked, created, forgot, reader.Delete(ctx, "coffee"), reader.explain(ctx, direct)} {
		if !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("a change of a store opened for reading: %v, want store.ErrReadOnly", err)
		}
	}
	if list, err := reader.List(ctx); err != nil || len(list) != 1 {
		t.Errorf("the store lists %v, %v", list, err)
	}
}

// testNewer: tables of a later version are left alone.
func testNewer(t *testing.T, address string) {
	s := open(t, address)
	create(t, s, "coffee")
	if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_versions (version_id, is_applied) VALUES (999, '1')"); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {ReadOnly: true}} {
		if _, err := Open(ctx, address, o); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "999") {
			t.Errorf("a newer store: %v, want ErrNewer", err)
		}
	}
}

// testCancelled: a caller who has gone changes nothing, and keeps nobody waiting.
func testCancelled(t *testing.T, address string) {
	s := open(t, address)
	running := create(t, s, "coffee")
	q := ask(t, running, "ann")
	gone, cancel := context.WithCancelCause(ctx)
	left := errors.New("left")
	cancel(left)
	_, told := running.Tell(gone, q.ID, prefer.Answer{Choice: prefer.First})
	_, created := s.Create(gone, "tea", config())
	_, opened := s.Study(gone, "coffee")
	_, listed := s.List(gone)
	_, forgot := s.Forget(gone, "coffee", "ann")
	_, reopened := Open(gone, address, Options{})
	for _, err := range []error{told, created, opened, listed, forgot, reopened, s.Delete(gone, "coffee"), s.Check(gone)} {
		if !errors.Is(err, left) && !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that has ended: %v", err)
		}
	}
	tell(t, running, q, prefer.Answer{Choice: prefer.First})
	sameStudy(t, s, "coffee", running)
	if list, err := s.List(ctx); err != nil || len(list) != 1 {
		t.Errorf("the store holds %v, %v", list, err)
	}
	// Leaving in the middle: whatever the answer was, it is the truth.
	for i := range 20 {
		brief, cancel := context.WithTimeout(ctx, time.Duration(i)*100*time.Microsecond)
		duel := prefer.Duel{First: q.First, Second: q.Second, Answer: prefer.Answer{Choice: prefer.Tie}}
		before := len(running.Events(0))
		_, err := running.Observe(brief, duel)
		cancel()
		if got := len(events(t, s, "coffee")); (err == nil) != (got == before+1) {
			t.Fatalf("%v, and the store went from %d events to %d", err, before, got)
		}
	}
	sameStudy(t, s, "coffee", running)
}

// TestClose: a closed store says so at once, and leaves no goroutine behind.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	onBoth(t, func(t *testing.T, address string) {
		s, err := Open(ctx, address, Options{})
		if err != nil {
			t.Fatal(err)
		}
		running := create(t, s, "coffee")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		_, asked := running.Ask(ctx, prefer.Request{Rater: "ann"})
		_, opened := s.Study(ctx, "coffee")
		for _, err := range []error{asked, opened} {
			if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "Close was called") {
				t.Errorf("after Close: %v", err)
			}
		}
	})
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
}
