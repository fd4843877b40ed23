package queue

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrUnavailable is wrapped by errors that say the database cannot be reached, or was lost on the way.
var ErrUnavailable = errors.New("the queue cannot be reached")

// ErrNewer is wrapped by errors that say the tables were made by a newer version of this program.
var ErrNewer = errors.New("the queue is newer than this program")

// away reports whether an error is the connection's, or the server's state, rather than the statement's. The
// codes are those of https://www.postgresql.org/docs/current/errcodes-appendix.html.
func away(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		var parse *pgconn.ParseConfigError
		var dial *pgconn.ConnectError
		return !errors.As(err, &parse) && (errors.As(err, &dial) || pgconn.Timeout(err) || pgconn.SafeToRetry(err) || broken(err))
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

// broken reports whether an error is that of a connection that ended under a statement.
func broken(err error) bool {
	ends := []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE}
	var n net.Error
	return errors.As(err, &n) || slices.ContainsFunc(ends, func(e error) bool { return errors.Is(err, e) })
}
