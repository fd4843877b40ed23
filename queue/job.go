package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// Cells and parts are jobs to River alike: unique, tried three times, and kept in the transaction that completes them.

// maxAttempts is how often a job may fail, or lose its worker. What failed once for a reason of its own fails again, but
// the reason may have been the machine's; and it may be what kills its workers.
const maxAttempts = 3

// counted are the jobs of River's in each of the states that a progress has.
const counted = `count(*) FILTER (WHERE finalized_at IS NULL AND state <> 'running') AS waiting,
	count(*) FILTER (WHERE state = 'running') AS running, count(*) FILTER (WHERE state = 'completed') AS done,
	count(*) FILTER (WHERE state IN ('discarded', 'cancelled')) AS failed`

// lastError is what went wrong with a job of River's at its last attempt.
const lastError = `coalesce(errors[array_upper(errors, 1)] ->> 'error', state::text)`

// keepLimit is how long a result is held while the database is away; it may have taken hours.
const keepLimit = 10 * time.Minute

// The smaller is taken first. Somebody waits for a job, and who has sent one of a single part, as a report is, not behind thousands of simulated people.
const (
	prioritySingle = 1 + iota
	priorityMany
	priorityCell
)

// unique are the options of a job that is there once in any state: one that is done, or failed, is not enqueued a second time.
func unique(priority int) river.InsertOpts {
	return river.InsertOpts{MaxAttempts: maxAttempts, Priority: priority, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: rivertype.JobStates()}}
}

// doer is what River wants to know of whoever does jobs.
type doer[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	*Worker
}

// NextRetry waits 1 s, then 4 s, then 16 s: up to 5 s River needs no leader to wake the job.
func (*doer[T]) NextRetry(job *river.Job[T]) time.Time {
	return time.Now().Add(time.Second << (2 * min(job.Attempt-1, 5)))
}

// The longest a job may take. The cells of the paper take two seconds on average and simulated people half of one, so
// even on a machine that is very busy this ends only what hangs. That a worker is gone shows much earlier (heartbeat).
const (
	cellLimit = 6 * time.Hour
	partLimit = time.Hour
)

// errTaken says that a job is no longer this worker's to end: it waits for another, or nobody wants it any more.
var errTaken = errors.New("the job was taken from this worker")

// write writes the result of a job that took so many seconds.
type write func(ctx context.Context, tx pgx.Tx, seconds float64) error

// do has run do a job, and keeps what came of it.
func do[T river.JobArgs](ctx context.Context, w *Worker, job *river.Job[T], name string, run func(context.Context) (write, error)) error {
	defer w.begin(job.ID)()
	start := time.Now()
	result, err := run(ctx)
	cause := context.Cause(ctx)
	switch {
	case err == nil: // kept even if the worker is being stopped
		err = w.Queue.patiently(context.WithoutCancel(ctx), keepLimit, func(ctx context.Context) error {
			return keep(ctx, w, job, result, time.Since(start).Seconds())
		})
		if err == nil {
			w.count(func(t *Tally) { t.Done++ })
			return nil
		}
	case errors.Is(cause, context.DeadlineExceeded):
		err = fmt.Errorf("not done after %v, which is more than a job may take", time.Since(start).Round(time.Second))
	case errors.Is(cause, rivertype.ErrJobCancelledRemotely):
		err = cause
	case cause != nil:
		w.count(func(t *Tally) { t.Returned++ })
		return river.JobSnooze(0) // available at once, and no attempt spent
	}
	for _, taken := range []error{errTaken, rivertype.ErrJobCancelledRemotely, rivertype.ErrNotFound} {
		if errors.Is(err, taken) {
			w.count(func(t *Tally) { t.Late++ })
			w.say(fmt.Sprintf("dropped, since another worker is to do it or nobody wants it any more: %s", name))
			return err
		}
	}
	w.count(func(t *Tally) { t.Failed++ })
	w.say(fmt.Sprintf("attempt %d of %d failed: %s: %v", job.Attempt, job.MaxAttempts, name, err))
	return err
}

// keep writes a result and completes its job in one transaction. It may be there: after a COMMIT of which nobody knows whether it arrived, or when this worker
// was taken for lost and another has done the job meanwhile. Then it is the same result, and is left alone.
func keep[T river.JobArgs](ctx context.Context, w *Worker, job *river.Job[T], result write, seconds float64) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return pgx.BeginFunc(ctx, w.Queue.pool, func(tx pgx.Tx) error {
		if err := result(ctx, tx, seconds); err != nil {
			return err
		}
		after, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		if err != nil {
			return err
		}
		if after.State != rivertype.JobStateCompleted {
			return fmt.Errorf("the job is %s: %w", after.State, errTaken)
		}
		return nil
	})
}
