package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/riverqueue/river"
)

type runner struct{ *Queue }

// Runner returns the queue as a runner for jobs: their parts are done by workers that know their kind. Progress counts those workers.
func (q *Queue) Runner() job.Runner { return runner{q} }

// Submit implements job.Runner. The row of the job is locked meanwhile, so the parts it had before are all there.
func (r runner) Submit(ctx context.Context, j job.Job) error {
	if err := j.Validate(); err != nil {
		return err
	}
	key := j.Key()
	return r.transaction(ctx, func(tx pgx.Tx) error {
		var have int
		if err := tx.QueryRow(ctx, query("submit"), key, j.Kind, []byte(j.Body)).Scan(&have); err != nil {
			return err
		}
		if err := r.again(ctx, tx, key); err != nil {
			return err
		}
		if j.Parts <= have {
			return nil
		}
		options := unique(min(j.Parts, priorityMany))
		for first := have; first < j.Parts; first += batch {
			var params []river.InsertManyParams
			for n := first; n < min(first+batch, j.Parts); n++ {
				params = append(params, river.InsertManyParams{Args: part{Job: key, Part: n, kind: j.Kind}, InsertOpts: &options})
			}
			if _, err := r.client.InsertManyFastTx(ctx, tx, params); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, "UPDATE prefer_queue.errands SET parts = $2 WHERE key = $1", key, j.Parts)
		return err
	})
}

// again gives the parts of a job that had failed another attempt.
func (r runner) again(ctx context.Context, tx pgx.Tx, key string) error {
	rows, _ := tx.Query(ctx, "SELECT id FROM prefer_queue.river_job WHERE args ->> 'errand' = $1 AND state IN ('discarded', 'cancelled')", key)
	failed, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	for _, id := range failed {
		if _, err := r.client.JobRetryTx(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

func (r runner) Progress(ctx context.Context, key string) (p job.Progress, err error) {
	err = r.patiently(ctx, patience, func(ctx context.Context) error {
		err := r.pool.QueryRow(ctx, query("progress"), key).Scan(&p.Parts, &p.Waiting, &p.Running, &p.Done, &p.Failed, &p.Failure, &p.Workers)
		return unknown(key, err)
	})
	return p, err
}

func (r runner) Results(ctx context.Context, key string) (results [][]byte, err error) {
	err = r.patiently(ctx, patience, func(ctx context.Context) error {
		rows, _ := r.pool.Query(ctx, "SELECT e.parts, p.part, p.result FROM prefer_queue.errands e LEFT JOIN prefer_queue.parts p ON p.errand = e.key WHERE e.key = $1", key)
		results = nil
		var parts int
		var at *int // nil if none is done
		var result []byte
		_, err := pgx.ForEachRow(rows, []any{&parts, &at, &result}, func() error {
			if results == nil {
				results = make([][]byte, parts)
			}
			if at != nil {
				results[*at] = result
			}
			return nil
		})
		if err == nil && results == nil {
			err = unknown(key, pgx.ErrNoRows)
		}
		return err
	})
	return results, err
}

// Drop implements job.Runner. Workers hear of it through River's notifications; one that missed it finds out when it is done, and writes nothing.
func (r runner) Drop(ctx context.Context, key string) error {
	return r.transaction(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "DELETE FROM prefer_queue.errands WHERE key = $1", key); err != nil {
			return err
		}
		// Locked all, lest one of the waiting begins to run before it is deleted.
		rows, _ := tx.Query(ctx, "SELECT CASE WHEN state = 'running' THEN id ELSE 0 END FROM prefer_queue.river_job WHERE args ->> 'errand' = $1 FOR UPDATE", key)
		running, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		for _, id := range running {
			if id == 0 { // it waits, or is over
				continue
			}
			if _, err := r.client.JobCancelTx(ctx, tx, id); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "DELETE FROM prefer_queue.river_job WHERE args ->> 'errand' = $1", key)
		return err
	})
}

// transaction repeats a transaction that failed because the database was away, or two were in each other's way.
func (q *Queue) transaction(ctx context.Context, do func(pgx.Tx) error) error {
	return q.patiently(ctx, patience, func(ctx context.Context) error { return pgx.BeginFunc(ctx, q.pool, do) })
}

func unknown(key string, err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("%q: %w", key, job.ErrUnknown)
	}
	return err
}

const (
	keepJobs  = 30 * 24 * time.Hour // how long a job stays after it is over and was last sent
	tidyEvery = time.Hour           // how often a worker looks for older ones, beside when it starts
)

// tidy removes jobs that have been over for so long, if that takes no longer than the limit; otherwise there is a next time.
func (w *Worker) tidy(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var n int64
	err := w.Queue.patiently(ctx, limit, func(ctx context.Context) error {
		done, err := w.Queue.pool.Exec(ctx, query("tidy"), keepJobs)
		n = done.RowsAffected()
		return err
	})
	switch {
	case ctx.Err() != nil:
	case err != nil:
		w.say(fmt.Sprintf("old jobs were not removed: %v", err))
	case n > 0:
		w.say(fmt.Sprintf("removed jobs that were over for %d days: %d", int(keepJobs.Hours()/24), n))
	}
}
