package sqlstore

import (
	"cmp"
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
func (s *Store) read(ctx context.Context, do func(*session)) error {
	return s.patiently(ctx, func() error {
		_, err := s.transaction(ctx, s.reading, do)
		return err
	})
}

// write runs do in a transaction that changes the store, all or nothing. do runs again if the database went
// away; doubt then tells it that an earlier run may have been kept: what do would write can be there already.
func (s *Store) write(ctx context.Context, do func(c *session, doubt bool)) error {
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
		d, err := s.transaction(ctx, s.writing, func(c *session) { do(c, doubt) })
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
func (s *Store) transaction(ctx context.Context, begin string, do func(*session)) (doubt bool, err error) {
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
		on := &session{ctx, c, nil}
		do(on)
		err = cmp.Or(on.err, ctx.Err())
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

// session runs statements on one connection. After one has failed it runs no more, and err says why.
type session struct {
	ctx context.Context
	*sql.Conn
	err error
}

// newSession takes a connection from the pool; close gives it back.
func newSession(ctx context.Context, db *sql.DB) *session {
	c, err := db.Conn(ctx)
	return &session{ctx, c, err}
}

func (c *session) close() {
	if c.Conn != nil {
		c.Conn.Close()
	}
}

// fail has the session end with an error, unless a statement has failed: what its caller concludes after that says nothing.
func (c *session) fail(err error) { c.err = cmp.Or(c.err, err) }

// exec runs a statement, and returns how many rows it changed.
func (c *session) exec(statement string, args ...any) (rows int64) {
	if c.err == nil {
		var result sql.Result
		if result, c.err = c.ExecContext(c.ctx, statement, args...); c.err == nil {
			rows, c.err = result.RowsAffected()
		}
	}
	return rows
}

// find reads the one row of a query, and reports whether there is one.
func (c *session) find(into []any, query string, args ...any) bool {
	if c.err != nil {
		return false
	}
	err := c.QueryRowContext(c.ctx, query, args...).Scan(into...)
	if !errors.Is(err, sql.ErrNoRows) {
		c.err = err
	}
	return err == nil
}

// collect reads all rows of a query; columns says where those of a row go.
func collect[T any](c *session, columns func(*T) []any, query string, args ...any) (all []T) {
	if c.err != nil {
		return nil
	}
	rows, err := c.QueryContext(c.ctx, query, args...)
	if c.err = err; err != nil {
		return nil
	}
	defer rows.Close()
	var one T
	into := columns(&one)
	for rows.Next() {
		if err := rows.Scan(into...); err != nil { // a number where text should be, or nothing at all
			c.err = fmt.Errorf("%w: a row cannot be read: %w: %s", store.ErrCorrupt, err, advice[store.ErrCorrupt])
			return nil
		}
		all = append(all, one)
	}
	c.err = rows.Err()
	return all
}

func (c *session) texts(query string, args ...any) []string {
	return collect(c, func(text *string) []any { return []any{text} }, query, args...)
}

// exec runs one statement in a transaction of its own, and returns how many rows it changed. It must be one that may run twice.
func (s *Store) exec(ctx context.Context, statement string, args ...any) (rows int64, err error) {
	err = s.write(ctx, func(c *session, _ bool) { rows = c.exec(statement, args...) })
	return rows, err
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

// Times returns how long the database took so far: "connection" until there was one, "read" and "write" for whole
// transactions, the wait for a connection included, and "commit" for the end of those.
func (s *Store) Times() map[string]*histogram.Histogram {
	t := &s.times
	return map[string]*histogram.Histogram{"connection": &t.connections, "read": &t.reads, "write": &t.writes, "commit": &t.commits}
}

// Pool tells how many connections there are and how often all were in use.
func (s *Store) Pool() sql.DBStats { return s.db.Stats() }
