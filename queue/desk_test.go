package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prefer-bo/prefer/errand"
	"github.com/prefer-bo/prefer/errand/errandtest"
)

// begin runs a worker until the test ends, or stop is called.
func begin(t *testing.T, w *Worker) (stop func() Tally) {
	t.Helper()
	quit, cancel := context.WithCancel(ctx)
	ended := make(chan Tally, 1)
	w.Lease = lease
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

func TestDesk(t *testing.T) {
	t.Parallel() // it waits, mostly
	errandtest.Desk(t, func(t *testing.T, kinds errand.Kinds) errand.Desk {
		q := open(t, database(t))
		begin(t, &Worker{Queue: q, Jobs: 2, Kinds: kinds})
		return q.Desk()
	})
}

func look(t testing.TB, q *Queue, e errand.Errand) errand.Progress {
	t.Helper()
	p, err := q.Desk().Look(ctx, e.Key())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func send(t testing.TB, q *Queue, es ...errand.Errand) {
	t.Helper()
	for _, e := range es {
		if err := q.Desk().Send(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
}

func echo(_ context.Context, body json.RawMessage, part int) ([]byte, error) {
	return fmt.Appendf(nil, "%s %d", body, part), nil
}

// TestUnknownKind: a part of a kind that a worker does not know waits for one that does, without an attempt spent,
// and does not keep the first from ending when it is drained.
func TestUnknownKind(t *testing.T) {
	q := open(t, database(t))
	old, fresh := errand.Errand{Kind: "old", Body: []byte("1"), Parts: 2}, errand.Errand{Kind: "fresh", Body: []byte("2"), Parts: 2}
	send(t, q, fresh, old)
	if tally := work(t, &Worker{Queue: q, Jobs: 2, Kinds: errand.Kinds{"old": echo}}); tally != (Tally{Done: 2}) {
		t.Errorf("%+v, want the two parts it knows", tally)
	}
	if p := look(t, q, old); p.Done != 2 {
		t.Errorf("what it knows is %+v", p)
	}
	stop := begin(t, &Worker{Queue: q, Jobs: 2, Kinds: errand.Kinds{"old": echo}})
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE kind = 'part:fresh' AND attempt = 0 AND state = 'available'"); n != 2 {
		t.Errorf("%d parts are untouched, want 2", n)
	}
	if now := status(t, q).Errands; len(now) != 2 || now[0].Kind != "fresh" || now[0].Waiting != 2 || now[0].Workers != 0 || now[1].Done != 2 || now[1].Workers != 1 {
		t.Errorf("status %+v", now)
	}
	if p := look(t, q, fresh); p.Workers != 0 || p.Waiting != 2 {
		t.Errorf("%+v, want two waiting and nobody who can do them", p)
	}
	stop()
	work(t, &Worker{Queue: q, Jobs: 2, Kinds: errand.Kinds{"fresh": echo}})
	if p := look(t, q, fresh); p.State() != "done" {
		t.Errorf("with a newer worker it is %+v", p)
	}
}

// TestFirst: parts go before cells that have waited longer, and an errand of one part before the parts of a large
// one.
func TestFirst(t *testing.T) {
	q := open(t, database(t))
	enqueue(t, q, sweep(t, 1, 1))
	many, single := errand.Errand{Kind: "echo", Body: []byte("1"), Parts: 3}, errand.Errand{Kind: "echo", Body: []byte("2"), Parts: 1}
	send(t, q, many, single)
	if tally := work(t, &Worker{Queue: q, Jobs: 1, Kinds: errand.Kinds{"echo": echo}}); tally != (Tally{Done: 8}) {
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

// TestDropLate: the result of a part that went on after its errand was dropped is not written, not even when the
// errand was sent again; a worker that did not hear of it is told at the next beat.
func TestDropLate(t *testing.T) {
	t.Parallel() // it waits, mostly
	q := open(t, database(t))
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
	stop := begin(t, &Worker{Queue: q, Jobs: 1, Kinds: errand.Kinds{"stubborn": stubborn}})
	e := errand.Errand{Kind: "stubborn", Body: []byte("{}"), Parts: 1}
	send(t, q, e)
	<-begun
	// As Drop, without a word to anybody.
	number(t, q, "WITH a AS (DELETE FROM prefer_queue.errands) DELETE FROM prefer_queue.river_job RETURNING 1")
	send(t, q, e)
	close(release)
	eventually(t, "the errand is done", func() bool { return look(t, q, e).Over() })
	if got, err := q.Desk().Results(ctx, e.Key()); err != nil || string(got[0]) != "second" {
		t.Errorf("the result is %q (%v), want that of the errand that was not dropped", got, err)
	}
	if tally := stop(); tally != (Tally{Done: 1, Late: 1}) {
		t.Errorf("%+v, want one done and one late", tally)
	}
}

// TestTidy: what has been over for 30 days goes, with results and jobs; what is younger, not over or was asked for
// again stays.
func TestTidy(t *testing.T) {
	q := open(t, database(t))
	var all []errand.Errand
	for _, kind := range []string{"old", "young", "again", "waiting"} {
		all = append(all, errand.Errand{Kind: kind, Body: []byte("0"), Parts: 2})
	}
	send(t, q, all...)
	work(t, &Worker{Queue: q, Jobs: 2, Kinds: errand.Kinds{"old": echo, "young": echo, "again": echo}})
	number(t, q, "UPDATE prefer_queue.errands SET sent = now() - interval '31 days' RETURNING 1")
	number(t, q, "UPDATE prefer_queue.river_job SET finalized_at = now() - interval '30 days 1 minute' WHERE kind IN ('part:old', 'part:again') RETURNING 1")
	number(t, q, "UPDATE prefer_queue.river_job SET finalized_at = now() - interval '29 days' WHERE kind = 'part:young' AND args ->> 'part' = '1' RETURNING 1")
	send(t, q, all[2])
	var said []string
	work(t, &Worker{Queue: q, Jobs: 1, Say: func(text string) { said = append(said, text) }})
	if len(said) != 1 || said[0] != "removed errands that were over for 30 days: 1" {
		t.Errorf("the worker said %q", said)
	}
	for i, e := range all {
		if _, err := q.Desk().Look(ctx, e.Key()); errors.Is(err, errand.ErrUnknown) != (i == 0) {
			t.Errorf("errand %s: %v", e.Kind, err)
		}
	}
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE kind = 'part:old'"); n != 0 {
		t.Errorf("%d jobs are left of it", n)
	}
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.parts"); n != 4 {
		t.Errorf("%d results are left, want those of young and again", n)
	}
}

// TestManyParts: a large errand is sent in batches, grows, fails as a whole and is tried again as a whole.
func TestManyParts(t *testing.T) {
	q := open(t, database(t))
	e := errand.Errand{Kind: "echo", Body: []byte("0"), Parts: 2500}
	send(t, q, e)
	e.Parts = 2600
	send(t, q, e, e)
	if p := look(t, q, e); p.Waiting != 2600 || p.Parts != 2600 {
		t.Errorf("%+v, want 2600 waiting", p)
	}
	if n := number(t, q, "SELECT count(DISTINCT (args ->> 'part')::int) FROM prefer_queue.river_job WHERE octet_length(unique_key) > 0 AND unique_states = B'11111111'"); n != 2600 {
		t.Errorf("%d unique parts, want 2600", n)
	}
	number(t, q, "UPDATE prefer_queue.river_job SET state = 'discarded', finalized_at = now(), attempt = 3, errors = '{\"{\\\"error\\\": \\\"no\\\"}\"}' RETURNING 1")
	if p := look(t, q, e); p.Failed != 2600 || p.Failure != "no" {
		t.Errorf("%+v, want all failed", p)
	}
	send(t, q, e)
	if p := look(t, q, e); p.Waiting != 2600 || p.Failure != "" {
		t.Errorf("sent again it is %+v", p)
	}
	if n := number(t, q, "SELECT max_attempts - attempt FROM prefer_queue.river_job LIMIT 1"); n != 1 {
		t.Errorf("%d attempts left, want one", n)
	}
	if err := q.Desk().Drop(ctx, e.Key()); err != nil {
		t.Fatal(err)
	}
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.river_job"); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
}
