package queue

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/bench"
)

// moderate is a number of questions that takes long enough for a process to be caught at them.
func moderate() int {
	if testing.Short() { // as under the race detector, which slows them down
		return 8
	}
	return 15
}

// TestKill runs 48 cells in three processes, of which one is killed in the middle of a cell, and so is the one that
// takes its place: the rows are those of a local run, no cell lost or doubled.
func TestKill(t *testing.T) {
	t.Parallel() // it waits, mostly
	s := sweep(t, 12, moderate())
	want := local(t, s)
	address := database(t)
	q := open(t, address)
	begin := time.Now()
	ticket := enqueue(t, q, s)
	if ticket.Cells != 48 || ticket.New != 48 {
		t.Fatalf("%+v, want 48 new cells", ticket)
	}
	kill := func(victim *exec.Cmd) time.Time {
		if err := victim.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		victim.Wait()
		return time.Now()
	}
	first := start(t, address)
	interrupt(t, q, first)
	kill(first)
	second := start(t, address) // in its place
	job := interrupt(t, q, second)
	workers := []*exec.Cmd{start(t, address), start(t, address)} // not earlier, or little might be left for the second
	eventually(t, "all workers have come", func() bool { return len(status(t, q).Workers) == 4 })
	killed := kill(second)
	eventually(t, "the cell of a killed worker is back", func() bool {
		return number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE id = $1", job) == 0
	})
	back := time.Since(killed)
	eventually(t, "all cells are done", func() bool {
		now := status(t, q)
		if sum := now.Waiting + now.Running + now.Done + now.Failed; sum != 48 {
			t.Fatalf("%d cells in %+v, want 48", sum, now)
		}
		p, err := q.Progress(ctx, ticket)
		if err != nil {
			t.Fatal(err)
		}
		return p.Over()
	})
	took := time.Since(begin)
	sameRows(t, q, want)
	if n := number(t, q, "SELECT coalesce(sum((metadata ->> 'lost')::int), 0) FROM prefer_queue.river_job"); n < 2 {
		t.Errorf("%d cells lost their worker, want 2", n)
	}
	for _, w := range workers {
		if err := w.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := w.Wait(); err != nil {
			t.Errorf("a worker that was told to stop: %v", err)
		}
	}
	if alive, _ := status(t, q).Alive(); alive != 0 {
		t.Errorf("%d workers seem alive when all have ended", alive)
	}
	t.Logf("48 cells, 2 kills: %v; the killed worker's cell was back after %v, lease %v", took.Round(time.Millisecond), back.Round(time.Millisecond), lease)
}

// interrupt stops a process, as SIGSTOP does, while it is at a job, and returns the job.
func interrupt(t *testing.T, q *Queue, c *exec.Cmd) (job int) {
	t.Helper()
	at := func() bool {
		job = number(t, q, `SELECT coalesce(min(j.id), 0) FROM prefer_queue.river_job j JOIN prefer_queue.workers w
			ON w.id = j.attempted_by[array_upper(j.attempted_by, 1)] WHERE j.state = 'running' AND w.until > now() AND w.pid = $1`, c.Process.Pid)
		return job != 0
	}
	signal := func(s syscall.Signal) {
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the worker is stopped at a cell", func() bool {
		if !at() {
			return false
		}
		signal(syscall.SIGSTOP)
		time.Sleep(20 * time.Millisecond) // what it has sent arrives
		if !at() {
			signal(syscall.SIGCONT)
			return false
		}
		return true
	})
	return job
}

// TestLate: a worker that was asleep for longer than its lease comes back with rows, and they are not kept a second
// time; nor does it end the job of the one who has taken over.
func TestLate(t *testing.T) {
	t.Parallel() // it waits, mostly
	s := sweep(t, 3, moderate())
	address := database(t)
	q := open(t, address)
	enqueue(t, q, s)
	sleeper := start(t, address)
	job := interrupt(t, q, sleeper)
	if tally := work(t, &Worker{Queue: q, Jobs: 1}); tally.Done == 0 {
		t.Fatalf("%+v, want the sleeper's cell done", tally)
	}
	if err := sleeper.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the sleeper is done, too late", func() bool {
		return strings.Contains(said(t, sleeper), "dropped, since another worker has taken it over: ")
	})
	if err := sleeper.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := sleeper.Wait(); err != nil {
		t.Error(err)
	}
	sameRows(t, q, local(t, s))
	if now := status(t, q); now.Done != 12 || now.Waiting+now.Running+now.Failed != 0 {
		t.Errorf("%+v, want 12 cells, done", now)
	}
	if number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE id = $1", job) != 0 {
		t.Error("the cell still has the number under which the sleeper knew it")
	}
}

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
		w.running.add(int64(known))
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
