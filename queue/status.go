package queue

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Status is how a queue stands.
type Status struct {
	Waiting  int `json:"waiting"`
	Retrying int `json:"retrying"` // those of the waiting that have failed, or lost their worker, before
	Running  int `json:"running"`
	Done     int `json:"done"`
	Failed   int `json:"failed"` // for good

	// SecondsLeft is the time on the clock for what is waiting and running, if workers stay as many as now and
	// cells take as long as those of the same problem, method and questions took; nil where nothing is known.
	SecondsLeft *float64 `json:"seconds_left"`

	Workers  []WorkerStatus `json:"workers"`
	Failures []Failure      `json:"failures"` // the first of those that failed for good
}

// WorkerStatus is what the queue knows of a worker.
type WorkerStatus struct {
	ID      string    `json:"id"`
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Jobs    int       `json:"jobs"`
	Build   string    `json:"build"`
	Started time.Time `json:"started"`
	Until   time.Time `json:"until"` // the end of its lease
	Alive   bool      `json:"alive"`
	Done    int       `json:"done"`
	Running int       `json:"running"`
}

// Failure is a cell that failed for good.
type Failure struct {
	Cell  string `json:"cell"`
	Error string `json:"error"` // of the last attempt
}

// Alive counts workers whose lease is not over, and the cells they run at the same time.
func (s Status) Alive() (workers, jobs int) {
	for _, w := range s.Workers {
		if w.Alive {
			workers, jobs = workers+1, jobs+w.Jobs
		}
	}
	return workers, jobs
}

// maxFailures is how many failures a status shows.
const maxFailures = 10

// Status looks at one moment of the queue.
func (q *Queue) Status(ctx context.Context) (Status, error) {
	var s Status
	err := q.patiently(ctx, patience, func(ctx context.Context) error {
		s = Status{Workers: []WorkerStatus{}, Failures: []Failure{}}
		options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		return pgx.BeginTxFunc(ctx, q.pool, options, func(tx pgx.Tx) error { return s.read(ctx, tx) })
	})
	return s, err
}

func (s *Status) read(ctx context.Context, tx pgx.Tx) error {
	err := tx.QueryRow(ctx, `
SELECT count(*) FILTER (WHERE finalized_at IS NULL AND state <> 'running'),
       count(*) FILTER (WHERE finalized_at IS NULL AND state <> 'running' AND cardinality(errors) > 0),
       count(*) FILTER (WHERE state = 'running'), count(*) FILTER (WHERE state = 'completed'),
       count(*) FILTER (WHERE state IN ('discarded', 'cancelled'))
FROM prefer_queue.river_job WHERE kind = 'cell'`).Scan(&s.Waiting, &s.Retrying, &s.Running, &s.Done, &s.Failed)
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `
SELECT id, host, pid, jobs, build, started, until, until >= now(), (SELECT count(*) FROM prefer_queue.cells c WHERE c.worker = w.id),
       (SELECT count(*) FROM prefer_queue.river_job j WHERE j.state = 'running' AND j.attempted_by[array_upper(j.attempted_by, 1)] = w.id)
FROM prefer_queue.workers w ORDER BY started, id`)
	if err != nil {
		return err
	}
	if s.Workers, err = pgx.AppendRows(s.Workers, rows, pgx.RowToStructByPos[WorkerStatus]); err != nil {
		return err
	}
	rows, err = tx.Query(ctx, `
SELECT args ->> 'key', coalesce(errors[array_upper(errors, 1)] ->> 'error', state::text)
FROM prefer_queue.river_job WHERE kind = 'cell' AND state IN ('discarded', 'cancelled') ORDER BY id LIMIT $1`, maxFailures)
	if err != nil {
		return err
	}
	if s.Failures, err = pgx.AppendRows(s.Failures, rows, pgx.RowToStructByPos[Failure]); err != nil {
		return err
	}
	return s.estimate(ctx, tx)
}

// estimate works out the time left. A kind of cell that has none done is taken for the mean of all.
func (s *Status) estimate(ctx context.Context, tx pgx.Tx) error {
	_, jobs := s.Alive()
	left := s.Waiting + s.Running
	if left == 0 {
		s.SecondsLeft = new(float64)
		return nil
	}
	if jobs == 0 {
		return nil
	}
	var work *float64 // nil if no cell is done
	err := tx.QueryRow(ctx, `
WITH took AS (SELECT problem, method, questions, avg(seconds) AS s FROM prefer_queue.cells GROUP BY problem, method, questions)
SELECT sum(coalesce(took.s, (SELECT avg(seconds) FROM prefer_queue.cells)))
FROM prefer_queue.river_job j LEFT JOIN took ON took.problem = j.args ->> 'problem' AND took.method = j.args ->> 'method'
    AND took.questions = (j.args ->> 'questions')::int
WHERE j.kind = 'cell' AND j.finalized_at IS NULL`).Scan(&work)
	if err != nil || work == nil {
		return err
	}
	seconds := *work / float64(min(jobs, left))
	s.SecondsLeft = &seconds
	return nil
}
