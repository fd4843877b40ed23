package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/internal/bench"
	"github.com/prefer-bo/prefer/problem"
	"github.com/riverqueue/river"
)

// cell is a cell as a job: all that a worker must know.
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
		var err error
		if r.Designs, err = c.Queue.designs(ctx, job.Design); err != nil {
			return nil, err
		}
	}
	rater, err := c.rater(r, job)
	if err != nil {
		return nil, err
	}
	return r.Rows(ctx, job.cell(), rater)
}

type raterKey struct {
	problem, setup, design string
	noise                  float64
}

// rater calibrates each rater once in the life of a worker.
func (w *Worker) rater(r *bench.Runner, job cell) (problem.Rater, error) {
	calibrate := sync.OnceValues(func() (problem.Rater, error) { return r.Rater(job.cell()) })
	once, _ := w.raters.LoadOrStore(raterKey{job.Problem, job.Setup.Name(), job.Design, job.Noise}, calibrate)
	return once.(func() (problem.Rater, error))()
}

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
		err := tx.QueryRow(ctx, `
INSERT INTO prefer_queue.cells (key, problem, noise, method, seed, setup, questions, seconds, worker)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (key) DO NOTHING RETURNING id`,
			a.Key, a.Problem, a.Noise, a.Method, int64(a.Seed), a.Setup.Name(), a.Questions, seconds, c.id).Scan(&id)
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
