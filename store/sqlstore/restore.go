package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/prefer-bo/prefer/store"
)

// Restore makes a store of a backup: a new SQLite file, or what a PostgreSQL database holds. Its tables are brought up to date, and everything in it is looked
// at. What is there already is left alone unless replace is set; a file that is no store, or that another program has open, even then.
func Restore(ctx context.Context, backup, address string, replace bool, o Options) (c Copied, err error) {
	if strings.Contains(backup, "://") && !strings.HasPrefix(backup, "file://") {
		return c, fmt.Errorf("store: %q is not a backup: want a file, and first; then where it is to be restored", "postgres://…")
	}
	s, err := connect(ctx, backup, Options{ReadOnly: true, tables: o.tables})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		return s.restoreDatabase(ctx, address, replace, o)
	}
	path, err := sqlitePath(address)
	if err != nil {
		return c, err
	}
	there := true
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		there = false
	} else if err != nil {
		return c, fmt.Errorf("store: %w", err)
	} else if os.SameFile(info, s.file.held.info) {
		return c, fmt.Errorf("store: %s: %w: it is the backup itself", path, fs.ErrExist)
	} else if path, err = filepath.EvalSymlinks(path); err != nil { // a link stays one
		return c, fmt.Errorf("store: %w", err)
	}
	return beside(path, replace && there, func(half string) (Copied, error) {
		if err := s.copyCurrent(ctx, half, o); err != nil {
			return c, err
		}
		c, err := verify(ctx, half, o)
		if err == nil && there {
			err = vacate(ctx, path, o)
		}
		return c, err
	})
}

// copyCurrent copies the store of a file into an empty one, and brings the tables of that up to date.
func (s *Store) copyCurrent(ctx context.Context, to string, o Options) error {
	if err := s.copyFile(ctx, to); err != nil {
		return err
	}
	current, err := Open(ctx, to, Options{tables: o.tables})
	if err != nil {
		return err
	}
	if err := current.Close(); err != nil {
		return err
	}
	return finish(ctx, to)
}

// vacate makes sure that nobody has the file of a store open, and removes what is beside it. One that is damaged has to go as well.
func vacate(ctx context.Context, path string, o Options) error {
	s, err := connect(ctx, path, Options{ReadOnly: true, tables: o.tables})
	if err == nil {
		if err = s.Close(); err == nil {
			err = finish(ctx, path) // without a log: which is refused while anybody else has it open
		}
		if err != nil {
			return fmt.Errorf("store: %s is not replaced: another program has it open, stop that first (%w)", path, errors.Join(store.ErrUnavailable, err))
		}
	} else if !errors.Is(err, store.ErrCorrupt) {
		return fmt.Errorf("store: %s is not replaced: %w", path, err)
	}
	for _, end := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("store: %w", err)
		}
	}
	return nil
}

// restoreDatabase puts the rows of a backup into a PostgreSQL database, all or nothing.
func (s *Store) restoreDatabase(ctx context.Context, address string, replace bool, o Options) (c Copied, err error) {
	folder, err := os.MkdirTemp("", "prefer-restore-*") // 0700
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(folder)
	current := filepath.Join(folder, "backup.db")
	if err := s.copyCurrent(ctx, current, o); err != nil {
		return c, err
	}
	from, err := connect(ctx, current, Options{ReadOnly: true, tables: o.tables})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := Open(ctx, address, o)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	want, err := from.verified(ctx)
	if err != nil {
		return c, err
	}
	var refused error // which the engine would take for a lost connection
	if err := to.patiently(ctx, func() error {
		err := from.whole(ctx, func(rows *session) {
			rows.fail(to.whole(ctx, func(into *session) { to.replaceRows(from, rows, into, replace) }))
		})
		if errors.Is(err, fs.ErrExist) {
			refused, err = err, nil
		}
		return err
	}); err != nil || refused != nil {
		return c, errors.Join(err, refused)
	}
	c, err = to.verified(ctx)
	if err == nil && (c.Studies < want.Studies || c.Events < want.Events) { // others may have added some already
		err = fmt.Errorf("store: %s: %w: %d studies with %d events are there, want %d with %d", to.engine, store.ErrCorrupt, c.Studies, c.Events, want.Studies, want.Events)
	}
	return c, err
}

func (s *Store) replaceRows(from *Store, rows, into *session, replace bool) {
	into.exec("LOCK TABLE " + strings.Join(tables, ", ") + " IN ACCESS EXCLUSIVE MODE")
	var studies, edition int
	into.find([]any{&studies, &edition}, "SELECT count(*), coalesce(max(edition), -1) + 1 FROM prefer_studies")
	if studies > 0 && !replace {
		into.fail(fmt.Errorf("store: %s has %d studies: %w: choose an empty database", s.engine, studies, fs.ErrExist))
	}
	into.exec("TRUNCATE " + strings.Join(tables, ", "))
	from.copyRows(rows, into, "OVERRIDING SYSTEM VALUE")
	into.exec("UPDATE prefer_studies SET edition = edition + $1", edition) // a process that still holds a study from before must not go on with it
	// The number of a study is never used again, neither one of the backup nor one of those that were here.
	into.exec(`SELECT setval(pg_get_serial_sequence('prefer_studies', 'id'), greatest((SELECT max(id) FROM prefer_studies),
		nextval(pg_get_serial_sequence('prefer_studies', 'id'))))`)
}
