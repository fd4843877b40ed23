package queue

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
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

// tables are what makes River's tables and ours.
type tables struct {
	rivers *rivermigrate.Migrator[pgx.Tx]
	ours   *goose.Provider
	known  edition // by this program
}

// edition is a version of River's tables and one of ours, 0 where there are none.
type edition struct{ river, own int64 }

func (q *Queue) tables() (t tables, closes func() error, err error) {
	t.rivers, err = rivermigrate.New(riverpgxv5.New(q.pool), &rivermigrate.Config{Schema: schema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return t, nil, err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return t, nil, err
	}
	db := stdlib.OpenDBFromPool(q.pool)
	t.ours, err = goose.NewProvider(goose.DialectPostgres, db, files, goose.WithTableName(versions),
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return t, nil, errors.Join(err, db.Close())
	}
	all, sources := t.rivers.AllVersions(), t.ours.ListSources()
	t.known = edition{int64(all[len(all)-1].Version), sources[len(sources)-1].Version}
	return t, db.Close, nil
}

// migrate brings River's tables and ours up to date, one process at a time. Tables of a newer version are refused untouched.
func (q *Queue) migrate(ctx context.Context) error {
	t, closes, err := q.tables()
	if err != nil {
		return err
	}
	defer closes()
	// Without the lock another process may be seen half-way, with tables that are about to change: such an error counts for nothing.
	if have, err := q.edition(ctx, t.known); errors.Is(err, ErrNewer) || err == nil && have == t.known {
		return err
	}
	return q.alone(ctx, func() error {
		if have, err := q.edition(ctx, t.known); err != nil || have == t.known { // while we waited
			return err
		}
		if _, err := q.pool.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+schema); err != nil {
			return err
		}
		if _, err := t.rivers.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("the tables of River were not made: %w", err)
		}
		_, err := t.ours.Up(ctx)
		return err
	})
}

// edition looks which tables there are, and refuses those that are newer than what is known.
func (q *Queue) edition(ctx context.Context, known edition) (have edition, err error) {
	for _, table := range []struct {
		name, query, what string
		have              *int64
		known             int64
	}{
		{schema + ".river_migration", "SELECT coalesce(max(version), 0) FROM " + schema + ".river_migration", "River's tables", &have.river, known.river},
		{versions, "SELECT coalesce(max(version_id), 0) FROM " + versions, "tables", &have.own, known.own},
	} {
		var there bool
		if err := q.pool.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", table.name).Scan(&there); err != nil {
			return have, err
		}
		if there {
			if err := q.pool.QueryRow(ctx, table.query).Scan(table.have); err != nil {
				return have, err
			}
		}
		if *table.have > table.known {
			return have, fmt.Errorf("queue: %s: %w: %s in schema %s have version %d, this program knows %d; use a newer prefer",
				q.name, ErrNewer, table.what, schema, *table.have, table.known)
		}
	}
	return have, nil
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
