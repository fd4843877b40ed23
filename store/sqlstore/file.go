package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/store"
)

// file watches that the file of a SQLite store is still the one that was opened. SQLite does not mind when it is removed or
// another one is put in its place: it goes on in what has no name any more, and what is kept there is lost with the process.
type file struct {
	path  string
	held  *heldFile
	first []byte                 // of its header, what never changes
	known map[string]os.FileInfo // the files that belong together, by the end of their names
	pin   *sql.Conn              // keeps the log open, which SQLite would otherwise remove with the last connection and recreate

	away atomic.Bool // it is not in its place, or was not when somebody last looked
	mu   sync.Mutex
	left os.FileInfo // how it was left when it went away
}

// watch begins to watch a file that has just been opened: with its log and the index of that, which pin keeps, unless it is opened for looking.
func (f *file) watch(pin *sql.Conn) (err error) {
	known := map[string]os.FileInfo{"": f.held.info}
	if pin != nil {
		for _, end := range []string{"-wal", "-shm"} {
			info, err := os.Stat(f.path + end)
			if err == nil {
				known[end] = info
			} else if !errors.Is(err, fs.ErrNotExist) { // there are file systems on which SQLite does without
				return fmt.Errorf("store: %w", err)
			}
		}
		if f.first, err = f.held.header(); err != nil {
			return fmt.Errorf("store: %w", err)
		}
	}
	f.pin, f.known = pin, known
	return f.check()
}

// check returns nil if the store is where it was opened.
func (f *file) check() error {
	if f == nil || f.known == nil { // a database, or a file that is being opened
		return nil
	}
	problem := f.look()
	if problem == "" && !f.away.Load() {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if problem != "" {
		if !f.away.Swap(true) && problem != f.overwritten() { // whose pages must not be mixed with those of the log
			f.save()
		}
		return f.moved(problem)
	}
	// It is back. Others may have worked on it meanwhile with a log of their own, which the one here knows nothing of.
	now, err := f.held.Stat()
	if err != nil || f.left == nil || now.Size() != f.left.Size() || !now.ModTime().Equal(f.left.ModTime()) {
		return f.moved("it is back, but was changed meanwhile; start this program again")
	}
	f.away.Store(false)
	return nil
}

// look says what is wrong with the names, empty for nothing.
func (f *file) look() string {
	for _, end := range []string{"", "-wal", "-shm"} {
		known := f.known[end]
		if known == nil {
			continue
		}
		now, err := os.Stat(f.path + end)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return f.path + end + " is gone"
		case err != nil:
			return err.Error()
		case !os.SameFile(known, now):
			return f.path + end + " is another file now"
		}
	}
	if f.first == nil {
		return ""
	}
	if now, err := f.held.header(); err != nil || !bytes.Equal(now, f.first) {
		return f.overwritten()
	}
	return ""
}

func (f *file) overwritten() string { return f.path + " was written over by another program" }

func (f *file) moved(problem string) error {
	return fmt.Errorf("store: %s: %w: %s; nothing is acknowledged until the file that was opened is back. What was acknowledged before is in that file, and while this program runs "+
		"it can be saved even if it was removed: see docs/dev/store.md", f.path, store.ErrReplaced, problem)
}

// save brings what is in the log into the file, wherever that is now: with a name of its own it is whole. Both are reached without their names.
func (f *file) save() {
	if f.pin == nil {
		return
	}
	brief, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	_, _ = f.pin.ExecContext(brief, "PRAGMA wal_checkpoint(FULL)") // as far as it goes: the log is there as well
	f.left, _ = f.held.Stat()                                      // nil: it is not trusted when it comes back
}

// close closes the connections, and then the file. If it is not in its place they are left open: SQLite would remove the log of whatever has its name now.
func (f *file) close(db *sql.DB) error {
	if err := f.check(); err != nil {
		return err
	}
	var errs []error
	if f != nil && f.pin != nil {
		errs = append(errs, f.pin.Close())
	}
	if db != nil {
		errs = append(errs, db.Close())
	}
	if f != nil {
		errs = append(errs, f.held.release())
	}
	return errors.Join(errs...)
}

// checked opens connections to a file that is in its place: one to another file would write there.
type checked struct {
	driver.Connector
	file *file
}

func (c checked) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.file.check(); err != nil {
		return nil, err
	}
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.file.check(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// heldFile is a file that this process has open beside SQLite. A process that closes a file loses all its locks on it, those of
// SQLite as well: so it is opened once for all stores in it, and closed after the last of them.
type heldFile struct {
	*os.File
	info  os.FileInfo
	users int
}

var held struct {
	sync.Mutex
	all []*heldFile
}

func holdFile(path string) (*heldFile, error) {
	held.Lock()
	defer held.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	for _, h := range held.all {
		if os.SameFile(h.info, info) {
			h.users++
			return h, nil
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil { // that it was another one a moment ago does not matter
		return nil, errors.Join(err, f.Close())
	}
	h := &heldFile{f, info, 1}
	held.all = append(held.all, h)
	return h, nil
}

func (h *heldFile) release() error {
	if h == nil {
		return nil
	}
	held.Lock()
	defer held.Unlock()
	if h.users--; h.users > 0 {
		return nil
	}
	held.all = slices.DeleteFunc(held.all, func(other *heldFile) bool { return other == h })
	return h.File.Close()
}

// header returns what does not change as long as a file is the same store: the size of pages, that it has a write-ahead log, and
// the marks user_version, which every store draws for itself, and application_id. https://www.sqlite.org/fileformat2.html#the_database_header
func (h *heldFile) header() ([]byte, error) {
	var all [72]byte
	if _, err := h.ReadAt(all[:], 0); err != nil {
		return nil, err
	}
	return append(all[16:24:24], all[60:72]...), nil
}
