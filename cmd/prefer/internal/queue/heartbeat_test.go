package queue

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
)

// lost reports whether a worker that has seen beats for long takes a running job for lost, and has the job run again.
func lost(t *testing.T, w *Worker, id int) bool {
	t.Helper()
	w.last, w.since = time.Now(), time.Now().Add(-time.Hour)
	if err := w.beat(ctx); err != nil {
		t.Fatal(err)
	}
	rescued := number(t, w.Queue, "SELECT count(*) FROM prefer_queue.river_job WHERE id = $1 AND state = 'available'", id)
	number(t, w.Queue, "UPDATE prefer_queue.river_job SET state = 'running' WHERE id = $1 RETURNING 1", id)
	return rescued == 1
}

// TestLost: a job is lost when its worker is unknown, when its lease is over, and when it lives and has not said for
// two leases that it is at it; not while it says so, nor if it is an older worker, which never does.
func TestLost(t *testing.T) {
	s := sweep(t, 1, 1)
	s.Cells = s.Cells[:1]
	q := open(t, storetest.Database(t))
	enqueue(t, q, s)
	w := &Worker{Queue: q, Jobs: 1, Lease: lease, id: "leader"}
	other := &Worker{Queue: q, Jobs: 1, Lease: lease, id: "other"}
	id := number(t, q, "UPDATE prefer_queue.river_job SET state = 'running', attempted_at = now() - $1::interval, attempted_by = '{leader,other}' RETURNING id", lease+time.Second)
	if !lost(t, w, id) {
		t.Error("the job of a worker that is not there is not lost")
	}
	number(t, q, "UPDATE prefer_queue.river_job SET attempted_at = now() RETURNING 1")
	if lost(t, w, id) {
		t.Error("a job that somebody has begun meanwhile is lost")
	}
	if err := other.beat(ctx); err != nil {
		t.Fatal(err)
	}
	number(t, q, "UPDATE prefer_queue.river_job SET attempted_at = now() - $1::interval RETURNING 1", lease+time.Second)
	if lost(t, w, id) {
		t.Error("a job that was given to a worker a lease ago is lost")
	}
	number(t, q, "UPDATE prefer_queue.river_job SET attempted_at = now() - $1::interval RETURNING 1", 2*lease+time.Second)
	if !lost(t, w, id) {
		t.Error("a job of which its worker has not heard is not lost")
	}
	other.at.Store(int64(id), true)
	if err := other.beat(ctx); err != nil {
		t.Fatal(err)
	}
	if lost(t, w, id) {
		t.Error("a job is lost that a worker is at")
	}
	other.at.Delete(int64(id))
	number(t, q, "UPDATE prefer_queue.workers SET running = NULL WHERE id = 'other' RETURNING 1")
	if lost(t, w, id) {
		t.Error("a job is lost whose worker does not say what it is at")
	}
	if err := other.leave(ctx); err != nil {
		t.Fatal(err)
	}
	if !lost(t, w, id) {
		t.Error("the job of a worker that has left is not lost")
	}
}

// TestBlind: after beats that failed nothing is lost until others had a lease to return.
func TestBlind(t *testing.T) {
	s := sweep(t, 1, 1)
	s.Cells = s.Cells[:1]
	q := open(t, storetest.Database(t))
	enqueue(t, q, s)
	number(t, q, "UPDATE prefer_queue.river_job SET state = 'running', attempted_at = now() - interval '1 hour', attempted_by = '{gone}' RETURNING 1")
	w := &Worker{Queue: q, Jobs: 1, Lease: lease, id: "me"}
	ended, end := context.WithCancel(ctx)
	end()
	for _, c := range []struct {
		since time.Duration
		lost  int
	}{{0, 0}, {lease / 2, 0}, {2 * lease, 1}} {
		if err := w.beat(ended); err == nil || !w.last.IsZero() {
			t.Errorf("a beat that failed: %v, at %v", err, w.last)
		}
		if c.since > 0 {
			w.last, w.since = time.Now(), time.Now().Add(-c.since)
		}
		if err := w.beat(ctx); err != nil {
			t.Error(err)
		}
		if n := number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE state = 'available'"); n != c.lost {
			t.Errorf("with beats for %v %d jobs are lost, want %d", c.since, n, c.lost)
		}
	}
}

// TestRescue: a worker returns lost jobs to the queue, those of kinds that it cannot do too, and one that has used up its attempts fails.
func TestRescue(t *testing.T) {
	t.Parallel() // it waits, mostly
	q := open(t, storetest.Database(t))
	fresh := job.Job{Kind: "fresh", Body: []byte("1"), Parts: 2}
	submit(t, q, fresh)
	number(t, q, `UPDATE prefer_queue.river_job SET state = 'running', attempt = 1, attempted_at = now() - interval '1 minute',
		attempted_by = '{gone}' RETURNING 1`)
	number(t, q, `UPDATE prefer_queue.river_job SET attempt = max_attempts WHERE args ->> 'part' = '1' RETURNING 1`)
	said := make(chan string, 10)
	begin(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"old": echo}, Say: func(text string) { said <- text }})
	eventually(t, "one part waits and the other has failed", func() bool {
		p := progress(t, q, fresh)
		return p.Waiting == 1 && p.Failed == 1
	})
	if p := progress(t, q, fresh); !strings.Contains(p.Failure, "lost its worker") {
		t.Errorf("failed with %q", p.Failure)
	}
	if got, want := []string{<-said, <-said}, "attempt 1 of 3 lost its worker: part 0 of "+fresh.Key(); !slices.Contains(got, want) {
		t.Errorf("the worker says %q, want %q", got, want)
	}
	begin(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"fresh": echo}})
	eventually(t, "the part is done", func() bool { return progress(t, q, fresh).Done == 1 })
}

// TestLiveKind: a worker that cannot do a kind leaves alone what another one is at that can, while it returns what is lost.
func TestLiveKind(t *testing.T) {
	t.Parallel() // it waits, mostly
	q := open(t, storetest.Database(t))
	begin(t, &Worker{Queue: q, Jobs: 1})
	release := make(chan struct{})
	begin(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"slow": func(context.Context, json.RawMessage, int) ([]byte, error) {
		<-release
		return []byte("done"), nil
	}}})
	slow, gone := job.Job{Kind: "slow", Body: []byte("1"), Parts: 1}, job.Job{Kind: "gone", Body: []byte("1"), Parts: 1}
	submit(t, q, slow, gone)
	eventually(t, "the part has run for longer than two leases", func() bool {
		return number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE state = 'running' AND attempted_at < now() - $1::interval", 2*lease+time.Second) == 1
	})
	number(t, q, `UPDATE prefer_queue.river_job SET state = 'running', attempt = 1, attempted_at = now() - interval '1 minute',
		attempted_by = '{nobody}' WHERE kind = 'part:gone' RETURNING 1`)
	eventually(t, "what is lost is back", func() bool { return progress(t, q, gone).Waiting == 1 })
	if p := progress(t, q, slow); p.Running != 1 {
		t.Errorf("what somebody is at is %+v", p)
	}
	close(release)
	eventually(t, "it is done", func() bool { return progress(t, q, slow).Over() })
	if n := number(t, q, "SELECT attempt FROM prefer_queue.river_job WHERE kind = 'part:slow' AND state = 'completed'"); n != 1 {
		t.Errorf("done at attempt %d, want 1", n)
	}
}
