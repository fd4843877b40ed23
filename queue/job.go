package queue

import (
	"context"
	"encoding/json"
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

// part is a part of a job as a job of River's. The body is in the table errands, which is what jobs were called.
type part struct {
	Job  string `json:"errand"`
	Part int    `json:"part"`

	kind string // the job's
}

// Kind is a kind of River's for each kind of job, so that River gives a worker only what it can do.
func (p part) Kind() string { return "part:" + p.kind }

func (p part) String() string { return fmt.Sprintf("part %d of %s", p.Part, p.Job) }

type partWorker struct {
	doer[part]
	kind string
}

func (*partWorker) Timeout(*river.Job[part]) time.Duration { return partLimit }

func (p *partWorker) Work(ctx context.Context, job *river.Job[part]) error {
	a := job.Args
	return do(ctx, p.Worker, job, a.String(), func(ctx context.Context) (write, error) {
		body, err := p.Queue.body(ctx, a.Job)
		if err != nil {
			return nil, err
		}
		result, err := p.Kinds.Do(ctx, p.kind, body, a.Part)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, tx pgx.Tx, seconds float64) error {
			return p.result(ctx, tx, a, result, seconds)
		}, nil
	})
}

func (q *Queue) body(ctx context.Context, key string) (body json.RawMessage, err error) {
	err = q.patiently(ctx, patience, func(ctx context.Context) error {
		err := q.pool.QueryRow(ctx, "SELECT body FROM prefer_queue.errands WHERE key = $1", key).Scan((*[]byte)(&body))
		return dropped(err)
	})
	return body, err
}

// result writes the result of a part, which may be there. The job is locked before its River job is, as in Drop.
func (p *partWorker) result(ctx context.Context, tx pgx.Tx, a part, result []byte, seconds float64) error {
	if result == nil {
		result = []byte{} // nil would be NULL
	}
	var key string
	if err := tx.QueryRow(ctx, "SELECT key FROM prefer_queue.errands WHERE key = $1 FOR KEY SHARE", a.Job).Scan(&key); err != nil {
		return dropped(err)
	}
	_, err := tx.Exec(ctx, "INSERT INTO prefer_queue.parts (errand, part, result, seconds, worker) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
		a.Job, a.Part, result, seconds, p.id)
	return err
}

// dropped takes a job that is not there for one that nobody wants any more.
func dropped(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return errTaken
	}
	return err
}
