package queue

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// A cell takes from milliseconds to hours, so no limit of time, as River's rescuer has one, tells within a minute that its worker was killed.
// A heartbeat does: every worker writes into the table of workers, several times in a lease, that it lives and which
// jobs it is at. A job that runs and that nobody is at is lost, and whoever notices returns it to the queue.
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
