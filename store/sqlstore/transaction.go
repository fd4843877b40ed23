package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer/internal/histogram"
	"github.com/prefer-bo/prefer/store"
)

// read runs do in a transaction that sees the store at one moment, again if the database went away.
func (s *Store) read(ctx context.Context, do func(context.Context, *sql.Conn) error) error {
	return s.patiently(ctx, func() error {
		_, err := s.transaction(ctx, s.reading, do)
		return err
	})
}

// write runs do in a transaction that changes the store, all or nothing. do runs again if the database went
// away; doubt then tells it that an earlier run may have been kept: what do would write can be there already.
func (s *Store) write(ctx context.Context, do func(ctx context.Context, c *sql.Conn, doubt bool) error) error {
	if s.readOnly {
		return fmt.Errorf("store: %s: %w: open it without ReadOnly, and see that its file and folder may be written", s.engine, store.ErrReadOnly)
	}
	doubt := false
	err := s.patiently(ctx, func() error {
		if s.writers != nil {
			select {
			case s.writers <- struct{}{}:
				defer func() { <-s.writers }()
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		d, err := s.transaction(ctx, s.writing, func(ctx context.Context, c *sql.Conn) error { return do(ctx, c, doubt) })
		doubt = doubt || d
		return err
	})
	if err != nil && doubt {
		return fmt.Errorf("%w; it is not known whether the last change was kept: open the study again", err)
	}
	return err
}

// maxTransaction is how long the work of one transaction may take, and then its COMMIT. On PostgreSQL each statement has less, see silence.
const maxTransaction = time.Minute

// transaction runs do on one connection between begin and COMMIT. doubt is set if COMMIT was sent and its outcome did not come back. The context can stop do,
// but neither COMMIT nor ROLLBACK: a caller who leaves at that moment would never learn what became of them.
func (s *Store) transaction(ctx context.Context, begin string, do func(context.Context, *sql.Conn) error) (doubt bool, err error) {
	limit := func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, maxTransaction)
	}
	if ctx.Value(patientKey{}) != nil {
		limit = context.WithCancel
	}
	ctx, stop := limit(ctx)
	defer stop()
	if begin == s.reading {
		defer s.times.reads.Since(time.Now())
	} else {
		defer s.times.writes.Since(time.Now())
	}
	c, err := s.conn(ctx)
	if err != nil {
		return false, err
	}
	defer c.Close()
	if _, err = c.ExecContext(ctx, begin); err == nil {
		if err = do(ctx, c); err == nil {
			err = ctx.Err()
		}
	}
	end, cancel := limit(context.WithoutCancel(ctx))
	defer cancel()
	sent := err == nil
	if sent {
		start := time.Now()
		_, err = c.ExecContext(end, "COMMIT")
		s.times.commits.Since(start)
		if err == nil {
			err = s.file.check() // kept, but perhaps where nobody will find it
			return err != nil, err
		}
	}
	brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxTransaction)
	defer cancel()
	_, back := c.ExecContext(brief, "ROLLBACK")
	if back != nil {
		// Had it worked, the transaction was still open or was refused, and in either case not kept. On a full disk SQLite
		// has taken it back itself: there is no commit in its log before the last page is.
		doubt = sent && s.engine.explain(err) != store.ErrFull
	}
	if back != nil || stale(err) {
		_ = c.Raw(func(any) error { return driver.ErrBadConn }) // its state is unknown, or it is of no use: the pool must not hand it on
	}
	return doubt, err
}

// collect reads all rows of a query; columns says where those of a row go.
func collect[T any](ctx context.Context, c *sql.Conn, columns func(*T) []any, query string, args ...any) (all []T, err error) {
	rows, err := c.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var one T
	into := columns(&one)
	for rows.Next() {
		if err := rows.Scan(into...); err != nil { // a number where text should be, or nothing at all
			return nil, fmt.Errorf("%w: a row cannot be read: %w: %s", store.ErrCorrupt, err, advice[store.ErrCorrupt])
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

func texts(ctx context.Context, c *sql.Conn, query string, args ...any) ([]string, error) {
	return collect(ctx, c, func(text *string) []any { return []any{text} }, query, args...)
}

// findRow reads the one row of a query, and reports whether there is one.
func findRow(ctx context.Context, c *sql.Conn, into []any, query string, args ...any) (found bool, err error) {
	err = c.QueryRowContext(ctx, query, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// exec runs one statement in a transaction of its own, and returns how many rows it changed. It must be one that may run twice.
func (s *Store) exec(ctx context.Context, statement string, args ...any) (rows int64, err error) {
	err = s.write(ctx, func(ctx context.Context, c *sql.Conn, _ bool) (err error) {
		rows, err = change(ctx, c, statement, args...)
		return err
	})
	return rows, err
}

func change(ctx context.Context, c *sql.Conn, statement string, args ...any) (int64, error) {
	result, err := c.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// conn takes a connection from the pool. The wait for one that is free, for a sign of life from one that was idle and for a new one ends together.
func (s *Store) conn(ctx context.Context) (*sql.Conn, error) {
	defer s.times.connections.Since(time.Now())
	if s.file == nil {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, s.patience)
		defer stop()
	}
	return s.db.Conn(ctx)
}

// times are how long the database takes.
type times struct{ connections, reads, writes, commits histogram.Histogram }

// Times returns how long the database took so far: "connection" until there was one, "read" and "write" for whole
// transactions, the wait for a connection included, and "commit" for the end of those.
func (s *Store) Times() map[string]*histogram.Histogram {
	t := &s.times
	return map[string]*histogram.Histogram{"connection": &t.connections, "read": &t.reads, "write": &t.writes, "commit": &t.commits}
}

// Pool tells how many connections there are and how often all were in use.
func (s *Store) Pool() sql.DBStats { return s.db.Stats() }
