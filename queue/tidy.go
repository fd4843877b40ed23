package queue

import (
	"context"
	"fmt"
	"time"
)

const (
	// keepJobs is how long a job stays after it is over and was last sent.
	keepJobs = 30 * 24 * time.Hour

	// tidyEvery is how often a worker looks for older ones, beside when it starts.
	tidyEvery = time.Hour

	// tidyMost is how many are removed at a time.
	tidyMost = 100
)

// tidy removes jobs that have been over for so long, and returns how many.
func (q *Queue) tidy(ctx context.Context) (int64, error) {
	var n int64
	err := q.patiently(ctx, patience, func(ctx context.Context) error {
		done, err := q.pool.Exec(ctx, `
WITH old AS (
    SELECT key FROM prefer_queue.errands e WHERE sent < now() - $1::interval AND NOT EXISTS (
        SELECT FROM prefer_queue.river_job j WHERE j.args ->> 'errand' = e.key AND (j.finalized_at IS NULL OR j.finalized_at >= now() - $1::interval))
    LIMIT $2 FOR UPDATE SKIP LOCKED
), jobs AS (DELETE FROM prefer_queue.river_job j USING old WHERE j.args ->> 'errand' = old.key)
DELETE FROM prefer_queue.errands e USING old WHERE e.key = old.key`, keepJobs, tidyMost)
		n = done.RowsAffected()
		return err
	})
	return n, err
}

// tidy removes old jobs, if that takes no longer than the limit; otherwise there is a next time.
func (w *Worker) tidy(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	n, err := w.Queue.tidy(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		w.say(fmt.Sprintf("old jobs were not removed: %v", err))
	case n > 0:
		w.say(fmt.Sprintf("removed jobs that were over for %d days: %d", int(keepJobs.Hours()/24), n))
	}
}
