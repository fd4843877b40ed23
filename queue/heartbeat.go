package queue

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// A cell takes from milliseconds to hours, so no limit of time tells within a minute that its worker was killed.
// A heartbeat does: every worker writes into the table of workers, several times in a lease, that it lives and which
// jobs it is at. A job that runs and that nobody is at is lost, and River returns it to the queue (keeper).
//
// The clocks of machines do not matter for this: all times are the database's.

const (
	defaultLease = 15 * time.Second
	beats        = 5 // in a lease
)

// alive moves a worker's lease forward, or begins it, and says which jobs it is at.
const alive = `
INSERT INTO prefer_queue.workers (id, host, pid, jobs, build, kinds, running, until)
VALUES ($1, $2, $3, $4, $5, coalesce($6::text[], '{}'), $7, now() + $8)
ON CONFLICT (id) DO UPDATE SET running = excluded.running, until = excluded.until`

// atWork lists the jobs that run. Lost are those of workers whose lease is over, and those that the database gave to a worker that never heard of them, the
// reply having gone with the connection. $1 is twice the lease: by then a worker that lives has said what it is at.
const atWork = `
SELECT j.id, j.kind, coalesce(w.id IS NULL OR w.until < now() OR j.attempted_at < now() - $1::interval AND j.id <> ALL (w.running), false)
FROM prefer_queue.river_job j LEFT JOIN prefer_queue.workers w ON w.id = j.attempted_by[array_upper(j.attempted_by, 1)]
WHERE j.state = 'running'`

// runningJob is a job that runs, and whether it is lost.
type runningJob struct {
	ID   int64
	Kind string
	Lost bool
}

// beat says that this worker lives, and tells its keeper which jobs run.
func (w *Worker) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.Lease/beats)
	defer cancel()
	var jobs []runningJob
	_, err := w.Queue.pool.Exec(ctx, alive, w.id, w.host, w.pid, w.Jobs, w.Build, w.kinds, w.running(), w.Lease)
	if err == nil {
		rows, _ := w.Queue.pool.Query(ctx, atWork, 2*w.Lease) // an error is CollectRows' too
		jobs, err = pgx.CollectRows(rows, pgx.RowToStructByPos[runningJob])
	}
	w.keeper.see(jobs, err, w.Lease)
	return err
}

// leave ends the lease at once.
func (w *Worker) leave(ctx context.Context) error {
	_, err := w.Queue.pool.Exec(ctx, "UPDATE prefer_queue.workers SET until = now(), running = '{}' WHERE id = $1", w.id)
	return err
}
