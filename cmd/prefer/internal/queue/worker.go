package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// Worker takes cells and parts of jobs from a queue and does them. Only Queue has no default.
type Worker struct {
	Queue *Queue

	// Kinds are the jobs it does. Parts of other kinds it leaves to others, which may be newer or have a store.
	Kinds job.Kinds

	// Jobs is the number of cells and parts at the same time. Defaults to the number of processors.
	Jobs int

	// Lease is how long the worker may be silent before its jobs count as lost. Defaults to 15 seconds.
	Lease time.Duration

	// Drain ends the worker when nothing it could do is waiting or running.
	Drain bool

	// Build names the program and its kernels, for Status: rows are the same to the last bit where these are.
	Build string

	// Say, if not nil, is told in words what happens. Calls do not overlap.
	Say func(string)

	id, host string
	pid      int
	kinds    []string // of jobs
	raters   bench.Raters

	last, since time.Time // the last beat, zero if it failed; since when they come without a gap

	at    sync.Map // the ids of the jobs it is at
	mu    sync.Mutex
	tally Tally
}

// Tally is what a worker has done of cells and parts.
type Tally struct {
	Done     int `json:"done"`     // those whose rows or result were kept
	Failed   int `json:"failed"`   // attempts that failed
	Returned int `json:"returned"` // those that went back to the queue when the worker was stopped
	Late     int `json:"-"`        // those that waited for others again, or nobody wanted any more, when they were done
}

const (
	fetchEvery = 500 * time.Millisecond // at the latest, when nobody has told of new jobs
	fetchPause = 50 * time.Millisecond  // between two fetches, at the least
	stopLimit  = 30 * time.Second       // for the questions at hand when the worker is stopped
	forever    = 1_000_000 * time.Hour
)

// Run works until ctx ends, or, with Drain, until the queue is empty. When ctx ends, running jobs are stopped after the question at hand and go back to the
// queue; that is no error. While the database is away the worker keeps its jobs and tries again. A Worker runs once.
func (w *Worker) Run(ctx context.Context) (Tally, error) {
	if w.Jobs < 0 || w.Jobs > river.QueueNumWorkersMax {
		return Tally{}, fmt.Errorf("queue: Worker.Jobs = %d, want 1 to %d", w.Jobs, river.QueueNumWorkersMax)
	}
	w.Jobs, w.Lease = cmp.Or(w.Jobs, runtime.GOMAXPROCS(0)), cmp.Or(w.Lease, defaultLease)
	if w.Lease < time.Second {
		return Tally{}, fmt.Errorf("queue: Worker.Lease = %v, want at least a second", w.Lease)
	}
	var err error
	if w.host, err = os.Hostname(); err != nil {
		return Tally{}, fmt.Errorf("queue: %w", err)
	}
	w.pid, w.kinds = os.Getpid(), slices.Sorted(maps.Keys(w.Kinds))
	w.id = fmt.Sprintf("%.60s-%d-%.8s", w.host, w.pid, rand.Text())
	if err := w.Queue.patiently(ctx, patience, w.beat); err != nil { // before the first job
		return Tally{}, w.unbegun(ctx, err)
	}
	w.tidy(ctx, patience)
	hands, err := w.start(ctx)
	if err != nil {
		return Tally{}, w.unbegun(ctx, err)
	}
	err = w.live(ctx)
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
	defer cancel()
	if bad := hands.StopAndCancel(stopping); bad != nil {
		err = errors.Join(err, fmt.Errorf("queue: not all jobs could be stopped within %v, others will take them over: %w", stopLimit, bad))
	}
	err = errors.Join(err, w.Queue.patiently(stopping, time.Second, w.leave))
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tally, err
}

