package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// keeper has River look after the queue: wake jobs when their next attempt is due, and return those to the queue that have lost their worker. Both are up to
// one client of all, River's leader, and its rescuer discards jobs of kinds that the leader does not know. So the client that does the work of a worker, and
// knows only what that can do, never leads; its keeper may, knows every kind that runs anywhere, and does none.
type keeper struct {
	client *river.Client[pgx.Tx]
	known  map[string]bool // kinds of jobs

	mu    sync.Mutex
	since time.Time // since when beats come without a gap; zero if the last one failed
	kinds map[string]bool
	lost  map[int64]bool
}

// keeperQueue is a queue of River's in which nothing is ever put: a client must have one to lead.
const keeperQueue = "keeper"

// see takes in what a beat has found. When beats have failed, those of other workers have too, perhaps: then nothing is
// called lost until they had a lease to return.
func (k *keeper) see(jobs []runningJob, err error, lease time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kinds, k.lost = map[string]bool{}, map[int64]bool{}
	switch {
	case err != nil:
		k.since = time.Time{}
	case k.since.IsZero():
		k.since = time.Now()
	}
	for _, j := range jobs {
		k.kinds[j.Kind] = true
		k.lost[j.ID] = j.Lost && time.Since(k.since) > lease
	}
}

// learn starts River's client, again if there are kinds of jobs it does not know.
func (k *keeper) learn(ctx context.Context, w *Worker) error {
	before := len(k.known)
	if k.known == nil {
		k.known = map[string]bool{cell{}.Kind(): true}
		for _, kind := range w.kinds {
			k.known[part{kind: kind}.Kind()] = true
		}
	}
	k.mu.Lock()
	maps.Copy(k.known, k.kinds)
	k.mu.Unlock()
	if k.client != nil && len(k.known) == before {
		return nil
	}
	stopping, cancel := context.WithTimeout(ctx, w.Lease/beats) // the next beat is due
	defer cancel()
	if err := k.stop(stopping); err != nil {
		return err
	}
	workers := river.NewWorkers()
	for kind := range k.known {
		river.AddWorkerArgs(workers, anyJob{river: kind}, &rescued{doer[anyJob]{Worker: w}})
	}
	client, err := river.NewClient(riverpgxv5.New(w.Queue.pool), &river.Config{
		ID: w.id + "-keeper", Schema: schema, Workers: workers, Queues: map[string]river.QueueConfig{keeperQueue: {MaxWorkers: 1}},
		FetchPollInterval: time.Minute, JobTimeout: -1, RescueStuckJobsAfter: w.Lease,
		CompletedJobRetentionPeriod: -1, CancelledJobRetentionPeriod: -1, DiscardedJobRetentionPeriod: -1, // jobs are what makes cells and parts unique
		Logger: slog.New(slog.DiscardHandler), // it tries again by itself; that the database is away shows in beats
	})
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	k.client = client
	return nil
}

func (k *keeper) stop(ctx context.Context) error {
	if k.client == nil {
		return nil
	}
	err := k.client.StopAndCancel(ctx)
	k.client = nil
	return err
}

type anyJob struct {
	Key string `json:"key"`
	part
	river string // the kind
}

func (a anyJob) Kind() string { return a.river }

func (a anyJob) String() string {
	if a.Key != "" {
		return a.Key
	}
	return a.part.String()
}

// rescued answers River's rescuer, which asks for every job that has run for longer than a lease what time it has.
type rescued struct{ doer[anyJob] }

// Timeout is all the time in the world for a job that somebody is at, and none for one that is lost.
func (r *rescued) Timeout(job *river.Job[anyJob]) time.Duration {
	k := &r.keeper
	k.mu.Lock()
	lost := k.lost[job.ID]
	k.mu.Unlock()
	if !lost {
		return -1
	}
	r.say(fmt.Sprintf("attempt %d of %d lost its worker: %v", job.Attempt, job.MaxAttempts, job.Args))
	return time.Nanosecond
}

// Work is never called: the keeper's queue is empty.
func (*rescued) Work(context.Context, *river.Job[anyJob]) error {
	return errors.New("queue: a keeper does no work")
}

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

func (w *Worker) leave(ctx context.Context) error {
	_, err := w.Queue.pool.Exec(ctx, "UPDATE prefer_queue.workers SET until = now(), running = '{}' WHERE id = $1", w.id)
	return err
}
