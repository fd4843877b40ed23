//go:build unix

package queue

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/simulate"
	"github.com/prefer-bo/prefer/space"
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
	address := storetest.Database(t)
	q := open(t, address)
	begin := time.Now()
	ticket := enqueue(t, q, s)
	if ticket.Cells != 48 || ticket.New != 48 {
		t.Fatalf("%+v, want 48 new cells", ticket)
	}
	first := start(t, address)
	interrupt(t, q, first)
	kill(t, first)
	second := start(t, address) // in its place
	lost := interrupt(t, q, second)
	workers := []*exec.Cmd{start(t, address), start(t, address)} // not earlier, or little might be left for the second
	eventually(t, "all workers have come", func() bool { return len(status(t, q).Workers) == 4 })
	killed := kill(t, second)
	eventually(t, "the cell of a killed worker is back", func() bool { return back(t, q, lost) })
	took := time.Since(killed)
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
	all := time.Since(begin)
	sameRows(t, q, want)
	if n := number(t, q, rescues); n < 2 {
		t.Errorf("%d cells were returned to the queue, want 2", n)
	}
	end(t, q, workers)
	t.Logf("48 cells, 2 kills: %v; the killed worker's cell was back after %v, lease %v", all.Round(time.Millisecond), took.Round(time.Millisecond), lease)
}

// TestKillParts simulates with 16 people, or 8 if it is to be short, in three processes, of which one is killed in the middle of a person, and so
// is the one that takes its place, while somebody else rescues them: the simulation is the one of a single process.
func TestKillParts(t *testing.T) {
	t.Parallel() // it waits, mostly
	c := simulate.Config{Study: prefer.Config{Space: space.Box(space.Float("x", 0, 1)), Method: "eubo"}, Raters: 8,
		Noise: []simulate.Noise{simulate.Prior, simulate.Low}, MaxQuestions: 5, Seed: 5}
	if testing.Short() {
		c.Raters = 4
	}
	want, err := simulate.Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	e, err := job.NewSimulation(c)
	if err != nil {
		t.Fatal(err)
	}
	address := storetest.Database(t)
	q := open(t, address)
	leave := begin(t, &Worker{Queue: q, Jobs: 1}) // does no parts, and rescues them
	began := time.Now()
	submit(t, q, e)
	first := start(t, address)
	interrupt(t, q, first)
	kill(t, first)
	second := start(t, address) // in its place
	lost := interrupt(t, q, second)
	workers := []*exec.Cmd{start(t, address), start(t, address)}
	eventually(t, "all workers have come", func() bool { return len(status(t, q).Workers) == 5 })
	killed := kill(t, second)
	eventually(t, "the part of a killed worker is back", func() bool { return back(t, q, lost) })
	took := time.Since(killed)
	eventually(t, "everybody has finished", func() bool { return progress(t, q, e).Over() })
	all := time.Since(began)
	results, err := q.Runner().Results(ctx, e.Key())
	if err != nil {
		t.Fatal(err)
	}
	got, err := job.Simulated(e, results)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the simulation of the queue differs from that of one process:\n%s", diff)
	}
	if n := number(t, q, rescues); n < 2 {
		t.Errorf("%d parts were returned to the queue, want 2", n)
	}
	leave()
	end(t, q, workers)
	t.Logf("%d people, 2 kills: %v; the killed worker's part was back after %v, lease %v", e.Parts, all.Round(time.Millisecond), took.Round(time.Millisecond), lease)
}

// rescues counts how often a job was returned to the queue.
const rescues = "SELECT count(*) FROM prefer_queue.river_job, unnest(errors) AS e WHERE e ->> 'error' = 'it lost its worker'"

// back reports whether a job was returned to the queue.
func back(t *testing.T, q *Queue, job int) bool {
	t.Helper()
	return number(t, q, rescues+" AND id = $1", job) > 0
}

// kill kills a process and returns when.
func kill(t *testing.T, victim *exec.Cmd) time.Time {
	t.Helper()
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	victim.Wait()
	return time.Now()
}

// end tells workers to stop, and sees that they do.
func end(t *testing.T, q *Queue, workers []*exec.Cmd) {
	t.Helper()
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

// TestLate: a worker that was asleep for longer than its lease comes back with rows: they are the rows that another
// has written meanwhile, and are not kept a second time.
func TestLate(t *testing.T) {
	t.Parallel() // it waits, mostly
	s := sweep(t, 3, moderate())
	address := storetest.Database(t)
	q := open(t, address)
	enqueue(t, q, s)
	sleeper := start(t, address)
	lost := interrupt(t, q, sleeper)
	if tally := work(t, &Worker{Queue: q, Jobs: 1}); tally.Done == 0 || tally.Failed != 0 {
		t.Fatalf("%+v, want the sleeper's cell done", tally)
	}
	if !back(t, q, lost) {
		t.Fatal("the sleeper's cell was never returned to the queue")
	}
	before := number(t, q, "SELECT sum(attempt) FROM prefer_queue.river_job")
	if err := sleeper.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the sleeper is done, too late", func() bool {
		return number(t, q, "SELECT count(*) FROM prefer_queue.workers WHERE pid = $1 AND until > now() AND running = '{}'", sleeper.Process.Pid) == 1
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
	if after := number(t, q, "SELECT sum(attempt) FROM prefer_queue.river_job"); after != before {
		t.Errorf("the sleeper has moved attempts from %d to %d", before, after)
	}
}

// TestLateFirst: a worker that was asleep is done before the one that has taken over: its rows are kept and the job is
// done, and those of the other, which are the same, change nothing.
func TestLateFirst(t *testing.T) {
	q := open(t, storetest.Database(t))
	var calls atomic.Int32
	asleep, awake := make(chan struct{}), make(chan struct{})
	slow := func(context.Context, json.RawMessage, int) ([]byte, error) {
		if calls.Add(1) == 1 {
			<-asleep
		} else {
			<-awake
		}
		return []byte("tea"), nil
	}
	e := job.Job{Kind: "slow", Body: []byte("1"), Parts: 1}
	submit(t, q, e)
	first := begin(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"slow": slow}})
	eventually(t, "the first is at it", func() bool { return calls.Load() == 1 })
	number(t, q, "UPDATE prefer_queue.river_job SET state = 'available' RETURNING 1") // as rescue does
	second := begin(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"slow": slow}})
	eventually(t, "the second is at it", func() bool { return calls.Load() == 2 })
	close(asleep)
	eventually(t, "the job is done", func() bool { return progress(t, q, e).Done == 1 })
	by := number(t, q, "SELECT hashtext(worker) FROM prefer_queue.parts")
	close(awake)
	if a, b := first(), second(); a != (Tally{Done: 1}) || b != (Tally{Done: 1}) {
		t.Errorf("%+v and %+v, want the part done by both", a, b)
	}
	if got := number(t, q, "SELECT hashtext(worker) FROM prefer_queue.parts"); got != by {
		t.Error("the second result has replaced the first")
	}
	if p := progress(t, q, e); p.Done != 1 || p.Failed != 0 {
		t.Errorf("it ends as %+v", p)
	}
}

// start starts a worker as another process; the test's end kills it if it is still there.
func start(t *testing.T, address string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env, c.Stderr = append(os.Environ(), "PREFER_QUEUE_CHILD="+address), os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if c.ProcessState == nil {
			c.Process.Kill()
			c.Wait()
		}
	})
	return c
}
