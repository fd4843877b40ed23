package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/store"
	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks a SQLite file as a store of prefer: "pref" in ASCII.
const applicationID = 0x70726566

// sqliteFile is the engine of a store in one file.
type sqliteFile struct{ path string }

func (f sqliteFile) String() string { return f.path }

func (f sqliteFile) explain(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return nil
	}
	if e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // the file beside it that processes share could not grow
		return store.ErrFull
	}
	switch e.Code() & 0xff { // the upper bits say more, and nothing that matters here
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_INTERRUPT:
		return store.ErrUnavailable
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return store.ErrReadOnly
	case sqlite3.SQLITE_FULL:
		return store.ErrFull
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB,
		sqlite3.SQLITE_CONSTRAINT: // rows that nothing here could have written are in the way
		return store.ErrCorrupt
	}
	return nil
}

// scrub empties the write-ahead log, which holds pages as they were, and rewrites the file.
func (f sqliteFile) scrub(ctx context.Context, db *sql.DB) error {
	c := newSession(ctx, db)
	defer c.close()
	f.emptyLog(c)
	c.exec("VACUUM")
	f.emptyLog(c)
	return c.err
}

func (f sqliteFile) emptyLog(c *session) {
	var busy, pages, moved int
	if c.find([]any{&busy, &pages, &moved}, "PRAGMA wal_checkpoint(TRUNCATE)"); busy != 0 {
		c.err = fmt.Errorf("store: %s-wal: %w: another process is reading it, and it still holds what was removed", f.path, store.ErrUnavailable)
	}
}

func (f sqliteFile) check(ctx context.Context, db *sql.DB) error {
	c := newSession(ctx, db)
	defer c.close()
	problems := c.texts("PRAGMA integrity_check(10)") // or "ok"
	if c.err != nil || slices.Equal(problems, []string{"ok"}) {
		return c.err
	}
	return fmt.Errorf("store: %s: %w: %s: %s", f.path, store.ErrCorrupt, strings.Join(problems, "; "), advice[store.ErrCorrupt])
}

// openSQLite opens a file, or creates it, and makes sure that it is a store before anything in it is
// changed. A file that cannot be written is opened for looking.
func (s *Store) openSQLite(ctx context.Context, address string) error {
	path, err := sqlitePath(address)
	if err != nil {
		return err
	}
	s.engine, s.writers, s.leases = sqliteFile{path}, make(chan struct{}, 1), newLeases(nil, 0)
	s.dialect = dialect{folder: "migrations/sqlite", goose: goose.DialectSQLite3, hasTable: "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = $1",
		reading: "BEGIN", writing: "BEGIN IMMEDIATE", body: "CAST(body AS BLOB)"}
	there, err := looksLikeSQLite(path)
	if err != nil {
		return err
	}
	if !there && s.readOnly {
		return fmt.Errorf("store: %s: there is no store to be read: %w", path, fs.ErrNotExist)
	}
	if !there { // what people said is nobody else's business; SQLite gives the files beside it the same rights
		if f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			if err := f.Close(); err != nil {
				return fmt.Errorf("store: %w", err)
			}
		}
	}
	s.file = &file{path: path}
	if s.file.held, err = holdFile(path); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	modes := []string{"mode=ro", "immutable=1"} // the latter for a folder in which not even a lock can be put
	if !s.readOnly {
		modes = append([]string{"mode=rwc"}, modes...)
	}
	for _, mode := range modes {
		if mode == "immutable=1" {
			if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 {
				break // answers are in there that an immutable view would not show
			}
		}
		s.readOnly = mode != "mode=rwc"
		if err = s.connectSQLite(ctx, path, mode); err == nil {
			return nil
		}
		e, ok := errors.AsType[*sqlite.Error](err)
		if !there || !ok || !(e.Code()&0xff == sqlite3.SQLITE_CANTOPEN || e.Code()&0xff == sqlite3.SQLITE_READONLY) {
			break
		}
	}
	return err
}

func (s *Store) connectSQLite(ctx context.Context, path, mode string) error {
	if s.db != nil {
		if err := s.db.Close(); err != nil {
			return err
		}
	}
	query := mode + "&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&_pragma=synchronous(FULL)"
	if s.readOnly {
		query += "&_pragma=query_only(1)"
	}
	connector, err := sqliteFile{path}.connector(query)
	if err != nil {
		return err
	}
	s.db = sql.OpenDB(checked{connector, s.file})
	s.db.SetMaxOpenConns(maxConnections + 1) // and the one that keeps the log open
	return s.patiently(ctx, func() error { return s.claim(ctx, path) })
}

