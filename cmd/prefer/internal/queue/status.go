package queue

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Status is how a queue stands. What it counts is cells; Jobs are beside them.
type Status struct {
	Waiting  int `json:"waiting"`
	Retrying int `json:"retrying"` // those of the waiting that have failed, or lost their worker, before
	Running  int `json:"running"`
	Done     int `json:"done"`
	Failed   int `json:"failed"` // for good

	// SecondsLeft is the time on the clock for what is waiting and running, if workers stay as many as now and
	// cells take as long as those of the same problem, method and questions took; nil where nothing is known.
	SecondsLeft *float64 `json:"seconds_left"`

	Jobs     []JobStatus    `json:"jobs"` // by kind
	Workers  []WorkerStatus `json:"workers"`
	Failures []Failure      `json:"failures"` // the first of those that failed for good
}

// JobStatus counts the jobs of a kind, and their parts.
type JobStatus struct {
	Kind    string `json:"kind"`
	Jobs    int    `json:"jobs"`
	Waiting int    `json:"waiting"`
	Running int    `json:"running"`
	Done    int    `json:"done"`
	Failed  int    `json:"failed"`            // for good
	Failure string `json:"failure,omitempty"` // what went wrong with the latest of those
	Workers int    `json:"workers"`           // alive, and doing this kind
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
	Done    int       `json:"done"`    // cells and parts
	Running int       `json:"running"` // cells and parts
	Kinds   []string  `json:"kinds"`   // of jobs it does
}

// Failure is a cell that failed for good.
type Failure struct {
	Cell  string `json:"cell"`
	Error string `json:"error"` // of the last attempt
}

// Alive counts workers whose lease is not over, and the jobs they do at the same time.
func (s Status) Alive() (workers, jobs int) {
	for _, w := range s.Workers {
		if w.Alive {
			workers, jobs = workers+1, jobs+w.Jobs
		}
	}
	return workers, jobs
}

// Status looks at one moment of the queue.
func (q *Queue) Status(ctx context.Context) (Status, error) {
	var s Status
	err := q.patiently(ctx, patience, func(ctx context.Context) error {
		s = Status{}
		options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		return pgx.BeginTxFunc(ctx, q.pool, options, func(tx pgx.Tx) error { return s.read(ctx, tx) })
	})
	return s, err
}

func (s *Status) read(ctx context.Context, tx pgx.Tx) error {
	err := tx.QueryRow(ctx, query("status_cells")).Scan(&s.Waiting, &s.Running, &s.Done, &s.Failed, &s.Retrying)
	if err == nil {
		s.Jobs, err = list[JobStatus](ctx, tx, "status_jobs")
	}
	if err == nil {
		s.Workers, err = list[WorkerStatus](ctx, tx, "status_workers")
	}
	if err == nil {
		s.Failures, err = list[Failure](ctx, tx, "status_failures")
	}
	if err == nil {
		err = s.estimate(ctx, tx)
	}
	return err
}

// list reads all rows of a query, column by field; it is never nil, which would be null in JSON.
func list[T any](ctx context.Context, tx pgx.Tx, name string) ([]T, error) {
	rows, _ := tx.Query(ctx, query(name)) // an error is AppendRows' too
	return pgx.AppendRows([]T{}, rows, pgx.RowToStructByPos[T])
}

func (s *Status) estimate(ctx context.Context, tx pgx.Tx) error {
	_, jobs := s.Alive()
	left := s.Waiting + s.Running
	switch {
	case left == 0:
		s.SecondsLeft = new(float64)
		return nil
	case jobs == 0:
		return nil
	}
	var work *float64 // nil if no cell is done
	err := tx.QueryRow(ctx, query("status_left")).Scan(&work)
	if err != nil || work == nil {
		return err
	}
	seconds := *work / float64(min(jobs, left))
	s.SecondsLeft = &seconds
	return nil
}

// Health is what Examine finds.
type Health struct {
	Version, Known int64 // of the tables, 0 if there are none; and what this program works with
	River          int64 // the version of River's tables
	Current        bool  // whether both are what this program works with

	// Status is how the queue stands, if the tables are current.
	Status Status
}

// Examine looks at a queue without changing anything, not even its tables. It waits for a database that cannot be reached as long as the limit.
func Examine(ctx context.Context, address string, limit time.Duration) (Health, error) {
	ctx, cancel := context.WithTimeout(ctx, limit+patience)
	defer cancel()
	q, err := connect(ctx, address)
	if err != nil {
		return Health{}, err
	}
	defer q.Close()
	t, closes, err := q.tables()
	if err != nil {
		return Health{}, err
	}
	defer closes()
	h := Health{Known: t.known.own}
	err = q.patiently(ctx, limit, func(ctx context.Context) error {
		have, err := q.edition(ctx, t.known)
		h.Version, h.River, h.Current = have.own, have.river, err == nil && have == t.known
		return err
	})
	if err == nil && h.Current {
		h.Status, err = q.Status(ctx)
	}
	return h, err
}
