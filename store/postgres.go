package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// postgres is the engine of a store in a PostgreSQL database. Its tables are in the first schema of the
// role's search_path.
type postgres struct{ name string }

func (p postgres) String() string { return p.name }

func (postgres) migrations() (string, goose.Dialect, []goose.ProviderOption, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(applicationID), lock.WithLockTimeout(1, 60))
	if err != nil {
		return "", "", nil, err
	}
	return "postgres", goose.DialectPostgres, []goose.ProviderOption{goose.WithSessionLocker(locker)}, nil
}

func (postgres) hasTable() string { return "SELECT to_regclass($1) IS NOT NULL" }
func (postgres) reading() string  { return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" }
func (postgres) writing() string  { return "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE" }
func (postgres) forShare() string { return "FOR SHARE" }
func (postgres) lazy() string     { return "SET LOCAL synchronous_commit = off" }

// explain goes by the codes of https://www.postgresql.org/docs/current/errcodes-appendix.html. An error
// that is not the server's is the connection's.
func (postgres) explain(err error) error {
	var e *pgconn.PgError
	var parse *pgconn.ParseConfigError
	switch {
	case errors.As(err, &parse):
		return nil
	case !errors.As(err, &e):
		return ErrUnavailable
	}
	switch {
	case e.Code == "25006" || e.Code == "42501": // read-only transaction, insufficient privilege
		return ErrReadOnly
	case e.Code == "53100": // disk full
		return ErrFull
	case e.Code == "XX001" || e.Code == "XX002", // data or index corrupted
		strings.HasPrefix(e.Code, "23"): // a constraint: rows that nothing here could have written are in the way
		return ErrCorrupt
	case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "53"), strings.HasPrefix(e.Code, "57P"),
		e.Code == "40001", e.Code == "40P01", e.Code == "55P03": // connection, resources, shutdown; serialisation, deadlock, lock
		return ErrUnavailable
	}
	return nil
}

// scrub writes the tables anew. What the server's own log and its archives hold is out of reach.
func (postgres) scrub(ctx context.Context, db *sql.DB) error {
	for _, table := range []string{"prefer_events", "prefer_snapshots", "prefer_notes", "prefer_ahead"} {
		if _, err := db.ExecContext(ctx, "VACUUM (FULL) "+table); err != nil {
			return err
		}
	}
	return nil
}

// check has nothing to do: the server keeps checks of its own (data_checksums, pg_amcheck).
func (postgres) check(context.Context, *sql.DB) error { return nil }

func (s *Store) openPostgres(ctx context.Context, address string) error {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return fmt.Errorf("store: %w", err) // pgx leaves the password out
	}
	if s.readOnly {
		config.RuntimeParams["default_transaction_read_only"] = "on"
	}
	config.RuntimeParams["lock_timeout"] = fmt.Sprint(max(1, s.patience.Milliseconds())) // 0 would be forever
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = s.patience
	}
	s.engine = postgres{fmt.Sprintf("PostgreSQL database %q at %s", config.Database, config.Host)}
	s.db = stdlib.OpenDB(*config)
	s.leases = newLeases(config)
	s.db.SetMaxOpenConns(maxConnections)
	s.db.SetMaxIdleConns(maxConnections)
	var encoding string
	if err := s.db.QueryRowContext(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("store: %s: its encoding is %s, want UTF8: create the database with ENCODING 'UTF8'", s.engine, encoding)
	}
	if !s.readOnly {
		s.notifier = newNotifier(s)
	}
	return nil
}