// start starts River's client. It may lead, and then wakes jobs when their next attempt is due. It rescues none: River's rescuer goes by how long a job
// runs, and discards jobs of kinds that its client does not know.
func (w *Worker) start(ctx context.Context) (hands *river.Client[pgx.Tx], err error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &cellWorker{doer[cell]{Worker: w}})
	for _, kind := range w.kinds {
		river.AddWorkerArgs(workers, part{kind: kind}, &partWorker{doer[part]{Worker: w}, kind})
	}
	hands, err = river.NewClient(riverpgxv5.New(w.Queue.pool), &river.Config{
		ID: w.id, Schema: schema, Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: w.Jobs}},
		FetchPollInterval: fetchEvery, FetchCooldown: fetchPause, FetchOnlyKnownKinds: true, RescueStuckJobsAfter: forever,
		CompletedJobRetentionPeriod: -1, CancelledJobRetentionPeriod: -1, DiscardedJobRetentionPeriod: -1, // jobs are what makes cells and parts unique
		Logger: slog.New(slog.DiscardHandler), // errors of jobs are in their rows, those of the connection show in beats
	})
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return hands, w.Queue.patiently(ctx, patience, func(ctx context.Context) error { return hands.Start(context.WithoutCancel(ctx)) })
}

// unbegun is the error of a worker that never came to work: none if it was told to stop. Its lease may have begun.
func (w *Worker) unbegun(ctx context.Context, err error) error {
	if errors.Is(err, ErrUnavailable) {
		return err
	}
	if ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, w.Queue.patiently(context.WithoutCancel(ctx), time.Second, w.leave))
}

// live beats until the worker is to stop.
func (w *Worker) live(ctx context.Context) error {
	beat := time.NewTicker(w.Lease / beats)
	defer beat.Stop()
	drained := time.NewTicker(fetchEvery)
	defer drained.Stop()
	tidy := time.NewTicker(tidyEvery)
	defer tidy.Stop()
	away := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
			err := w.beat(ctx)
			switch {
			case ctx.Err() != nil:
				return nil
			case err != nil && !away:
				w.say(fmt.Sprintf("%v; trying again every %v", w.Queue.explain(err), w.Lease/beats))
			case err == nil && away:
				w.say("the queue can be reached again")
			}
			away = err != nil
		case <-tidy.C:
			w.tidy(ctx, w.Lease/beats) // no longer: the next beat is due
		case <-drained.C:
			if !w.Drain || away {
				continue
			}
			var left bool
			err := w.Queue.pool.QueryRow(ctx, query("left"), w.kinds).Scan(&left)
			if err == nil && !left { // an error shows in the next beat
				return nil
			}
		}
	}
}

func (w *Worker) say(text string) {
	if w.Say != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.Say(text)
	}
}

// running lists the jobs the worker is at, never nil, which would be NULL.
func (w *Worker) running() []int64 {
	jobs := []int64{}
	for id := range w.at.Range {
		jobs = append(jobs, id.(int64))
	}
	return jobs
}

func (w *Worker) count(f func(*Tally)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.tally)
}

// A cell takes from milliseconds to hours, so no limit of time, as River's rescuer has one, tells within a minute that its worker was killed.
// A heartbeat does: every worker writes into the table of workers, several times in a lease, that it lives and which
// jobs it is at. A job that runs and that nobody is at is lost, and the worker that notices returns it to the queue.
//
// The clocks of machines do not matter for this: all times are the database's.

const (
	defaultLease = 15 * time.Second
	beats        = 5 // in a lease
)

// beat says that this worker lives, and rescues lost jobs. When beats have failed, or this machine was asleep, those of other workers are missing too,
// perhaps: then nothing is called lost until they had a lease to return.
func (w *Worker) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.Lease/beats)
	defer cancel()
	now := time.Now().Round(0) // by the wall clock, which goes on while a machine is asleep
	if now.Sub(w.last) > w.Lease {
		w.since = now
	}
	w.last = now
	_, err := w.Queue.pool.Exec(ctx, query("alive"), w.id, w.host, w.pid, w.Jobs, w.Build, w.kinds, w.running(), w.Lease)
	if err == nil && now.Sub(w.since) > w.Lease {
		var lost []string
		rows, _ := w.Queue.pool.Query(ctx, query("rescue"), w.Lease) // an error is CollectRows' too
		lost, err = pgx.CollectRows(rows, pgx.RowTo[string])
		for _, text := range lost {
			w.say(text)
		}
	}
	if err != nil {
		w.last = time.Time{}
	}
	return err
}

func (w *Worker) leave(ctx context.Context) error {
	_, err := w.Queue.pool.Exec(ctx, "UPDATE prefer_queue.workers SET until = now(), running = '{}' WHERE id = $1", w.id)
	return err
}
