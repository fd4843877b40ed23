package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Copied is what a backup or a restored store holds.
type Copied struct {
	Tables  int64 `json:"tables"` // version of its tables
	Studies int   `json:"studies"`
	Events  int   `json:"events"`
	Bytes   int64 `json:"bytes,omitempty"` // of the file, 0 for a database
}

// Backup copies a store, as it is at one moment, into a new SQLite file, while others work on it. The copy is a store like any
// other, also that of a PostgreSQL database, with tables of the version the store has; nothing in the store is changed. It is
// looked at before it gets its name, and what is there under that name is left alone.
func Backup(ctx context.Context, address, out string, o Options) (c Copied, err error) {
	o.ReadOnly = true
	if out, err = sqlitePath(out); err != nil {
		return c, err
	}
	s, err := connect(ctx, address, o)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	_, have, known, err := s.versions(ctx)
	switch {
	case err != nil:
		return c, err
	case have == 0:
		return c, fmt.Errorf("store: %s: there are no tables of prefer in it, and nothing to back up: %w", s.engine, fs.ErrNotExist)
	case have > known:
		return c, s.newer(have, known)
	}
	return beside(out, false, func(half string) (Copied, error) {
		if s.file != nil {
			err = s.copyFile(ctx, half)
		} else {
			err = s.copyInto(ctx, half, have)
		}
		if err != nil {
			return c, s.explain(ctx, err)
		}
		return verify(ctx, half, o)
	})
}

