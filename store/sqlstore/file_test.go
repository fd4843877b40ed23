package sqlstore

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// mode fails unless a file has these rights.
func mode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != want {
		t.Errorf("%s has the rights %v, want %v", path, info.Mode().Perm(), want)
	}
}

// overwrite writes one file over another in its place, as cp does.
func overwrite(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// TestFileReplaced: whatever is done to the file of a store that is open, nothing is acknowledged from then on, nobody is
// told that all is well, and what was acknowledged before is whole where the file is now.
func TestFileReplaced(t *testing.T) {
	for _, c := range []struct {
		name  string
		harm  func(path, other string) error
		mend  func(path, other string) error // nil: it needs a restart
		saved func(path string) string       // where it is now; nil: it is nowhere
	}{
		{"removed", func(path, _ string) error {
			return errors.Join(os.Remove(path), os.Remove(path+"-wal"), os.Remove(path+"-shm"))
		}, nil, nil},
		{"moved, and another one in its place", func(path, other string) error {
			return errors.Join(os.Rename(path, path+".moved"), os.Rename(other, path))
		}, func(path, other string) error {
			return errors.Join(os.Rename(path, other), os.Rename(path+".moved", path))
		}, func(path string) string { return path + ".moved" }},
		{"moved", func(path, _ string) error {
			return errors.Join(os.Rename(path, path+".moved"), os.Rename(path+"-wal", path+".moved-wal"), os.Rename(path+"-shm", path+".moved-shm"))
		}, func(path, _ string) error {
			return errors.Join(os.Rename(path+".moved", path), os.Rename(path+".moved-wal", path+"-wal"), os.Rename(path+".moved-shm", path+"-shm"))
		}, func(path string) string { return path + ".moved" }},
		{"written over", func(path, other string) error { return overwrite(other, path) }, nil, nil},
		{"log removed", func(path, _ string) error { return os.Remove(path + "-wal") }, nil, func(path string) string { return path }},
		{"link re-pointed", func(path, other string) error {
			return errors.Join(os.Remove(filepath.Dir(path)), os.Symlink(filepath.Dir(other), filepath.Dir(path)))
		}, nil, func(path string) string { return filepath.Join(filepath.Dir(filepath.Dir(path)), "here", "store.db") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.Mkdir(filepath.Join(dir, "here"), 0o700), os.Symlink(filepath.Join(dir, "here"), filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "there"), 0o700))
			path, other := filepath.Join(dir, "link", "store.db"), filepath.Join(dir, "there", "store.db")
			played(t, other, Options{}) // of the same name, with other answers
			s, err := Open(ctx, path, Options{})
			must(t, err)
			running := create(t, s, "coffee")
			play(t, running, "ann", 4)
			q := ask(t, study(t, s, "coffee"), "bob")
			acknowledged := lines(t, events(t, s, "coffee"))
			held := study(t, s, "coffee")
			must(t, c.harm(path, other))

			_, told := held.Tell(ctx, q.ID, prefer.Answer{Choice: prefer.First})
			_, looked := s.Study(ctx, "coffee")
			_, _, health := s.FindNote(ctx, "", "health")
			_, listed := s.List(ctx)
			for what, err := range map[string]error{"an answer": told, "a study": looked, "health": health, "a list": listed} {
				if !errors.Is(err, store.ErrReplaced) || !strings.Contains(err.Error(), path) {
					t.Errorf("%s: %v, want store.ErrReplaced", what, err)
				}
			}
			if c.saved != nil { // nobody but the log that is still open knows its last pages
				saved := filepath.Join(dir, "saved.db")
				copyFile(t, c.saved(path), saved)
				if got := lines(t, events(t, open(t, saved), "coffee")); !strings.HasPrefix(got, acknowledged) {
					t.Errorf("the file that was moved has\n%swant\n%s", got, acknowledged)
				}
			}
			if c.mend == nil {
				if err := s.Close(); !errors.Is(err, store.ErrReplaced) {
					t.Errorf("closing: %v, want store.ErrReplaced", err)
				}
				return
			}
			must(t, c.mend(path, other))
			again := study(t, s, "coffee")
			if got := lines(t, again.Events(0)); got != acknowledged {
				t.Errorf("back again it has\n%swant\n%s", got, acknowledged)
			}
			tell(t, again, q, prefer.Answer{Choice: prefer.First})
			must(t, s.Check(ctx), s.Close())
			sameLog(t, open(t, path), again)
		})
	}
}

// TestFileChangedAway: a file that another program has worked on while it was away is not trusted when it is back.
func TestFileChangedAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(ctx, path, Options{})
	must(t, err)
	running := create(t, s, "coffee")
	must(t, os.Rename(path, path+".moved"))
	if _, err := running.Ask(ctx, prefer.Request{Rater: "ann"}); !errors.Is(err, store.ErrReplaced) {
		t.Fatalf("moved: %v, want store.ErrReplaced", err)
	}
	sqliteExec(t, path+".moved", "UPDATE prefer_studies SET created = 'never'", "PRAGMA wal_checkpoint(FULL)")
	must(t, os.Rename(path+".moved", path))
	if _, err := running.Ask(ctx, prefer.Request{Rater: "ann"}); !errors.Is(err, store.ErrReplaced) || !strings.Contains(err.Error(), "start this program again") {
		t.Errorf("back again, and changed: %v, want store.ErrReplaced", err)
	}
	if err := s.Close(); !errors.Is(err, store.ErrReplaced) {
		t.Errorf("closing: %v, want store.ErrReplaced", err)
	}
}

// TestFileMode: nobody else may read what people said.
func TestFileMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	create(t, open(t, path), "coffee")
	for _, end := range []string{"", "-wal", "-shm"} {
		mode(t, path+end, 0o600)
	}
}
