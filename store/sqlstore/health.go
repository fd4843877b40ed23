package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/store"
)

// Health is what Examine finds out about a store.
type Health struct {
	Engine        string    // and its version
	File          string    // path of a SQLite file, empty for a database
	Tables, Known int64     // version of the tables, 0 for none, and the one this program works with
	Studies       int       // and what is in them, if Tables is Known
	Answers       int       //
	Newest        time.Time // of the last event in any study

	Journal string // SQLite's journal mode: "wal", unless the file comes from a backup
	Log     int64  // bytes in its write-ahead log

	Clock    time.Duration // of the server, less ours
	Doubt    time.Duration // how far Clock may be off
	Careless []string      // settings with which a server acknowledges what a crash can lose

	Writing error // why nothing can be written; nil if it can
	Damage  error // of the file itself; what is wrong with studies is in Checked

	Checked []Checked // every study, if Tables is Known
}

// Examine looks at a store and changes nothing, least of all the version of its tables. The error says why
// it could not be looked at; what is wrong with a store that could is in the Health.
func Examine(ctx context.Context, address string, o Options) (h Health, err error) {
	o.ReadOnly = true
	s, err := connect(ctx, address, o)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, h.Tables, h.Known, err = s.versions(ctx); err != nil {
		return h, err
	}
	err = s.patiently(ctx, func() error {
		h.Writing, h.Careless = nil, nil
		if err := s.engine.examine(ctx, s.db, s.writing, &h); err != nil {
			return err
		}
		h.Writing = s.explain(ctx, h.Writing)
		if errors.Is(h.Writing, store.ErrUnavailable) {
			return h.Writing // somebody else writes: try again
		}
		return nil
	})
	if errors.Is(err, store.ErrUnavailable) && h.Writing != nil {
		err = nil // it can be read, and that is what Health is for
	}
	if err != nil || h.Tables != h.Known {
		return h, err
	}
	h.Checked, h.Damage = s.checkEach(ctx)
	if h.Damage != nil && !errors.Is(h.Damage, store.ErrCorrupt) {
		return h, h.Damage
	}
	list, err := s.List(ctx)
	if err != nil && h.Damage == nil {
		return h, err
	}
	h.Studies = len(list)
	for _, i := range list {
		h.Answers += i.Answers
		if i.Changed.After(h.Newest) {
			h.Newest = i.Changed
		}
	}
	return h, nil
}

// tryWriting begins a change like those the program would make, and takes it back.
func tryWriting(ctx context.Context, db *sql.DB, begin string, h *Health) error {
	statement := "UPDATE prefer_studies SET last = last WHERE id = -1" // there is none: no row, and yet the right to it
	if h.Tables != h.Known {
		statement = "CREATE TABLE prefer_probe (x INTEGER)"
	}
	c := newSession(ctx, db)
	defer c.close()
	if c.exec(begin); c.err != nil {
		return c.err
	}
	c.exec(statement)
	_, back := c.ExecContext(ctx, "ROLLBACK") // SQLite may have done so itself after a failure
	return cmp.Or(c.err, back)
}

func (f sqliteFile) examine(ctx context.Context, db *sql.DB, writing string, h *Health) error {
	c := newSession(ctx, db)
	defer c.close()
	c.find([]any{&h.Engine}, "SELECT 'SQLite ' || sqlite_version()")
	c.find([]any{&h.Journal}, "PRAGMA journal_mode")
	if h.File = f.path; c.err != nil {
		return c.err
	}
	switch log, err := os.Stat(f.path + "-wal"); {
	case err == nil:
		h.Log = log.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	connector, err := f.connector("mode=rw")
	if err != nil {
		return err
	}
	writer := sql.OpenDB(connector)
	h.Writing = tryWriting(ctx, writer, writing, h)
	return writer.Close()
}

func (postgres) examine(ctx context.Context, db *sql.DB, writing string, h *Health) error {
	var off string
	err := db.QueryRowContext(ctx, `SELECT 'PostgreSQL ' || current_setting('server_version'),
			coalesce(string_agg(name, ' ' ORDER BY name), '')
		FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'`).Scan(&h.Engine, &off)
	if err != nil {
		return err
	}
	h.Careless = strings.Fields(off)
	// The server looked at its clock somewhere between the two moments; the middle is off by half the way at most.
	var theirs time.Time
	sent := time.Now()
	if err := db.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&theirs); err != nil {
		return err
	}
	h.Doubt = time.Since(sent) / 2
	h.Clock = theirs.Sub(sent.Add(h.Doubt).Round(0))
	h.Writing = tryWriting(ctx, db, writing, h)
	return nil
}

