package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// River calls a job stuck when it has run for an hour, since it cannot tell a long job from a dead worker. Here
// every worker holds a lease, a time in the table of workers that it moves forward several times before it is
// over. A running job whose worker's lease is over goes back to the queue, by the hand of any other worker.
//
// A worker that was merely cut off, or asleep, may still come back with the rows of such a job. So the job
// goes back under a new number: River finds the old one nowhere, and the transaction that would have completed it
// writes nothing. The same number is the name under which its next worker knows it.
//
// Clocks of machines do not matter: all times are the database's.

const (
	defaultLease = 15 * time.Second
	beats        = 5 // in a lease

	// maxLost is how often a job may lose its worker before it counts as failed: it may be what kills them.
	maxLost = 5
)

// registered moves a worker's lease forward, or begins it.
const registered = `
INSERT INTO prefer_queue.workers (id, host, pid, jobs, build, kinds, until) VALUES ($1, $2, $3, $4, $5, coalesce($6::text[], '{}'), now() + $7)
ON CONFLICT (id) DO UPDATE SET until = excluded.until`

// lost returns jobs to the queue: those of workers whose lease is over, and those that the database gave to this
// worker while it never heard of them, the reply having been lost. $1 is this worker, $2 the jobs it knows, and
// $3 its lease, more than a reply can take. scheduled_at stays, so that they come first.
const lost = `
WITH stray AS (
    SELECT j.id, coalesce((j.metadata ->> 'lost')::int, 0) + 1 AS times, w.id AS worker
    FROM prefer_queue.river_job j LEFT JOIN prefer_queue.workers w ON w.id = j.attempted_by[array_upper(j.attempted_by, 1)]
    WHERE j.state = 'running' AND
        (w.id IS NULL OR w.until < now() OR w.id = $1 AND j.attempted_at < now() - $3::interval AND j.id <> ALL ($2::bigint[]))
    FOR UPDATE OF j SKIP LOCKED
)
UPDATE prefer_queue.river_job j SET
    id = DEFAULT,
    attempt = greatest(0, attempt - 1),
    state = CASE WHEN times < $4 THEN 'available' ELSE 'discarded' END::prefer_queue.river_job_state,
    finalized_at = CASE WHEN times < $4 THEN NULL ELSE now() END,
    metadata = metadata || jsonb_build_object('lost', times),
    errors = array_append(errors, jsonb_build_object('at', now(), 'attempt', attempt, 'trace', '',
        'error', format('its worker %s was lost, time %s of at most %s', worker, times, $4::int)))
FROM stray WHERE j.id = stray.id
RETURNING coalesce(j.args ->> 'key', format('part %s of %s', j.args ->> 'part', j.args ->> 'errand'))`

// taken finds those of the jobs $1 that are no longer the worker's.
const taken = `
SELECT id FROM unnest($1::bigint[]) AS id
WHERE NOT EXISTS (SELECT FROM prefer_queue.river_job j WHERE j.id = id AND j.state = 'running')`

// beat moves the lease forward, returns strays to the queue, and stops what was taken from this worker.
func (w *Worker) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.Lease/beats)
	defer cancel()
	if _, err := w.Queue.pool.Exec(ctx, registered, w.id, w.host, w.pid, w.Jobs, w.Build, w.kinds, w.Lease); err != nil {
		return err
	}
	mine := w.running.list()
	rows, err := w.Queue.pool.Query(ctx, lost, w.id, mine, w.Lease, maxLost)
	if err != nil {
		return err
	}
	returned, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range returned {
		w.say(fmt.Sprintf("returned to the queue, its worker is gone: %s", name))
	}
	if rows, err = w.Queue.pool.Query(ctx, taken, mine); err != nil {
		return err
	}
	gone, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	w.running.stop(gone)
	return err
}

// leave ends the lease at once.
func (w *Worker) leave(ctx context.Context) error {
	_, err := w.Queue.pool.Exec(ctx, "UPDATE prefer_queue.workers SET until = now() WHERE id = $1", w.id)
	return err
}
