package queue

import (
	"context"
	"math"
	"testing"

	"github.com/prefer-bo/prefer/internal/storetest"
)

// TestStatus: the numbers at a moment that is known, and the time left by hand.
func TestStatus(t *testing.T) {
	s := sweep(t, 2, 2) // quadratic2 and branin2, eubo and random, two seeds
	q := open(t, storetest.Database(t))
	enqueue(t, q, s)
	if now := status(t, q); now.Waiting != 8 || now.Running+now.Done+now.Failed+now.Retrying != 0 || now.SecondsLeft != nil || len(now.Workers) != 0 {
		t.Errorf("%+v, want 8 waiting and no time left without workers", now)
	}
	w := &Worker{Queue: q, Jobs: 2, Lease: lease, Build: "test", id: "me", host: "here", pid: 7}
	if err := w.beat(ctx); err != nil {
		t.Fatal(err)
	}
	if now := status(t, q); now.SecondsLeft != nil {
		t.Errorf("%g s left before any cell is done", *now.SecondsLeft)
	}
	// Seed 0 is done: eubo took 10 s on quadratic2, the others are still there; one cell runs.
	number(t, q, `UPDATE prefer_queue.river_job SET state = 'completed', finalized_at = now() WHERE args ->> 'key' LIKE 'quadratic2%eubo seed 0,%' RETURNING 1`)
	number(t, q, `INSERT INTO prefer_queue.cells (key, problem, noise, method, seed, setup, questions, seconds, worker)
		VALUES ('a', 'quadratic2', 0.1, 'eubo', 0, 'default', 2, 10, 'me'), ('b', 'quadratic2', 0.1, 'random', 0, 'default', 9, 40, 'me') RETURNING 1`)
	number(t, q, `UPDATE prefer_queue.river_job SET state = 'running', attempted_by = '{you,me}' WHERE args ->> 'key' LIKE 'quadratic2%eubo seed 1,%' RETURNING 1`)
	number(t, q, `UPDATE prefer_queue.river_job SET errors = '{"{}"}' WHERE args ->> 'key' LIKE 'branin2%eubo seed 1,%' RETURNING 1`)
	now := status(t, q)
	if now.Waiting != 6 || now.Running != 1 || now.Done != 1 || now.Retrying != 1 {
		t.Errorf("%+v, want 6 waiting, 1 of them again, 1 running, 1 done", now)
	}
	// One more of the 10 s kind; six of kinds not seen with 2 questions at the mean of 25 s; two at a time.
	if want := (10 + 6*25.0) / 2; now.SecondsLeft == nil || math.Abs(*now.SecondsLeft-want) > 1e-9 {
		t.Errorf("%v s left, want %g", now.SecondsLeft, want)
	}
	if workers, jobs := now.Alive(); workers != 1 || jobs != 2 || now.Workers[0].Done != 2 || now.Workers[0].Running != 1 || now.Workers[0].Build != "test" {
		t.Errorf("workers %+v", now.Workers)
	}
	if err := w.leave(ctx); err != nil {
		t.Fatal(err)
	}
	if now := status(t, q); now.Workers[0].Alive || now.SecondsLeft != nil {
		t.Errorf("%+v, want a worker that has left", now)
	}
}

// TestWhileRunning: status and rows can be had at any time, and only ever grow by whole cells.
func TestWhileRunning(t *testing.T) {
	s, long := sweep(t, 2, 3), sweep(t, 1, 400)
	long.Cells = long.Cells[:1]
	q := open(t, storetest.Database(t))
	enqueue(t, q, long)
	ticket := enqueue(t, q, s)
	quit, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan Tally)
	go func() {
		tally, err := (&Worker{Queue: q, Jobs: 2, Lease: lease}).Run(quit)
		if err != nil {
			t.Error(err)
		}
		ended <- tally
	}()
	before := 0
	eventually(t, "all short cells are done", func() bool {
		now := status(t, q)
		rows := len(kept(t, q))
		if now.Done < before || rows < 4*now.Done || rows%4 != 0 { // the row after the initial pairs, and three more
			t.Fatalf("%d cells done, then %d; %d rows", before, now.Done, rows)
		}
		before = now.Done
		p, err := q.Progress(ctx, ticket)
		if err != nil {
			t.Fatal(err)
		}
		return p.Over()
	})
	if now := status(t, q); now.Running != 1 || now.Done != 8 || now.SecondsLeft == nil || !(*now.SecondsLeft > 0) {
		t.Errorf("%+v, want the long cell running", now)
	}
	sameRows(t, q, local(t, s))
	stop()
	if tally := <-ended; tally != (Tally{Done: 8, Returned: 1}) {
		t.Errorf("%+v, want the long cell returned", tally)
	}
}
