package queue

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/internal/storetest"
)

// TestOpenTogether: several processes may find the same empty database.
func TestOpenTogether(t *testing.T) {
	address := storetest.Database(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			q, err := Open(ctx, address)
			if err != nil {
				t.Error(err)
				return
			}
			q.Close()
		})
	}
	wg.Wait()
	if n := number(t, open(t, address), "SELECT count(*) FROM prefer_queue.cells"); n != 0 {
		t.Errorf("%d cells in a new queue", n)
	}
}

// TestNewer: tables of a newer version are refused, ours and River's.
func TestNewer(t *testing.T) {
	for _, c := range []struct{ statement, want string }{
		{"INSERT INTO prefer_queue.versions (version_id, is_applied) VALUES (99, true) RETURNING 1", "tables in schema prefer_queue have version 99, this program knows 3"},
		{"INSERT INTO prefer_queue.river_migration (line, version) VALUES ('main', 98) RETURNING 1", "River's tables in schema prefer_queue have version 98"},
	} {
		address := storetest.Database(t)
		number(t, open(t, address), c.statement)
		if _, err := Open(ctx, address); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestAway: a database that is not there is an error that says so and keeps the password to itself.
func TestAway(t *testing.T) {
	t.Parallel() // it waits, mostly
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	if _, err := Open(short, "postgres://me:secret@127.0.0.1:1/there"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a caller in a hurry got %v", err)
	}
	_, err := Open(ctx, "postgres://me:secret@127.0.0.1:1/there")
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), `database "there" at 127.0.0.1`) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v, want a database that cannot be reached, by name", err)
	}
	if _, err := Open(ctx, "postgres://me:secret@host:port/there"); err == nil || errors.Is(err, ErrUnavailable) || strings.Contains(err.Error(), "secret") {
		t.Errorf("an address that is none: %v", err)
	}
	q := open(t, storetest.Database(t))
	q.Close()
	if _, err := q.Status(short); err == nil {
		t.Error("a closed queue has a status")
	}
}
