package queue

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/storetest"
)

// TestStop: a worker that is told to stop returns its cell, which has lost no attempt.
func TestStop(t *testing.T) {
	s := sweep(t, 1, 400)
	s.Cells = s.Cells[:1]
	q := open(t, storetest.Database(t))
	enqueue(t, q, s)
	quit, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan Tally)
	go func() {
		tally, err := (&Worker{Queue: q, Jobs: 1}).Run(quit)
		if err != nil {
			t.Error(err)
		}
		ended <- tally
	}()
	eventually(t, "the cell is running", func() bool { return status(t, q).Running == 1 })
	stop()
	if tally := <-ended; tally != (Tally{Returned: 1}) {
		t.Errorf("%+v, want one cell returned", tally)
	}
	now := status(t, q)
	if alive, _ := now.Alive(); now.Waiting != 1 || now.Running != 0 || alive != 0 || len(now.Workers) != 1 {
		t.Errorf("%+v, want one cell waiting and one worker, gone", now)
	}
	if n := number(t, q, "SELECT attempt FROM prefer_queue.river_job WHERE state = 'available' AND finalized_at IS NULL AND scheduled_at <= now()"); n != 0 {
		t.Errorf("%d attempts spent, want 0", n)
	}
}

// TestStopEarly: a worker that is told to stop before it has begun has no error either, and is gone.
func TestStopEarly(t *testing.T) {
	q := open(t, storetest.Database(t))
	quit, stop := context.WithCancel(ctx)
	stop()
	if tally, err := (&Worker{Queue: q, Jobs: 1}).Run(quit); err != nil || tally != (Tally{}) {
		t.Errorf("%+v, %v, want nothing", tally, err)
	}
	if alive, _ := status(t, q).Alive(); alive != 0 {
		t.Errorf("%d workers seem alive", alive)
	}
}

// TestFailure: a cell that cannot be run is tried three times and then given up, while the others go on. Enqueued
// again it gets another attempt.
func TestFailure(t *testing.T) {
	t.Parallel() // it waits, mostly
	s := sweep(t, 2, 2)
	want := local(t, s)
	s.Cells = append([]bench.Cell{{Problem: "nowhere2", Noise: 0.1, Method: "random"}}, s.Cells...)
	q := open(t, storetest.Database(t))
	enqueue(t, q, s)
	var said []string
	tally := work(t, &Worker{Queue: q, Jobs: 2, Say: func(text string) { said = append(said, text) }})
	if tally != (Tally{Done: 8, Failed: maxAttempts}) {
		t.Errorf("%+v, want 8 done, %d attempts failed", tally, maxAttempts)
	}
	sameRows(t, q, want)
	now := status(t, q)
	if now.Done != 8 || now.Failed != 1 || len(now.Failures) != 1 || !strings.Contains(now.Failures[0].Error, `unknown problem "nowhere2"`) {
		t.Errorf("%+v, want 8 done and nowhere2 failed", now)
	}
	if len(said) != maxAttempts || !strings.Contains(said[0], "attempt 1 of 3 failed: nowhere2 noise 0.1 random seed 0") {
		t.Errorf("the worker said %q", said)
	}
	gap := number(t, q, "SELECT extract(epoch FROM finalized_at - created_at)::int FROM prefer_queue.river_job WHERE state = 'discarded'")
	if gap < 5 {
		t.Errorf("three attempts within %d s, want pauses of 1 and 4 s between them", gap)
	}
	if ticket := enqueue(t, q, s); ticket.New != 0 || ticket.Again != 1 || ticket.Done != 8 {
		t.Errorf("enqueued again: %+v", ticket)
	}
	if tally := work(t, &Worker{Queue: q, Jobs: 1}); tally != (Tally{Failed: 1}) {
		t.Errorf("%+v, want one attempt more", tally)
	}
}

// TestConnections: a worker whose connections are ended again and again connects again, and nothing is lost.
func TestConnections(t *testing.T) {
	t.Parallel() // it waits, mostly
	s := sweep(t, 4, 4)
	want := local(t, s)
	address := storetest.Database(t)
	q, own := open(t, address), open(t, address+"&application_name=victim")
	enqueue(t, q, s)
	done := make(chan Tally)
	go func() {
		tally, err := (&Worker{Queue: own, Jobs: 2, Lease: lease, Drain: true}).Run(ctx)
		if err != nil {
			t.Error(err)
		}
		done <- tally
	}()
	cuts := 0
	for {
		select {
		case tally := <-done:
			if tally.Failed != 0 || cuts == 0 {
				t.Errorf("%+v after %d cuts", tally, cuts)
			}
			sameRows(t, q, want)
			return
		case <-time.After(150 * time.Millisecond):
			if cuts < 40 && number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE state <> 'available'") > 0 { // it has begun, and then may finish in peace
				cuts += number(t, q, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'victim' AND datname = current_database()")
			}
		}
	}
}
