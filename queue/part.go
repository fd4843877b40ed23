package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

// part is a part of a job as a job of River's. The body is in the table errands, which is what jobs were called.
type part struct {
	Job  string `json:"errand"`
	Part int    `json:"part"`

	kind string // the job's
}

// Kind is a kind of River's for each kind of job, so that River gives a worker only what it can do.
func (p part) Kind() string { return "part:" + p.kind }

func (p part) String() string { return fmt.Sprintf("part %d of %s", p.Part, p.Job) }

// partWorker does parts of one kind for River.
type partWorker struct {
	doer[part]
	kind string
}

// Timeout is River's question.
func (*partWorker) Timeout(*river.Job[part]) time.Duration { return partLimit }

// Work does a part and keeps its result.
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

// body reads what a job is about.
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