// beside has a file made under another name in the folder of path, for its owner alone, and gives it its name when it is whole and on disk.
func beside(path string, replace bool, make func(half string) (Copied, error)) (c Copied, err error) {
	for _, end := range []string{"", "-wal", "-shm", "-journal"} { // SQLite would take a log for that of the new file
		if _, err := os.Lstat(path + end); err == nil && !replace {
			return c, fmt.Errorf("store: %s: %w: choose another name", path+end, fs.ErrExist)
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return c, fmt.Errorf("store: %w", err)
	}
	half := f.Name()
	defer func() {
		for _, end := range []string{"", "-wal", "-shm", "-journal"} {
			_ = os.Remove(half + end)
		}
	}()
	if err := f.Close(); err != nil {
		return c, err
	}
	if c, err = make(half); err != nil {
		return c, err
	}
	if err := synced(half); err != nil {
		return c, err
	}
	if replace {
		err = os.Rename(half, path)
	} else if err = os.Link(half, path); err != nil && !errors.Is(err, fs.ErrExist) { // there are file systems without links
		if _, there := os.Lstat(path); errors.Is(there, fs.ErrNotExist) {
			err = os.Rename(half, path)
		}
	}
	if err != nil {
		return c, fmt.Errorf("store: %w", err)
	}
	return c, synced(filepath.Dir(path))
}

func synced(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// copyFile writes the store of a SQLite file into an empty one, compact, as it is at one moment: answers go on meanwhile.
func (s *Store) copyFile(ctx context.Context, to string) error {
	c := newSession(ctx, s.db)
	defer c.close()
	c.exec("PRAGMA query_only = 0") // which would hold for the other file as well
	c.exec("VACUUM INTO $1", to)
	if c.Conn != nil {
		_, _ = c.ExecContext(context.WithoutCancel(ctx), "PRAGMA query_only = 1")
	}
	if c.err != nil {
		return c.err
	}
	return finish(ctx, to)
}

// finish makes a copy a store of its own, with a number of its own, in one file.
func finish(ctx context.Context, path string) error {
	connector, err := sqliteFile{path}.connector("mode=rw")
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(ctx, fmt.Sprintf("PRAGMA journal_mode = DELETE; PRAGMA user_version = %d", ownNumber()))
	return errors.Join(err, db.Close())
}

// ownNumber is what tells a store from its copies.
func ownNumber() int32 { return 1 + rand.Int32N(math.MaxInt32) }

// copyInto writes the rows of a database, as they are at one moment, into an empty SQLite file with tables of a version.
func (s *Store) copyInto(ctx context.Context, path string, version int64) error {
	into, err := connect(ctx, path, Options{tables: s.files})
	if err != nil {
		return err
	}
	provider, _, err := into.provider()
	if err == nil {
		_, err = provider.UpTo(ctx, version)
	}
	if err == nil {
		err = s.whole(ctx, func(from *session) {
			from.fail(into.whole(ctx, func(to *session) { s.copyRows(from, to, "") }))
		})
	}
	if err := errors.Join(err, into.Close()); err != nil {
		return err
	}
	return finish(ctx, path)
}

// whole runs do in a transaction that takes as long as it takes; in one for looking if the store is open for that.
func (s *Store) whole(ctx context.Context, do func(*session)) error {
	begin := s.writing
	if s.readOnly {
		begin = s.reading
	}
	if s.file == nil {
		begin += "; SET LOCAL statement_timeout = 0"
	}
	_, err := s.transaction(patient(ctx), begin, do)
	return err
}

// copyRows copies all rows of the tables there are, with whatever columns those have. overriding is what PostgreSQL wants to hear before
// it takes the number of a study from elsewhere.
func (s *Store) copyRows(from, to *session, overriding string) {
	for _, table := range tables {
		var there bool // a store of an older version has fewer
		if from.find([]any{&there}, s.hasTable, table); !there && from.err == nil {
			continue
		}
		err := from.err
		var rows *sql.Rows
		if err == nil {
			rows, err = from.QueryContext(from.ctx, "SELECT * FROM "+table)
		}
		if err == nil {
			err = errors.Join(insertRows(rows, to, table, overriding), to.err, rows.Close(), rows.Err())
		}
		if err != nil {
			to.err = fmt.Errorf("store: the rows of %s were not copied: %w", table, err)
			return
		}
	}
}

// maxRows and maxRowBytes are how many rows are inserted at once, and about how long they may be together.
const (
	maxRows     = 100
	maxRowBytes = 4 << 20
)

func insertRows(rows *sql.Rows, to *session, table, overriding string) error {
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	var values []string
	var args []any
	size := 0
	insert := func() {
		if len(values) > 0 {
			to.exec(fmt.Sprintf("INSERT INTO %s (%s) %s VALUES %s", table, strings.Join(columns, ", "), overriding, strings.Join(values, ", ")), args...)
		}
		values, args, size = nil, nil, 0
	}
	for to.err == nil && rows.Next() {
		row, at, marks := make([]any, len(columns)), make([]any, len(columns)), make([]string, len(columns))
		for i := range row {
			at[i], marks[i] = &row[i], fmt.Sprintf("$%d", len(args)+i+1)
		}
		if err := rows.Scan(at...); err != nil {
			return err
		}
		values, args = append(values, "("+strings.Join(marks, ", ")+")"), append(args, row...)
		for _, value := range row {
			switch v := value.(type) {
			case string:
				size += len(v)
			case []byte:
				size += len(v)
			}
		}
		if len(values) == maxRows || size > maxRowBytes {
			insert()
		}
	}
	insert()
	return nil
}

func (s *Store) verified(ctx context.Context) (c Copied, err error) {
	_, have, known, err := s.versions(ctx)
	if err == nil {
		c.Tables = have
		c.Studies, c.Events, err = s.count(ctx)
	}
	if err != nil {
		return c, err
	}
	if s.file != nil {
		c.Bytes = s.file.held.info.Size()
	}
	if c.Tables == known {
		err = s.Check(ctx)
	}
	return c, err
}

func verify(ctx context.Context, path string, o Options) (c Copied, err error) {
	s, err := connect(ctx, path, Options{ReadOnly: true, tables: o.tables})
	if err != nil {
		return c, err
	}
	c, err = s.verified(ctx)
	return c, errors.Join(err, s.Close())
}
