package queue

import (
	"errors"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
)

// TestExamine: tables that are not there are not made, older ones are not brought up to date, newer ones are named,
// and those of this program are looked into.
func TestExamine(t *testing.T) {
	address := storetest.Database(t)
	examine := func() Health {
		t.Helper()
		h, err := Examine(ctx, address, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	for range 2 {
		if h := examine(); h.Version != 0 || h.River != 0 || h.Current || h.Known == 0 {
			t.Errorf("an empty database: %+v", h)
		}
	}
	q := open(t, address)
	submit(t, q, job.Job{Kind: "echo", Body: []byte("1"), Parts: 3})
	h := examine()
	if !h.Current || h.Version != h.Known || len(h.Status.Jobs) != 1 || h.Status.Jobs[0].Waiting != 3 {
		t.Errorf("%+v, want three parts waiting", h)
	}
	number(t, q, "DELETE FROM prefer_queue.versions WHERE version_id = $1 RETURNING 1", h.Known)
	for range 2 {
		if h := examine(); h.Current || h.Version != h.Known-1 || h.River == 0 {
			t.Errorf("older tables: %+v", h)
		}
	}
	number(t, q, "INSERT INTO prefer_queue.versions (version_id, is_applied) VALUES (99, true) RETURNING 1")
	if _, err := Examine(ctx, address, time.Second); !errors.Is(err, ErrNewer) {
		t.Errorf("newer tables: %v", err)
	}
	if _, err := Examine(ctx, "postgres://me:secret@127.0.0.1:1/there", time.Second); !errors.Is(err, ErrUnavailable) {
		t.Errorf("nothing there: %v", err)
	}
}