// String names the database to people, without its password.
func (s *Store) String() string { return s.engine.String() }

// Ready reports why a change could not be kept now; nil if it could. It makes the smallest change that there is, which
// nobody can see, so that a full disk, a standby and a file that must not be written show before somebody's answer does. While
// the database is away it waits as long as the context allows, and no longer than the store's patience.
func (s *Store) Ready(ctx context.Context) error {
	return s.write(ctx, func(c *session, _ bool) { s.engine.touch(c) })
}

// touch rewrites the first page: setting a number in it to itself does so, where an UPDATE of no row would write nothing.
func (sqliteFile) touch(c *session) {
	var version int
	c.find([]any{&version}, "PRAGMA user_version")
	c.exec(fmt.Sprintf("PRAGMA user_version = %d", version))
}

// touch takes the right to change a study, and a number for the transaction, by which COMMIT waits for the log on the disk.
func (postgres) touch(c *session) {
	c.exec("UPDATE prefer_studies SET last = last WHERE id = -1")
	c.exec("SELECT txid_current()")
}

// Checked is what a study's log was found to be.
type Checked struct {
	Study   string
	Edition int64
	Events  int
	Head    chain.Sum // of the chain of checksums
	Err     error     // what is wrong with it, which wraps ErrCorrupt or prefer.ErrNewer; nil if it is whole and replays
}

// Check reads everything and reports all that is damaged: the file itself, logs with events that are not as they were kept,
// logs that do not replay, columns that say something else than their event, a key that two answers of a rater share.
func (s *Store) Check(ctx context.Context) error {
	all, err := s.checkEach(ctx)
	for _, one := range all {
		err = errors.Join(err, one.Err)
	}
	return err
}

// checkEach does the same and tells of every study. The error says why a check could not be made, or what is damaged below the level of studies.
func (s *Store) checkEach(ctx context.Context) (all []Checked, err error) {
	below := s.patiently(ctx, func() error { return s.engine.check(ctx, s.db) })
	if below != nil && !errors.Is(below, store.ErrCorrupt) {
		return nil, below
	}
	list, err := s.List(ctx)
	if err != nil {
		return nil, errors.Join(below, err)
	}
	for _, i := range list {
		one, err := s.checkStudy(ctx, i.Name)
		switch {
		case errors.Is(err, store.ErrNoStudy): // deleted meanwhile
		case err != nil && !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, prefer.ErrNewer):
			return nil, err
		default:
			one.Err = err
			all = append(all, one)
		}
	}
	return all, below
}

func (s *Store) checkStudy(ctx context.Context, name string) (Checked, error) {
	l, err := s.load(ctx, name)
	one := Checked{name, l.edition, l.end.seq, l.end.chain, nil}
	if err != nil {
		return one, err
	}
	study, err := s.open(ctx, name, l)
	if err != nil {
		return one, err
	}
	if err := checkKeys(study.History()); err != nil {
		return one, s.unreadable(name, err)
	}
	return one, s.checkColumns(ctx, name, l, study.Events(0))
}

// checkColumns compares what is beside the bodies of events for queries. Nothing that a study is depends on it.
func (s *Store) checkColumns(ctx context.Context, name string, l log, events []prefer.Event) error {
	return s.read(ctx, func(c *session) {
		rows := collect(c, func(r *row) []any { return []any{&r.seq, &r.time, &r.kind, &r.rater, &r.key, (*checksum)(&r.chain)} },
			"SELECT seq, time, kind, rater, key, chain FROM prefer_events WHERE study = $1 ORDER BY seq LIMIT $2", l.id, len(events))
		for i, have := range rows {
			if have.chain != l.rows[i].chain {
				return // rewritten since it was read
			}
			want := index(events[i])
			if want.chain = have.chain; have != want {
				c.fail(s.unreadable(name, fmt.Errorf("the columns of event %d say %d, %q, its body %d, %q", i+1, have.seq, have.columns(), want.seq, want.columns())))
			}
		}
	})
}

func (r row) columns() []string { return []string{r.time, r.kind, r.rater, r.key} }

// checkKeys makes sure that no two answers of a rater that stand share a key.
func checkKeys(history []prefer.Entry) error {
	type keyed struct{ rater, key string }
	first := map[keyed]prefer.AnswerID{}
	for _, e := range history {
		k := keyed{e.Rater, e.Answer.Key}
		if e.Undone || k.key == "" {
			continue
		}
		if other, twice := first[k]; twice {
			return fmt.Errorf("event %d: answers %q and %q of rater %q share the key %q", e.Seq, other, e.ID, k.rater, k.key)
		}
		first[k] = e.ID
	}
	return nil
}
