package store

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
)

// engine is what SQLite and PostgreSQL do not have in common. The tables and nearly all statements are the same for both.
type engine interface {
	// String names the database to people, without its password.
	String() string
	// migrations returns the folder of the migrations and how to run them.
	migrations() (folder string, dialect goose.Dialect, options []goose.ProviderOption, err error)
	// hasTable is a query that returns whether the table $1 exists.
	hasTable() string
	// reading and writing begin a transaction that sees one moment, and one that will change something.
	reading() string
	writing() string
	// forShare ends a query that keeps the rows it reads from changing before COMMIT.
	forShare() string
	// bytes is an expression for the bytes of one that is text. They are quicker to read.
	bytes(text string) string
	// lazy is a statement after which COMMIT does not wait for the disk; empty if there is none.
	lazy() string
	// explain returns the Err value that an error of the driver stands for, nil if it stands for none.
	explain(err error) error
	// stale reports whether an error is that of a connection to a server which takes no changes, while another one may.
	stale(err error) bool
	// touch makes a change that nobody can see and that must reach the disk.
	touch(ctx context.Context, c *sql.Conn) error
	// scrub overwrites what deleted and replaced rows have left behind in the database.
	scrub(ctx context.Context, db *sql.DB) error
	// check looks for damage below the level of tables.
	check(ctx context.Context, db *sql.DB) error
	// examine fills in what a Health says of the engine, whose Tables and Known are there. It changes nothing.
	examine(ctx context.Context, db *sql.DB, h *Health) error
}
