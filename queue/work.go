package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/bench"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// cellWorker runs cells for River.
type cellWorker struct {
	river.WorkerDefaults[cell]
	*Worker
}

// NextRetry waits 1 s, then 4 s, then 16 s: up to 5 s River needs no leader to wake the job.
func (*cellWorker) NextRetry(job *river.Job[cell]) time.Time {
	return time.Now().Add(time.Second << (2 * min(job.Attempt-1, 5)))
}

// Work runs a cell and keeps its rows.
func (c *cellWorker) Work(ctx context.Context, job *river.Job[cell]) error {
	c.running.add(job.ID)
	defer c.running.remove(job.ID)
	start := time.Now()
	rows, err := c.run(ctx, job.Args)
	switch {
	case ctx.Err() != nil && err != nil:
		c.count(func(t *Tally) { t.Returned++ })
		return river.JobSnooze(0) // available at once, and no attempt spent
	case err != nil:
		c.count(func(t *Tally) { t.Failed++ })
		c.say(fmt.Sprintf("attempt %d of %d failed: %s: %v", job.Attempt, job.MaxAttempts, job.Args.Key, err))
		return err
	}
	// Rows that are there are kept even if the worker is being stopped.
	err = c.Queue.patiently(context.WithoutCancel(ctx), keepLimit, func(ctx context.Context) error {
		return c.keep(ctx, job, rows, time.Since(start))
	})
	if errors.Is(err, rivertype.ErrNotFound) {
		c.count(func(t *Tally) { t.Late++ })
		c.say(fmt.Sprintf("dropped, since another worker has taken it over: %s", job.Args.Key))
		return nil // to nobody: there is no job of this number
	}
	if err != nil {
		c.count(func(t *Tally) { t.Failed++ })
		return err
	}
	c.count(func(t *Tally) { t.Done++ })
	return nil
}

// keepLimit is how long rows are held while the database is away; they may have taken hours.
const keepLimit = 10 * time.Minute

func (c *cellWorker) run(ctx context.Context, job cell) ([]bench.Row, error) {
	if err := job.check(); err != nil {
		return nil, err
	}
	r := &bench.Runner{Setup: job.Setup, Questions: job.Questions, Early: job.Early, Now: time.Now}
	if err := r.Setup.Validate(); err != nil {
		return nil, err
	}
	if job.Design != "" {
		var err error
		if r.Designs, err = c.Queue.designs(ctx, job.Design); err != nil {
			return nil, err
		}
	}
	rater, err := c.raters.get(r, job)
	if err != nil {
		return nil, err
	}
	return r.Rows(ctx, job.cell(), rater)
}

// designs reads a design file.
func (q *Queue) designs(ctx context.Context, sha256 string) (*bench.Designs, error) {
	var body []byte
	err := q.patiently(ctx, patience, func(ctx context.Context) error {
		return q.pool.QueryRow(ctx, "SELECT body::text FROM prefer_queue.designs WHERE sha256 = $1", sha256).Scan(&body)
	})
	if err != nil {
		return nil, fmt.Errorf("design %s: %w", sha256, err)
	}
	return bench.ReadDesigns(bytes.NewReader(body))
}

// keep completes the job and writes its rows in one transaction. Repeated after a COMMIT of which nobody knows
// whether it arrived, it finds the cell there and leaves it alone.
func (c *cellWorker) keep(ctx context.Context, job *river.Job[cell], rows []bench.Row, took time.Duration) error {
	answers, bodies := make([]int, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		answers[i], bodies[i] = r.Answers, string(line)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return pgx.BeginFunc(ctx, c.Queue.pool, func(tx pgx.Tx) error {
		after, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		if err != nil {
			return err
		}
		if after.State != rivertype.JobStateCompleted {
			return fmt.Errorf("the job is %s, want completed: somebody has changed it by hand: %w", after.State, rivertype.ErrNotFound)
		}
		a := job.Args
		var id int64
		err = tx.QueryRow(ctx, `
INSERT INTO prefer_queue.cells (key, problem, noise, method, seed, setup, questions, seconds, worker)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (key) DO NOTHING RETURNING id`,
			a.Key, a.Problem, a.Noise, a.Method, int64(a.Seed), a.Setup.Name(), a.Questions, took.Seconds(), c.id).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO prefer_queue.rows (cell, answers, body) SELECT $1, a, b::json FROM unnest($2::int[], $3::text[]) AS t (a, b)", id, answers, bodies)
		return err
	})
}
