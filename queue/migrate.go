package queue

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations
var migrations embed.FS

// versions is the table in which goose counts the migrations that have run. River has one of its own.
const versions = schema + ".versions"

// migrationLock is the advisory lock of who makes tables: "prefer q".
const migrationLock = 0x7072656665722071

// migrate brings River's tables and ours up to date, one process at a time. Tables of a newer version are
// refused untouched.
func (q *Queue) migrate(ctx context.Context) error {
	rivers, err := rivermigrate.New(riverpgxv5.New(q.pool), &rivermigrate.Config{Schema: schema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	all := rivers.AllVersions()
	db := stdlib.OpenDBFromPool(q.pool)
	defer db.Close()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	ours, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithTableName(versions),
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	sources := ours.ListSources()
	known := [2]int64{int64(all[len(all)-1].Version), sources[len(sources)-1].Version}
	// Without the lock another process may be seen half-way, with tables that are about to change: such an error
	// counts for nothing.
	if done, err := q.current(ctx, known); done || errors.Is(err, ErrNewer) {
		return err
	}
	return q.alone(ctx, func() error {
		if done, err := q.current(ctx, known); err != nil || done { // while we waited
			return err
		}
		if _, err := q.pool.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+schema); err != nil {
			return err
		}
		if _, err := rivers.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("the tables of River were not made: %w", err)
		}
		_, err := ours.Up(ctx)
		return err
	})
}

// current reports whether River's tables and ours are those this program knows.
func (q *Queue) current(ctx context.Context, known [2]int64) (bool, error) {
	done := true
	for i, table := range []struct{ name, query, what string }{
		{schema + ".river_migration", "SELECT coalesce(max(version), 0) FROM " + schema + ".river_migration", "River's tables"},
		{versions, "SELECT coalesce(max(version_id), 0) FROM " + versions, "tables"},
	} {
		var there bool
		var have int64
		if err := q.pool.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", table.name).Scan(&there); err != nil {
			return false, err
		}
		if there {
			if err := q.pool.QueryRow(ctx, table.query).Scan(&have); err != nil {
				return false, err
			}
		}
		if have > known[i] {
			return false, fmt.Errorf("queue: %s: %w: %s in schema %s have version %d, this program knows %d; use a newer prefer",
				q.name, ErrNewer, table.what, schema, have, known[i])
		}
		done = done && have == known[i]
	}
	return done, nil
}

// alone holds an advisory lock of the session while do runs.
func (q *Queue) alone(ctx context.Context, do func() error) error {
	return q.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		if _, err := c.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(migrationLock)); err != nil {
			return err
		}
		err := do()
		_, bad := c.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(migrationLock))
		return errors.Join(err, bad)
	})
}
