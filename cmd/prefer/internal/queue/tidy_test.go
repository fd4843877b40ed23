package queue

import (
	"errors"
	"testing"

	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/storetest"
)

// TestTidy: what has been over for 30 days goes, with results and jobs; what is younger, not over or was asked for
// again stays.
func TestTidy(t *testing.T) {
	q := open(t, storetest.Database(t))
	var all []job.Job
	for _, kind := range []string{"old", "young", "again", "waiting"} {
		all = append(all, job.Job{Kind: kind, Body: []byte("0"), Parts: 2})
	}
	submit(t, q, all...)
	work(t, &Worker{Queue: q, Jobs: 2, Kinds: job.Kinds{"old": echo, "young": echo, "again": echo}})
	number(t, q, "UPDATE prefer_queue.errands SET sent = now() - interval '31 days' RETURNING 1")
	number(t, q, "UPDATE prefer_queue.river_job SET finalized_at = now() - interval '30 days 1 minute' WHERE kind IN ('part:old', 'part:again') RETURNING 1")
	number(t, q, "UPDATE prefer_queue.river_job SET finalized_at = now() - interval '29 days' WHERE kind = 'part:young' AND args ->> 'part' = '1' RETURNING 1")
	submit(t, q, all[2])
	var said []string
	work(t, &Worker{Queue: q, Jobs: 1, Say: func(text string) { said = append(said, text) }})
	if len(said) != 1 || said[0] != "removed jobs that were over for 30 days: 1" {
		t.Errorf("the worker said %q", said)
	}
	for i, e := range all {
		if _, err := q.Runner().Progress(ctx, e.Key()); errors.Is(err, job.ErrUnknown) != (i == 0) {
			t.Errorf("job %s: %v", e.Kind, err)
		}
	}
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.river_job WHERE kind = 'part:old'"); n != 0 {
		t.Errorf("%d jobs are left of it", n)
	}
	if n := number(t, q, "SELECT count(*) FROM prefer_queue.parts"); n != 4 {
		t.Errorf("%d results are left, want those of young and again", n)
	}
}
