package queue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/sethvargo/go-retry"
)

// schema is where all tables are, River's included: the database may also hold studies, or somebody else's River.
const schema = "prefer_queue"

const (
	patience       = 10 * time.Second // for a database that is restarting
	maxConnections = 8                // of a process; a worker listens on one and writes on the others
)

// Queue is a queue of cells and jobs in a PostgreSQL database, and what came of them.
type Queue struct {
	pool   *pgxpool.Pool
	name   string
	client *river.Client[pgx.Tx] // for inserting
}

// Open connects to a queue, and makes its tables if there are none. A database that cannot be reached is waited for, ten seconds.
func Open(ctx context.Context, address string) (*Queue, error) {
	q, err := connect(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := q.patiently(ctx, patience, q.migrate); err != nil {
		q.pool.Close()
		return nil, err
	}
	return q, nil
}

// connect is Open without a look at the tables.
func connect(ctx context.Context, address string) (*Queue, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("queue: %w, want an address like postgres://user@host/database", err) // pgx leaves the password out
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = patience
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "prefer queue"
	}
	config.MaxConns = maxConnections
	q := &Queue{name: fmt.Sprintf("PostgreSQL database %q at %s", config.ConnConfig.Database, config.ConnConfig.Host)}
	if q.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, q.explain(err)
	}
	q.client, err = river.NewClient(riverpgxv5.New(q.pool), &river.Config{Schema: schema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		q.pool.Close()
		return nil, q.explain(err)
	}
	return q, nil
}

// Close ends all connections.
func (q *Queue) Close() { q.pool.Close() }

// String names the database, without the password.
func (q *Queue) String() string { return q.name }

// patiently repeats what failed because the database was away, for as long as limit.
func (q *Queue) patiently(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	pauses := retry.WithMaxDuration(limit, retry.WithCappedDuration(2*time.Second, retry.NewExponential(50*time.Millisecond)))
	err := retry.Do(ctx, pauses, func(ctx context.Context) error {
		err := do(ctx)
		if err != nil && away(err) {
			return retry.RetryableError(err)
		}
		return err
	})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return q.explain(err)
}
