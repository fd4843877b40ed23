package queue

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
)

// TestUnknownKind: a part of a kind that a worker does not know waits for one that does, without an attempt spent,
// and does not keep the first from ending when it is drained.
func TestUnknownKind(t *testing.T) {
	q := open(t, storetest.Database(t))
	old, fresh := job.Job{Kind: "old", Body: []byte("1"), Parts: 2}, job.Job{Kind: "fresh", Body: []byte("2"), Parts: 2}
	submit(t, q, fresh, old)
	if tally := work(t, &Worker{Queue: q, Jobs: 2, Kinds: job.Kinds{"old": echo}}); tally != (Tally{Done: 2}) {
		t.Errorf("%+v, want the two parts it knows", tally)
	}
	if p := progress(t, q, old); p.Done != 2 {
		t.Errorf("what it knows is %+v", p)
	}
	stop := begin(t, &Worker{Queue: q, Jobs: 2, Kinds: job.Kinds{"old": echo}})
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE kind = 'part:fresh' AND attempt = 0 AND state = 'available'"); n != 2 {
		t.Errorf("%d parts are untouched, want 2", n)
	}
	if now := status(t, q).Jobs; len(now) != 2 || now[0].Kind != "fresh" || now[0].Waiting != 2 || now[0].Workers != 0 || now[1].Done != 2 || now[1].Workers != 1 {
		t.Errorf("status %+v", now)
	}
	if p := progress(t, q, fresh); p.Workers != 0 || p.Waiting != 2 {
		t.Errorf("%+v, want two waiting and nobody who can do them", p)
	}
	stop()
	work(t, &Worker{Queue: q, Jobs: 2, Kinds: job.Kinds{"fresh": echo}})
	if p := progress(t, q, fresh); p.State() != "done" {
		t.Errorf("with a newer worker it is %+v", p)
	}
}

// TestFirst: parts go before cells that have waited longer, and a job of one part before the parts of a large
// one.
func TestFirst(t *testing.T) {
	q := open(t, storetest.Database(t))
	enqueue(t, q, sweep(t, 1, 1))
	many, single := job.Job{Kind: "echo", Body: []byte("1"), Parts: 3}, job.Job{Kind: "echo", Body: []byte("2"), Parts: 1}
	submit(t, q, many, single)
	if tally := work(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"echo": echo}}); tally != (Tally{Done: 8}) {
		t.Errorf("%+v, want 4 cells and 4 parts", tally)
	}
	rows, err := q.pool.Query(ctx, "SELECT coalesce(args ->> 'part', kind) FROM prefer_queue.river_job ORDER BY attempted_at, id")
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		order = append(order, s)
	}
	if got := strings.Join(order, " "); got != "0 0 1 2 cell cell cell cell" {
		t.Errorf("done in the order %s", got)
	}
	if n := number(t, q, "SELECT part FROM prefer_queue.parts WHERE errand = $1", single.Key()); n != 0 {
		t.Error("the single part has no result")
	}
	if now := status(t, q); len(now.Workers) != 1 || now.Workers[0].Done != 8 || now.Done != 4 {
		t.Errorf("%+v, want 8 done by the worker, 4 of them cells", now)
	}
}

// TestDropLate: the result of a part that went on after its job was dropped is not written, not even when the
// job was submitted again.
func TestDropLate(t *testing.T) {
	t.Parallel() // it waits, mostly
	q := open(t, storetest.Database(t))
	var calls atomic.Int32
	begun, release := make(chan struct{}), make(chan struct{})
	stubborn := func(ctx context.Context, _ json.RawMessage, _ int) ([]byte, error) {
		if calls.Add(1) > 1 {
			return []byte("second"), nil
		}
		close(begun)
		<-ctx.Done() // and yet
		<-release
		return []byte("first"), nil
	}
	stop := begin(t, &Worker{Queue: q, Jobs: 1, Kinds: job.Kinds{"stubborn": stubborn}})
	e := job.Job{Kind: "stubborn", Body: []byte("{}"), Parts: 1}
	submit(t, q, e)
	<-begun
	if err := q.Runner().Drop(ctx, e.Key()); err != nil {
		t.Fatal(err)
	}
	submit(t, q, e)
	close(release)
	eventually(t, "the job is done", func() bool { return progress(t, q, e).Over() })
	if got, err := q.Runner().Results(ctx, e.Key()); err != nil || string(got[0]) != "second" {
		t.Errorf("the result is %q (%v), want that of the job that was not dropped", got, err)
	}
	if tally := stop(); tally != (Tally{Done: 1, Late: 1}) {
		t.Errorf("%+v, want one done and one late", tally)
	}
}
