package store

import (
	"context"
	"database/sql"
	"fmt"
)

// String names the database to people, without its password.
func (s *Store) String() string { return s.engine.String() }

// Ready reports why a change could not be kept now; nil if it could. It makes the smallest change that there is, which
// nobody can see, so that a full disk, a standby and a file that must not be written show before somebody's answer does. While
// the database is away it waits as long as the context allows, and no longer than the store's patience.
func (s *Store) Ready(ctx context.Context) error {
	return s.write(ctx, func(ctx context.Context, c *sql.Conn, _ bool) error { return s.engine.touch(ctx, c) })
}

// touch writes the first page anew: setting a number in it to itself does so, where an UPDATE of no row would write nothing.
func (sqliteFile) touch(ctx context.Context, c *sql.Conn) error {
	var version int
	if err := c.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	_, err := c.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

// touch takes the right to change a study, and a number for the transaction, by which COMMIT waits for the log on the disk.
func (postgres) touch(ctx context.Context, c *sql.Conn) error {
	if _, err := c.ExecContext(ctx, "UPDATE prefer_studies SET last = last WHERE id = -1"); err != nil {
		return err
	}
	_, err := c.ExecContext(ctx, "SELECT txid_current()")
	return err
}
