package queue

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// lost asks the keeper of a worker that has seen beats for long about a job, as River's rescuer does.
func lost(t *testing.T, w *Worker, id int) bool {
	t.Helper()
	w.keeper.since = time.Now().Add(-time.Hour)
	if err := w.beat(ctx); err != nil {
		t.Fatal(err)
	}
	answer := (&rescued{doer[anyJob]{Worker: w}}).Timeout(&river.Job[anyJob]{JobRow: &rivertype.JobRow{ID: int64(id)}})
	if answer != -1 && answer != time.Nanosecond {
		t.Errorf("job %d has %v", id, answer)
	}
	return answer == time.Nanosecond
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
	id := number(t, q, "UPDATE prefer_queue.river_job SET state = 'running', attempted_at = now(), attempted_by = '{leader,other}' RETURNING id")
	if !lost(t, w, id) {
		t.Error("the job of a worker that is not there is not lost")
	}
	if err := other.beat(ctx); err != nil {
		t.Fatal(err)
	}
	if lost(t, w, id) {
		t.Error("a job that was given to a worker a moment ago is lost")
	}
	number(t, q, "UPDATE prefer_queue.river_job SET attempted_at = now() - $1::interval RETURNING 1", 2*lease+time.Second)
	if !lost(t, w, id) {
		t.Error("a job of which its worker has not heard is not lost")
	}
	end := other.begin(int64(id))
	if err := other.beat(ctx); err != nil {
		t.Fatal(err)
	}
	if lost(t, w, id) {
		t.Error("a job is lost that a worker is at")
	}
	end()
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
	var k keeper
	jobs := []runningJob{{ID: 7, Kind: "cell", Lost: true}, {ID: 8, Kind: "cell"}}
	for _, c := range []struct {
		since time.Duration
		lost  bool
	}{{0, false}, {lease / 2, false}, {2 * lease, true}} {
		k.see(nil, errors.New("away"), lease)
		if k.lost[7] || !k.since.IsZero() {
			t.Errorf("%+v after a beat that failed", k.lost)
		}
		if c.since > 0 {
			k.since = time.Now().Add(-c.since)
		}
		if k.see(jobs, nil, lease); k.lost[7] != c.lost || k.lost[8] {
			t.Errorf("with beats for %v these are lost: %v, want job 7: %v", c.since, k.lost, c.lost)
		}
	}
}

// TestRescue: River returns lost jobs to the queue, those of kinds that the leader cannot do too, and one that has
// used up its attempts fails.
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
	hasten(t, q)
	eventually(t, "one part waits and the other has failed", func() bool {
		p := progress(t, q, fresh)
		return p.Waiting == 1 && p.Failed == 1
	})
	if p := progress(t, q, fresh); !strings.Contains(p.Failure, "rescued") {
		t.Errorf("failed with %q", p.Failure)
	}
	if got, want := <-said, "attempt 1 of 3 lost its worker: part 0 of "+fresh.Key(); got != want {
		t.Errorf("the leader says %q, want %q", got, want)
	}
	begin(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"fresh": echo}})
	eventually(t, "the part is done", func() bool { return progress(t, q, fresh).Done == 1 })
}

// TestLiveKind: a leader that cannot do a kind leaves alone what a worker is at that can, while it returns what is lost.
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
	hasten(t, q)
	for range 2 { // each of the two leads, perhaps
		lose := func() {
			number(t, q, `UPDATE prefer_queue.river_job SET state = 'running', attempt = 1, attempted_at = now() - interval '1 minute',
				attempted_by = '{nobody}', finalized_at = NULL WHERE kind = 'part:gone' RETURNING 1`)
		}
		lose()
		eventually(t, "what is lost is back", func() bool {
			p := progress(t, q, gone)
			if p.Failed == 1 { // a minute old at once, it can be met before a beat has told of its kind
				lose()
			}
			return p.Waiting == 1
		})
	}
	if p := progress(t, q, slow); p.Running != 1 {
		t.Errorf("what somebody is at is %+v", p)
	}
	close(release)
	eventually(t, "it is done", func() bool { return progress(t, q, slow).Over() })
	if n := number(t, q, "SELECT attempt FROM prefer_queue.river_job WHERE kind = 'part:slow' AND state = 'completed'"); n != 1 {
		t.Errorf("done at attempt %d, want 1", n)
	}
}
