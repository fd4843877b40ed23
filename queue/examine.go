package queue

import (
	"context"
	"time"
)

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
