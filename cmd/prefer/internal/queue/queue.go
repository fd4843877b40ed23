package queue

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
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

func connect(ctx context.Context, address string) (*Queue, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("queue: %w, want an address like postgres://user@host/database", err) // pgx leaves the password out
	}
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, patience)
	config.ConnConfig.RuntimeParams["application_name"] = cmp.Or(config.ConnConfig.RuntimeParams["application_name"], "prefer queue")
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

//go:embed queries
var queries embed.FS

// query returns the statement in a file; {counted} and {error} stand in it for what is in the files of these names: the jobs of River's in each of the
// states that a progress has, and what went wrong with one at its last attempt.
func query(name string) string {
	text, err := queries.ReadFile("queries/" + name + ".sql")
	if err != nil {
		panic(err) // it is in the program
	}
	return placeholder.ReplaceAllStringFunc(string(text), func(part string) string { return query(strings.Trim(part, "{}")) })
}

var placeholder = regexp.MustCompile(`{[a-z]+}`)

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

// ErrUnavailable is wrapped by errors that say the database cannot be reached, or was lost on the way.
var ErrUnavailable = errors.New("the queue cannot be reached")

// ErrNewer is wrapped by errors that say the tables were made by a newer version of this program.
var ErrNewer = errors.New("the queue is newer than this program")

// away reports whether an error is the connection's, or the server's state, rather than the statement's. The
// codes are those of https://www.postgresql.org/docs/current/errcodes-appendix.html.
func away(err error) bool {
	e, server := errors.AsType[*pgconn.PgError](err)
	if !server {
		if _, wrong := errors.AsType[*pgconn.ParseConfigError](err); wrong {
			return false
		}
		_, dial := errors.AsType[*pgconn.ConnectError](err)
		_, lost := errors.AsType[net.Error](err)
		ends := []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE} // of a connection under a statement
		return dial || lost || pgconn.Timeout(err) || pgconn.SafeToRetry(err) || slices.ContainsFunc(ends, func(e error) bool { return errors.Is(err, e) })
	}
	classes := []string{"08", "53", "40", "57P", "55P03"} // connection, resources, serialisation, shutdown, lock
	return slices.ContainsFunc(classes, func(class string) bool { return strings.HasPrefix(e.Code, class) })
}

func (q *Queue) explain(err error) error {
	if err == nil || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrNewer) {
		return err
	}
	if away(err) {
		return fmt.Errorf("queue: %s: %w (%w): see that the database runs and can be reached, then try again", q.name, ErrUnavailable, err)
	}
	return fmt.Errorf("queue: %s: %w", q.name, err)
}
