package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/prefer-bo/prefer/store"
	"github.com/pressly/goose/v3"
)

// postgres is the engine of a store in a PostgreSQL database. Its tables are in the first schema of the role's search_path.
type postgres struct {
	name     string
	patience time.Duration
	looking  bool // it was opened with ReadOnly
}

func (p postgres) String() string { return p.name }

// milliseconds is a setting of a time; 0 would be for ever.
func milliseconds(d time.Duration) string { return fmt.Sprint(max(1, d.Milliseconds())) }

// explain goes by the codes of https://www.postgresql.org/docs/current/errcodes-appendix.html. An error that is not the server's is the connection's.
func (p postgres) explain(err error) error {
	e, server := errors.AsType[*pgconn.PgError](err)
	_, address := errors.AsType[*pgconn.ParseConfigError](err)
	switch {
	case address:
		return nil
	case !server:
		return store.ErrUnavailable
	case e.Code == "42501" || p.looking && readOnly(e): // insufficient privilege
		return store.ErrReadOnly
	case readOnly(e): // a standby, or a primary that was one: there may be another primary by now
		return store.ErrUnavailable
	case e.Code == "53100": // disk full
		return store.ErrFull
	case e.Code == "XX001" || e.Code == "XX002", // data or index corrupted
		strings.HasPrefix(e.Code, "23"): // a constraint: rows that nothing here could have written are in the way
		return store.ErrCorrupt
	case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "53"), strings.HasPrefix(e.Code, "57P"),
		e.Code == "40001", e.Code == "40P01", e.Code == "55P03", // connection, resources, shutdown; serialisation, deadlock, lock
		e.Code == "25P03", e.Code == "57014": // idle in a transaction, or at a statement, for too long
		return store.ErrUnavailable
	}
	return nil
}

// readOnly reports whether a server takes no changes from anybody: a read-only transaction, and what a standby says to READ WRITE.
func readOnly(e *pgconn.PgError) bool { return e.Code == "25006" || e.Code == "0A000" }

// stale reports whether an error is that of a connection to a server which takes no changes, while another one may.
func stale(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && readOnly(e)
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
	config.Tracer = silence{s.patience}
	config.DialFunc = quietly(config.DialFunc)
	// The server bounds its own waits. A client that is frozen in the middle of a transaction holds the row of a study: it is put out before those who wait for
	// the row lose their patience, and they hear so before they give up the connection. A client whose machine is gone is noticed after 20 seconds.
	for name, value := range map[string]string{
		"idle_in_transaction_session_timeout": milliseconds(s.patience / 2), "lock_timeout": milliseconds(s.patience * 3 / 4),
		"tcp_keepalives_idle": "5", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3", "tcp_user_timeout": "20000",
	} {
		if _, chosen := config.RuntimeParams[name]; !chosen {
			config.RuntimeParams[name] = value
		}
	}
	if config.ConnectTimeout == 0 { // for one host: when the first one is silent there is to be time for the others
		config.ConnectTimeout = s.patience / time.Duration(2+len(config.Fallbacks))
	}
	s.engine = postgres{fmt.Sprintf("PostgreSQL database %q at %s", config.Database, config.Host), s.patience, s.readOnly}
	limit := "; SET LOCAL statement_timeout = " + milliseconds(s.patience) // in one message, so one round trip: the server ends by itself what nobody waits for any more
	s.dialect = dialect{folder: "migrations/postgres", goose: goose.DialectPostgres, hasTable: "SELECT to_regclass($1) IS NOT NULL", forShare: "FOR SHARE", lazy: "SET LOCAL synchronous_commit = off",
		reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" + limit, writing: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE" + limit, body: "convert_to(body, 'UTF8')"}
	s.db = stdlib.OpenDB(*config)
	s.leases = newLeases(config, s.patience)
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
		s.notifier = newNotifier(s, config)
	}
	return nil
}

// silence bounds how long PostgreSQL may say nothing. A server that is frozen, or behind a network that loses every
// packet, neither answers nor hangs up: a statement without a reply after limit is given up, and its connection with it.
// pgx calls the methods at the beginning and at the end of each statement and works with the context they return.
type silence struct{ limit time.Duration }

type (
	stopKey    struct{} // of what ends the time of a statement
	patientKey struct{} // of statements that take as long as they take
	connectKey struct{} // of dialling for a connection
)

// patient marks statements that may take long: those that rewrite tables.
func patient(ctx context.Context) context.Context { return context.WithValue(ctx, patientKey{}, true) }

func (s silence) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	if ctx.Value(patientKey{}) != nil {
		return ctx
	}
	ctx, stop := context.WithTimeout(ctx, s.limit)
	return context.WithValue(ctx, stopKey{}, stop)
}

func (silence) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if stop, ok := ctx.Value(stopKey{}).(context.CancelFunc); ok {
		stop()
	}
}

func (silence) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	return context.WithValue(ctx, connectKey{}, true)
}

func (silence) TraceConnectEnd(context.Context, pgx.TraceConnectEndData) {}

// errNoCancel is what pgx hears when it wants to have a statement cancelled.
var errNoCancel = errors.New("store: statements are not cancelled")

// quietly dials for connections and for nothing else. When pgx gives a connection up it dials once more to have the statement cancelled. A COMMIT that waits
// for a synchronous standby must not be: PostgreSQL then stops waiting and keeps the change here alone, where the next attempt would find it and acknowledge
// what a failover loses. What runs on for nobody ends with statement_timeout.
func quietly(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if ctx.Value(connectKey{}) == nil {
			return nil, errNoCancel
		}
		return dial(ctx, network, address)
	}
}
