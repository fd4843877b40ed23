package queue

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/bench"
)

// TestTaken: a worker that is stopped does not return a job that is no longer its own.
func TestTaken(t *testing.T) {
	s := sweep(t, 1, 400) // long enough to be stopped in the middle
	s.Cells = s.Cells[:1]
	q := open(t, database(t))
	enqueue(t, q, s)
	quit, stop := context.WithCancel(ctx)
	defer stop()
	w := &Worker{Queue: q, Jobs: 1}
	ended := make(chan Tally)
	go func() {
		tally, err := w.Run(quit)
		if err != nil {
			t.Error(err)
		}
		ended <- tally
	}()
	eventually(t, "the cell is running", func() bool { return status(t, q).Running == 1 })
	// The job is given to somebody else, and the first one is told to stop: its reply must change nothing.
	if n := number(t, q, "UPDATE prefer_queue.river_job SET id = DEFAULT, attempted_by = '{somebody}' WHERE state = 'running' RETURNING attempt"); n != 1 {
		t.Fatalf("attempt %d, want 1", n)
	}
	stop()
	if tally := <-ended; tally.Done != 0 {
		t.Errorf("%+v, want nothing done", tally)
	}
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE state = 'running' AND attempt = 1 AND attempted_by = '{somebody}'"); n != 1 {
		t.Error("a worker has changed a job that was no longer its own")
	}
}

// TestStop: a worker that is told to stop returns its cell, which has lost no attempt.
func TestStop(t *testing.T) {
	s := sweep(t, 1, 400)
	s.Cells = s.Cells[:1]
	q := open(t, database(t))
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
	q := open(t, database(t))
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
	q := open(t, database(t))
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
	address := database(t)
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
			if cuts < 40 { // then it may finish in peace
				cuts += number(t, q, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'victim' AND datname = current_database()")
			}
		}
	}
}

// TestMaxLost: a cell that loses its worker again and again is given up.
func TestMaxLost(t *testing.T) {
	s := sweep(t, 1, 1)
	s.Cells = s.Cells[:1]
	q := open(t, database(t))
	enqueue(t, q, s)
	w := &Worker{Queue: q, Jobs: 1, Lease: lease, id: "somebody"}
	for i := range maxLost {
		number(t, q, "UPDATE prefer_queue.river_job SET state = 'running', attempt = attempt + 1, attempted_at = now(), attempted_by = '{gone}' RETURNING attempt")
		if err := w.beat(ctx); err != nil {
			t.Fatal(err)
		}
		now, last := status(t, q), i == maxLost-1
		if now.Running != 0 || (now.Waiting == 1) == last || (now.Failed == 1) != last {
			t.Fatalf("lost %d times: %+v", i+1, now)
		}
	}
	if got := fmt.Sprint(status(t, q).Failures); !strings.Contains(got, "was lost, time 5 of at most 5") {
		t.Errorf("failures %s", got)
	}
}

// TestUnheard: a job that the database gave to a worker whose connection broke before it heard of it goes back.
func TestUnheard(t *testing.T) {
	s := sweep(t, 1, 1)
	s.Cells = s.Cells[:2]
	q := open(t, database(t))
	enqueue(t, q, s)
	w := &Worker{Queue: q, Jobs: 1, Lease: lease, id: "deaf"}
	known := number(t, q, "UPDATE prefer_queue.river_job SET state = 'running', attempted_at = now(), attempted_by = '{deaf}' RETURNING id")
	for _, c := range []struct {
		age     string
		running int
	}{{"1 second", 2}, {"4 seconds", 1}} {
		number(t, q, "UPDATE prefer_queue.river_job SET attempted_at = now() - $1::interval RETURNING 1", c.age)
		w.running.add(int64(known), func(error) {})
		if err := w.beat(ctx); err != nil {
			t.Fatal(err)
		}
		if now := status(t, q); now.Running != c.running || now.Waiting != 2-c.running {
			t.Errorf("%s after two jobs of which it knows one: %+v", c.age, now)
		}
	}
	if number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE id = $1 AND state = 'running'", known) != 1 {
		t.Error("the job it is at was taken from it")
	}
}
