package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/internal/histogram"
	"github.com/prefer-bo/prefer/store"
	"github.com/pressly/goose/v3"
	"github.com/sethvargo/go-retry"
)

// Store keeps studies in one database. All methods are safe for concurrent use, also by several processes.
type Store struct {
	db     *sql.DB
	engine engine
	dialect
	writers  chan struct{} // held by the one writer, where an engine has only one; nil otherwise
	file     *file         // nil: there is none, but a database
	readOnly bool
	patience time.Duration
	now      func() time.Time
	choosers map[string]acquisition.Method
	build    string
	files    fs.FS // the migrations, a folder for each engine
	closed   atomic.Bool
	leases   *leases
	notifier *notifier                                                         // nil: nobody can be told
	times    struct{ connections, reads, writes, commits histogram.Histogram } // how long the database takes
	counts   sync.Map                                                          // counted by the id of the study
}

// Options says how a store is opened. The zero value is what nearly everyone wants.
type Options struct {
	// ReadOnly opens a store for looking: every change is refused with ErrReadOnly, and the store must exist.
	ReadOnly bool

	// Now tells the time for the logs of studies. Defaults to time.Now.
	Now func() time.Time

	// Patience is how long a call waits for a database that is restarting, locked or silent before it gives up with ErrUnavailable; one that is lost in the
	// middle of the wait may double it. Defaults to 10 seconds; a context may end the wait sooner, but not that for a COMMIT.
	Patience time.Duration

	// Choosers are methods of one's own, by the names that studies give them (prefer.Config.Method). A study whose method
	// is not among them can be looked at and told, but not asked.
	Choosers map[string]acquisition.Method

	tables fs.FS // the migrations; defaults to those of this program
}

// maxConnections bounds the connections of one store. Reading is short and writing is serial.
const maxConnections = 8

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// Open opens, and creates if need be, a store: a path or a file: URL is SQLite, postgres:// or postgresql:// is PostgreSQL.
func Open(ctx context.Context, address string, o Options) (*Store, error) {
	s, err := connect(ctx, address, o)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(s.explain(ctx, err), s.Close())
	}
	return s, nil
}

func connect(ctx context.Context, address string, o Options) (*Store, error) {
	s := &Store{readOnly: o.ReadOnly, patience: cmp.Or(o.Patience, 10*time.Second), now: o.Now, choosers: o.Choosers, build: Build(),
		files: cmp.Or[fs.FS](o.tables, migrations)}
	if s.now == nil {
		s.now = time.Now
	}
	var err error
	switch {
	case strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://"):
		err = s.openPostgres(ctx, address)
	case scheme.MatchString(address) && !strings.HasPrefix(address, "file://"):
		err = fmt.Errorf("store: %s… is not an address of a store: want a path, file:…, postgres://… or postgresql://…", scheme.FindString(address)) // the rest may be a password
	default:
		err = s.openSQLite(ctx, address)
	}
	if err != nil {
		if s.db == nil {
			return nil, errors.Join(err, s.file.close(nil))
		}
		return nil, errors.Join(s.explain(ctx, err), s.Close())
	}
	return s, nil
}

// Close closes the store. Studies opened from it can still be looked at, but not go on. If the file of the store was removed or replaced the error says so.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	if s.notifier != nil {
		s.notifier.close()
	}
	var err error
	if s.leases.session != nil {
		err = s.leases.session.Close()
	}
	return errors.Join(err, s.file.close(s.db))
}

// patiently runs try until it succeeds or fails for good. While the database is away or locked it waits
// and tries again, no longer than the store's patience or the context allows.
func (s *Store) patiently(ctx context.Context, try func() error) error {
	pauses := retry.WithMaxDuration(s.patience, retry.WithCappedDuration(200*time.Millisecond, retry.NewExponential(2*time.Millisecond)))
	var last error // what was waited for
	err := retry.Do(ctx, pauses, func(context.Context) error {
		if s.closed.Load() {
			return fmt.Errorf("store: %s: %w: Close was called; open it again", s.engine, store.ErrUnavailable)
		}
		if err := s.file.check(); err != nil {
			return err
		}
		err := s.explain(ctx, try())
		if errors.Is(err, store.ErrUnavailable) {
			last = err
			return retry.RetryableError(err)
		}
		return err
	})
	if err = s.explain(ctx, err); last != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		err = fmt.Errorf("%w, while waiting: %v", err, last) // to a caller it is still the end of the context
	}
	return err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// dialect is what statements of SQLite and PostgreSQL do not have in common. The tables and nearly all statements are the same for both.
type dialect struct {
	folder   string        // of the migrations
	goose    goose.Dialect // by which goose knows it
	hasTable string        // returns whether the table $1 exists
	reading  string        // begins a transaction that sees one moment
	writing  string        // begins one that will change something
	forShare string        // ends a query that keeps the rows it reads from changing before COMMIT
	body     string        // the bytes of the text body, which are quicker to read
	lazy     string        // after it COMMIT does not wait for the disk; empty if there is none
}

// engine is what else SQLite and PostgreSQL do not have in common.
type engine interface {
	// String names the database to people, without its password.
	String() string
	// explain returns the Err value that an error of the driver stands for, nil if it stands for none.
	explain(err error) error
	// touch makes a change that nobody can see and that must reach the disk.
	touch(c *session)
	// scrub overwrites what deleted and replaced rows have left behind in the database.
	scrub(ctx context.Context, db *sql.DB) error
	// check looks for damage below the level of tables.
	check(ctx context.Context, db *sql.DB) error
	// examine fills in what a Health says of the engine, whose Tables and Known are there. writing begins a change, which it takes back.
	examine(ctx context.Context, db *sql.DB, writing string, h *Health) error
}

// What the world can do to a store. Errors returned wrap one of these where a caller may want to tell them
// apart; their text says what to do. Most are those of package contract, which knows no database.
var (
	ErrForeign = errors.New("not a store of prefer")                // the file or database belongs to another program
	ErrNewer   = errors.New("the store is newer than this program") // a newer version of it has written its tables
)

// advice says what to do about each error an engine can cause.
var advice = map[error]string{
	store.ErrCorrupt:     "stop writing, copy the files, and restore a backup or see docs/dev/store.md",
	store.ErrReadOnly:    "check the permissions of the file and of its folder, or of the database role",
	store.ErrUnavailable: "see that the database runs, can be reached and is not locked by another program, then try again",
	store.ErrFull:        "make room and try again; what was kept is safe",
}

// explain says what an error of the engine means. Errors that are explained already, and those of a context, stay what they are.
func (s *Store) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	known := []error{prefer.ErrConflict, prefer.ErrNewer, ErrForeign, ErrNewer, store.ErrNoStudy, store.ErrExists, store.ErrName, store.ErrCorrupt,
		store.ErrReadOnly, store.ErrUnavailable, store.ErrFull, store.ErrReplaced}
	if slices.ContainsFunc(known, func(e error) bool { return errors.Is(err, e) }) {
		return err
	}
	if ctx.Err() != nil { // drivers report a cut call in many ways
		return fmt.Errorf("store: %s: %w", s.engine, context.Cause(ctx))
	}
	means := s.engine.explain(err)
	if errors.Is(err, context.DeadlineExceeded) { // not the caller's, but maxTransaction
		means = store.ErrUnavailable
	}
	if means != nil {
		return fmt.Errorf("store: %s: %w (%w): %s", s.engine, means, err, advice[means])
	}
	return err
}
