package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// Cells and parts are jobs to River alike: unique, tried three times, and kept in the transaction that completes them.

// maxAttempts is how often a job may fail, or lose its worker. What failed once for a reason of its own fails again, but
// the reason may have been the machine's; and it may be what kills its workers.
const maxAttempts = 3

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

// doer adapts a kind of job to River's Worker interface.
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
	w.at.Store(job.ID, true)
	defer w.at.Delete(job.ID)
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
		var body []byte
		if err := p.Queue.scan(ctx, &body, "SELECT body FROM prefer_queue.errands WHERE key = $1", a.Job); err != nil {
			return nil, dropped(err)
		}
		result, err := p.Kinds.Do(ctx, p.kind, body, a.Part)
		if err != nil {
			return nil, err
		}
		if result == nil {
			result = []byte{} // nil would be NULL
		}
		return func(ctx context.Context, tx pgx.Tx, seconds float64) error { // the result may be there
			var key string // the job is locked before its River job is, as in Drop
			if err := tx.QueryRow(ctx, "SELECT key FROM prefer_queue.errands WHERE key = $1 FOR KEY SHARE", a.Job).Scan(&key); err != nil {
				return dropped(err)
			}
			_, err := tx.Exec(ctx, "INSERT INTO prefer_queue.parts (errand, part, result, seconds, worker) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
				a.Job, a.Part, result, seconds, p.id)
			return err
		}, nil
	})
}

func (q *Queue) scan(ctx context.Context, into *[]byte, query, key string) error {
	return q.patiently(ctx, patience, func(ctx context.Context) error { return q.pool.QueryRow(ctx, query, key).Scan(into) })
}

// dropped takes a job that is not there for one that nobody wants any more.
func dropped(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return errTaken
	}
	return err
}

type cell struct {
	// Key spells out everything the rows depend on. It makes the job unique.
	Key       string      `json:"key" river:"unique"`
	Problem   string      `json:"problem"`
	Noise     float64     `json:"noise"`
	Method    string      `json:"method"`
	Seed      uint64      `json:"seed"`
	Setup     bench.Setup `json:"setup"`
	Questions int         `json:"questions"`
	Early     bool        `json:"early,omitempty"`
	Design    string      `json:"design,omitempty"` // SHA-256 of a design file
}

// newCell returns the job of a cell under a runner. design is the hash of the runner's designs, if it has any.
func newCell(r *bench.Runner, c bench.Cell, design string) cell {
	out := cell{Problem: c.Problem, Noise: c.Noise, Method: c.Method, Seed: c.Seed, Setup: r.Setup, Questions: r.Questions, Early: r.Early, Design: design}
	out.Key = out.key()
	return out
}

// key is a function of what the rows depend on. The setup comes in by its name, in which the ways to write the same choice are one.
func (c cell) key() string {
	text := fmt.Sprintf("%v, %s, %d questions", c.cell(), c.Setup.Name(), c.Questions)
	if c.Early {
		text += ", early rows"
	}
	if c.Design != "" {
		text += ", design " + c.Design
	}
	return text
}

func (c cell) cell() bench.Cell {
	return bench.Cell{Problem: c.Problem, Noise: c.Noise, Method: c.Method, Seed: c.Seed}
}

// check refuses a job that another version of this program has written in terms this one does not know: it would run another cell under the same name.
func (c cell) check() error {
	if key := c.key(); key != c.Key {
		return fmt.Errorf("queue: the job is %q and reads as %q here: it comes from another version of prefer; use the same on all machines", c.Key, key)
	}
	return nil
}

func (cell) Kind() string { return "cell" }

func (cell) InsertOpts() river.InsertOpts { return unique(priorityCell) }

type cellWorker struct{ doer[cell] }

func (*cellWorker) Timeout(*river.Job[cell]) time.Duration { return cellLimit }

func (c *cellWorker) Work(ctx context.Context, job *river.Job[cell]) error {
	return do(ctx, c.Worker, job, job.Args.Key, func(ctx context.Context) (write, error) {
		rows, err := c.run(ctx, job.Args)
		if err != nil {
			return nil, err
		}
		return c.rows(job.Args, rows)
	})
}

func (c *cellWorker) run(ctx context.Context, job cell) ([]bench.Row, error) {
	if err := job.check(); err != nil {
		return nil, err
	}
	r := &bench.Runner{Setup: job.Setup, Questions: job.Questions, Early: job.Early, Now: time.Now}
	if err := r.Setup.Validate(); err != nil {
		return nil, err
	}
	if job.Design != "" {
		var body []byte
		err := c.Queue.scan(ctx, &body, "SELECT body::text FROM prefer_queue.designs WHERE sha256 = $1", job.Design)
		if err == nil {
			r.Designs, err = bench.ReadDesigns(bytes.NewReader(body))
		}
		if err != nil {
			return nil, fmt.Errorf("design %s: %w", job.Design, err)
		}
	}
	rater, err := c.raters.Of(r, job.cell(), job.Design)
	if err != nil {
		return nil, err
	}
	return r.Rows(ctx, job.cell(), rater)
}

// rows writes the rows of a cell, which may be there.
func (c *cellWorker) rows(a cell, rows []bench.Row) (write, error) {
	answers, bodies := make([]int, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		answers[i], bodies[i] = r.Answers, string(line)
	}
	return func(ctx context.Context, tx pgx.Tx, seconds float64) error {
		var id int64
		err := tx.QueryRow(ctx, query("keep_cell"), a.Key, a.Problem, a.Noise, a.Method, int64(a.Seed), a.Setup.Name(), a.Questions, seconds, c.id).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO prefer_queue.rows (cell, answers, body) SELECT $1, a, b::json FROM unnest($2::int[], $3::text[]) AS t (a, b)", id, answers, bodies)
		return err
	}, nil
}