// connector makes connections with a short busy_timeout: it does not see a context, patiently does.
func (f sqliteFile) connector(query string) (driver.Connector, error) {
	file := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(f.path), "/")} // C:\x is /C:/x in a URL
	return sqlite.NewConnector(file.String() + "?" + query + "&_pragma=busy_timeout(100)")
}

// claim makes sure that a file is a store, and an empty one becomes one.
func (s *Store) claim(ctx context.Context, path string) error {
	c := newSession(ctx, s.db)
	keep := false
	defer func() {
		if !keep {
			c.close()
		}
	}()
	var id, tables int // the mark is made before the tables: looked at in this order, a store that is being made is none of another program's
	c.find([]any{&tables}, "SELECT count(*) FROM sqlite_master")
	c.find([]any{&id}, "PRAGMA application_id")
	if c.err != nil {
		return c.err
	}
	if id != applicationID && (id != 0 || tables > 0 || s.readOnly) {
		return fmt.Errorf("store: %s: %w: it is a SQLite file of another program (application_id %#x, %d tables); choose another path", path, ErrForeign, id, tables)
	}
	if s.readOnly {
		return s.file.watch(nil)
	}
	if id == 0 {
		c.mark()
	}
	c.exec("PRAGMA journal_mode = WAL")
	c.find([]any{&tables}, "SELECT count(*) FROM sqlite_master") // from here on there is a log
	if c.err == nil {
		c.err = s.file.watch(c.Conn)
	}
	keep = c.err == nil
	return c.err
}

// mark makes an empty file a store, with a number of its own. There is no write-ahead log yet, so both are in the file itself.
func (c *session) mark() {
	if c.exec("BEGIN IMMEDIATE"); c.err != nil {
		return
	}
	var id int
	if c.find([]any{&id}, "PRAGMA application_id"); id == 0 { // and not made by another process meanwhile
		c.exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, ownNumber()))
	}
	if c.exec("COMMIT"); c.err != nil {
		_, _ = c.ExecContext(c.ctx, "ROLLBACK")
	}
}

func sqlitePath(address string) (string, error) {
	path := address
	if strings.HasPrefix(address, "file:") {
		u, err := url.Parse(address)
		if err != nil || u.RawQuery != "" || u.Fragment != "" || u.Host != "" && u.Host != "localhost" {
			return "", fmt.Errorf("store: %q: want file:PATH or file:///PATH without a host, '?' or '#'", address)
		}
		if path = u.Path; u.Opaque != "" {
			if path, err = url.PathUnescape(u.Opaque); err != nil {
				return "", fmt.Errorf("store: %q: %w", address, err)
			}
		}
	}
	if path == "" || path == ":memory:" || strings.ContainsRune(path, 0) {
		return "", fmt.Errorf("store: %q is not a path: a store lives in a file; a study without a store lives in memory", address)
	}
	return filepath.Abs(path)
}

// looksLikeSQLite reports whether there is a file, and refuses one that SQLite would not have written.
func looksLikeSQLite(path string) (there bool, err error) {
	for _, beside := range []string{"-wal", "-shm", "-journal"} {
		if name, ok := strings.CutSuffix(path, beside); ok {
			if there, err := looksLikeSQLite(name); there && err == nil {
				return false, fmt.Errorf("store: %s: %w: SQLite keeps a part of %s under this name, and would write over it; choose another path", path, ErrForeign, name)
			}
		}
	}
	f, err := holdFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return false, fmt.Errorf("store: %s: its folder cannot be used: %w; create it first", path, err)
		}
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("store: %w", err)
	}
	defer f.release()
	if f.info.IsDir() {
		return false, fmt.Errorf("store: %s is a folder: want the path of a file, for example %s", path, filepath.Join(path, "prefer.db"))
	}
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	switch n, err := f.ReadAt(head, 0); {
	case n == 0 && err == io.EOF: // empty: created by another process this moment, or by hand
		return true, nil
	case err != nil && err != io.EOF:
		return false, fmt.Errorf("store: %w", err)
	case string(head[:n]) != magic:
		return false, fmt.Errorf("store: %s: %w: it does not begin like a SQLite file; choose another path, or restore a backup if this was a store", path, ErrForeign)
	}
	return true, nil
}
