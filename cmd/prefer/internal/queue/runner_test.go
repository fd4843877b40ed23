package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/riverqueue/river/rivertype"
)

// begin runs a worker until the test ends, or stop is called.
func begin(t *testing.T, w *Worker) (stop func() Tally) {
	t.Helper()
	quit, cancel := context.WithCancel(ctx)
	ended := make(chan Tally, 1)
	if w.Lease == 0 {
		w.Lease = lease
	}
	go func() {
		tally, err := w.Run(quit)
		if err != nil {
			t.Error(err)
		}
		ended <- tally
	}()
	done := false
	var tally Tally
	stop = func() Tally {
		if !done {
			cancel()
			done, tally = true, <-ended
		}
		return tally
	}
	t.Cleanup(func() { stop() })
	eventually(t, "the worker is there", func() bool {
		return number(t, w.Queue, "SELECT count(*) FROM prefer_queue.workers WHERE until > now()") > 0
	})
	return stop
}

func progress(t testing.TB, q *Queue, e job.Job) job.Progress {
	t.Helper()
	p, err := q.Runner().Progress(ctx, e.Key())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func submit(t testing.TB, q *Queue, es ...job.Job) {
	t.Helper()
	for _, e := range es {
		if err := q.Runner().Submit(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
}

func echo(_ context.Context, body json.RawMessage, part int) ([]byte, error) {
	return fmt.Appendf(nil, "%s %d", body, part), nil
}

// TestDropTold: a worker that is at a part is told that its job was dropped.
func TestDropTold(t *testing.T) {
	q := open(t, storetest.Database(t))
	begun, ended := make(chan struct{}), make(chan error)
	begin(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"long": func(ctx context.Context, _ json.RawMessage, _ int) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil, ctx.Err()
	}}})
	e := job.Job{Kind: "long", Body: []byte("{}"), Parts: 1}
	submit(t, q, e)
	<-begun
	if err := q.Runner().Drop(ctx, e.Key()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, rivertype.ErrJobCancelledRemotely) {
		t.Errorf("it was stopped by %v", err)
	}
}

// TestManyParts: a large job is sent in batches, grows, fails as a whole and is tried again as a whole.
func TestManyParts(t *testing.T) {
	q := open(t, storetest.Database(t))
	e := job.Job{Kind: "echo", Body: []byte("0"), Parts: 2500}
	submit(t, q, e)
	e.Parts = 2600
	submit(t, q, e, e)
	if p := progress(t, q, e); p.Waiting != 2600 || p.Parts != 2600 {
		t.Errorf("%+v, want 2600 waiting", p)
	}
	if n := number(t, q, "SELECT count(DISTINCT (args ->> 'part')::int) FROM prefer_queue.river_job WHERE octet_length(unique_key) > 0 AND unique_states = B'11111111'"); n != 2600 {
		t.Errorf("%d unique parts, want 2600", n)
	}
	number(t, q, "UPDATE prefer_queue.river_job SET state = 'discarded', finalized_at = now(), attempt = 3, errors = '{\"{\\\"error\\\": \\\"no\\\"}\"}' RETURNING 1")
	if p := progress(t, q, e); p.Failed != 2600 || p.Failure != "no" {
		t.Errorf("%+v, want all failed", p)
	}
	submit(t, q, e)
	if p := progress(t, q, e); p.Waiting != 2600 || p.Failure != "" {
		t.Errorf("sent again it is %+v", p)
	}
	if n := number(t, q, "SELECT max_attempts - attempt FROM prefer_queue.river_job LIMIT 1"); n != 1 {
		t.Errorf("%d attempts left, want one", n)
	}
	if err := q.Runner().Drop(ctx, e.Key()); err != nil {
		t.Fatal(err)
	}
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.river_job"); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
}
