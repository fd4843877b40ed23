package sqlstore

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
	"modernc.org/sqlite"
)

// backedUp takes a backup of a store while three raters answer, restores it, and makes sure that every answer
// acknowledged before the backup began is in it, that the log is a beginning of the one that went on, and that
// it takes answers again.
func backedUp(t *testing.T, address, restored string, backup func() error) {
	t.Helper()
	s := open(t, address)
	q := ask(t, create(t, s, "coffee"), "ann")
	var done atomic.Bool
	var wait sync.WaitGroup
	var mu sync.Mutex
	var acknowledged []string
	const tellers = 3
	busy := make(chan struct{}, 2*tellers)
	for teller := range tellers {
		wait.Go(func() {
			defer func() { busy <- struct{}{} }() // one that fails keeps nobody waiting
			for i := 0; i < 5 || !done.Load(); i++ {
				key := fmt.Sprintf("%d-%d", teller, i)
				err := s.Update(ctx, "coffee", func(study *prefer.Study) error {
					_, err := study.Observe(ctx, prefer.Duel{First: q.First, Second: q.Second, Answer: prefer.Answer{Choice: prefer.Tie, Key: key}})
					return err
				})
				if err != nil {
					t.Errorf("%s: %v", key, err)
					return
				}
				mu.Lock()
				acknowledged = append(acknowledged, key)
				mu.Unlock()
				if i == 4 {
					busy <- struct{}{}
				}
			}
		})
	}
	for range tellers {
		<-busy
	}
	mu.Lock()
	before := slices.Clone(acknowledged)
	mu.Unlock()
	err := backup()
	done.Store(true)
	wait.Wait()
	if err != nil {
		t.Fatal(err)
	}
	copied := open(t, restored)
	if err := copied.Check(ctx); err != nil {
		t.Error(err)
	}
	log := events(t, copied, "coffee")
	kept := map[string]int{}
	for _, e := range log {
		if e.Observed != nil {
			kept[e.Observed.Duel.Answer.Key]++
		}
	}
	for _, key := range before {
		if kept[key] != 1 {
			t.Errorf("%s was acknowledged before the backup and is %d times in it", key, kept[key])
		}
	}
	whole := events(t, s, "coffee")
	if got, want := lines(t, log), lines(t, whole[:len(log)]); got != want {
		t.Errorf("the backup has the events\n%swant the first of\n%s", got, want)
	}
	play(t, study(t, copied, "coffee"), "bob", 1)
	if err := copied.Check(ctx); err != nil {
		t.Error(err)
	}
	t.Logf("%d answers before the backup, %d in it, %d in the end", len(before), len(kept), len(whole)-2)
}

// TestBackup: from either engine to either engine, while answers come in.
func TestBackup(t *testing.T) {
	for _, from := range engines {
		for _, to := range engines {
			t.Run(from.name+" to "+to.name, func(t *testing.T) {
				source, file, target := from.fresh(t), filepath.Join(t.TempDir(), "backup.db"), to.fresh(t)
				backedUp(t, source, target, func() error {
					made, err := Backup(ctx, source, file, Options{})
					if err != nil {
						return err
					}
					restored, err := Restore(ctx, file, target, false, Options{})
					if made.Studies != 1 || made.Events < 15 || made.Bytes == 0 || restored.Studies != 1 || restored.Events != made.Events {
						t.Errorf("backed up %+v, restored %+v", made, restored)
					}
					return err
				})
				mode(t, file, 0o600)
				left, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
				if err != nil || len(left) != 1 {
					t.Errorf("beside the backup are %v, %v", left, err)
				}
			})
		}
	}
}

// everything is all that the tables of a store hold, but for the editions of studies.
func everything(t *testing.T, s *Store) string {
	t.Helper()
	var all []string
	for _, query := range []string{"SELECT id || name || created || last FROM prefer_studies", "SELECT study || ' ' || seq || time || kind || rater || key || body FROM prefer_events",
		"SELECT study || ' ' || seq || build || length(body) FROM prefer_snapshots", "SELECT study || name || rater || body FROM prefer_notes", "SELECT study || rater || seq || build || length(body) FROM prefer_ahead"} {
		err := s.read(ctx, func(c *session) {
			rows := c.texts(query)
			if len(rows) == 0 {
				t.Errorf("nothing is in %s", query)
			}
			slices.Sort(rows)
			all = append(all, rows...)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(all, "\n")
}

// furnished makes a store with something in every table.
func furnished(t *testing.T, address string) *Store {
	t.Helper()
	s := open(t, address)
	create(t, s, "gone")
	running := create(t, s, "coffee")
	if err := s.Delete(ctx, "gone"); err != nil { // so that the numbers of studies have a gap
		t.Fatal(err)
	}
	play(t, running, "ann", 1)
	q := ask(t, running, "bob")
	for range maxRows { // more than are copied at once
		if _, err := running.Observe(ctx, prefer.Duel{First: q.First, Second: q.Second, Rater: "ann", Answer: prefer.Answer{Choice: prefer.Tie}}); err != nil {
			t.Fatal(err)
		}
	}
	j := running.Config().Journal.(*journal)
	err := errors.Join(j.keepSnapshot(ctx, 9, []byte{0, 1, 255, 0}), s.KeepNote(ctx, store.Note{Study: "coffee", Name: "link", Rater: "ann", Body: "of ann"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_ahead (study, rater, seq, build, body) VALUES ($1, 'ann', 1, 'b', $2)", j.id, []byte{0, 200}); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBackupWhole: every row of every table comes back, and what exists is not written over unless that is wanted.
func TestBackupWhole(t *testing.T) {
	for _, from := range engines {
		for _, to := range engines {
			t.Run(from.name+" to "+to.name, func(t *testing.T) {
				source, file, target := from.fresh(t), filepath.Join(t.TempDir(), "backup.db"), to.fresh(t)
				want := everything(t, furnished(t, source))
				if _, err := Backup(ctx, source, file, Options{}); err != nil {
					t.Fatal(err)
				}
				if _, err := Backup(ctx, source, file, Options{}); !errors.Is(err, fs.ErrExist) {
					t.Errorf("over a backup: %v, want fs.ErrExist", err)
				}
				if _, err := Restore(ctx, file, target, false, Options{}); err != nil {
					t.Fatal(err)
				}
				s, err := Open(ctx, target, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if got := everything(t, s); got != want {
					t.Errorf("restored is\n%s\nwant\n%s", got, want)
				}
				tea := create(t, s, "tea") // which takes no number from another study
				held := study(t, s, "coffee")
				if _, err := Restore(ctx, file, target, false, Options{}); !errors.Is(err, fs.ErrExist) {
					t.Errorf("over a store: %v, want fs.ErrExist", err)
				}
				_, err = Restore(ctx, file, target, true, Options{})
				if to.name == "postgres" { // others may work on it
					if err != nil {
						t.Fatal(err)
					}
					_, holds := held.Ask(ctx, prefer.Request{Rater: "cat"})
					_, lost := tea.Ask(ctx, prefer.Request{Rater: "bob"})
					if !errors.Is(holds, prefer.ErrConflict) || !errors.Is(lost, store.ErrNoStudy) {
						t.Errorf("who held studies: %v and %v, want a conflict and no study", holds, lost)
					}
					if next := create(t, s, "next"); next.Config().Journal.(*journal).id <= tea.Config().Journal.(*journal).id {
						t.Error("the number of a study was used again")
					}
					must(t, s.Delete(ctx, "next"))
				} else if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "stop that first") {
					t.Errorf("over a store that is open: %v, want store.ErrUnavailable", err)
				}
				must(t, s.Close())
				if _, err := Restore(ctx, file, target, true, Options{}); err != nil {
					t.Fatal(err)
				}
				if got := everything(t, open(t, target)); got != want {
					t.Errorf("restored again it is\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// TestBackupOld: the store of an older version is backed up as it is, and restored as one of this version.
func TestBackupOld(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		running := old(t, address, 1)
		dir := t.TempDir()
		file, restored := filepath.Join(dir, "backup.db"), filepath.Join(dir, "store.db")
		c, err := Backup(ctx, address, file, Options{})
		if err != nil || c.Tables != 1 || c.Events != len(running.Events(0)) {
			t.Fatalf("%+v, %v", c, err)
		}
		if h, err := Examine(ctx, address, Options{}); err != nil || h.Tables != 1 {
			t.Errorf("the tables have version %d now (%v)", h.Tables, err)
		}
		if c, err = Restore(ctx, file, restored, false, Options{}); err != nil || c.Tables != int64(latest(t)) {
			t.Fatalf("%+v, %v", c, err)
		}
		sameLog(t, open(t, restored), running)
	})
}

// TestBackupRefused: neither a backup nor a restored store takes the place of something else, and a damaged backup is none.
func TestBackupRefused(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	played(t, at("store.db"), Options{})
	if _, err := Backup(ctx, at("store.db"), at("backup.db"), Options{}); err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(at("thesis.txt"), []byte("mine"), 0o600), os.WriteFile(at("new.db-wal"), []byte("a log that was left"), 0o600))
	damaged, err := os.ReadFile(at("backup.db"))
	must(t, err)
	copy(damaged[len(damaged)/2:], make([]byte, 200))
	must(t, os.WriteFile(at("damaged.db"), bytes.ReplaceAll(damaged, []byte(`"kind":"asked"`), []byte(`"kind":"kased"`)), 0o600))
	sqliteExec(t, at("other.db"), "CREATE TABLE theirs (x)")
	for name, c := range map[string]struct {
		do   func() (Copied, error)
		want error
	}{
		"a log is there":         {func() (Copied, error) { return Backup(ctx, at("store.db"), at("new.db"), Options{}) }, fs.ErrExist},
		"a log is there, too":    {func() (Copied, error) { return Restore(ctx, at("backup.db"), at("new.db"), false, Options{}) }, fs.ErrExist},
		"nothing to back up":     {func() (Copied, error) { return Backup(ctx, at("none.db"), at("b.db"), Options{}) }, fs.ErrNotExist},
		"another program's":      {func() (Copied, error) { return Backup(ctx, at("other.db"), at("b.db"), Options{}) }, ErrForeign},
		"no backup":              {func() (Copied, error) { return Restore(ctx, at("thesis.txt"), at("b.db"), false, Options{}) }, ErrForeign},
		"over a text":            {func() (Copied, error) { return Restore(ctx, at("backup.db"), at("thesis.txt"), true, Options{}) }, ErrForeign},
		"over another program's": {func() (Copied, error) { return Restore(ctx, at("backup.db"), at("other.db"), true, Options{}) }, ErrForeign},
		"over itself":            {func() (Copied, error) { return Restore(ctx, at("backup.db"), at("backup.db"), true, Options{}) }, fs.ErrExist},
		"damaged":                {func() (Copied, error) { return Restore(ctx, at("damaged.db"), at("b.db"), false, Options{}) }, store.ErrCorrupt},
		"damaged, over another":  {func() (Copied, error) { return Restore(ctx, at("damaged.db"), at("store.db"), true, Options{}) }, store.ErrCorrupt},
	} {
		if _, err := c.do(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if text, err := os.ReadFile(at("thesis.txt")); string(text) != "mine" || err != nil {
		t.Errorf("the text is %q now, %v", text, err)
	}
	must(t, os.Symlink(at("store.db"), at("link.db")))
	if _, err := Restore(ctx, at("backup.db"), at("link.db"), true, Options{}); err != nil {
		t.Error(err)
	}
	if to, err := os.Readlink(at("link.db")); to != at("store.db") || err != nil {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	for _, name := range []string{"store.db", "backup.db"} {
		must(t, open(t, at(name)).Check(ctx))
	}
	left, err := filepath.Glob(at(".*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind are %v, %v", left, err)
	}
}

// TestSQLiteBackup: the two ways docs/guides/deploy.md names, as the sqlite3 program does them.
func TestSQLiteBackup(t *testing.T) {
	t.Run("VACUUM INTO", func(t *testing.T) {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "store.db"), filepath.Join(dir, "copy.db")
		backedUp(t, from, to, func() error {
			return withSQLite(from, func(db *sql.DB) error { return execute(db, "VACUUM INTO '"+to+"'") })
		})
	})
	t.Run("backup", func(t *testing.T) {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "store.db"), filepath.Join(dir, "copy.db")
		backedUp(t, from, to, func() error { return withSQLite(from, func(db *sql.DB) error { return online(db, to) }) })
	})
}

// withSQLite opens a file as another program would: it knows nothing of this package.
func withSQLite(path string, do func(*sql.DB) error) error {
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(10000)")
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

func execute(db *sql.DB, statement string) error {
	_, err := db.ExecContext(ctx, statement)
	return err
}

// online is what ".backup FILE" does: https://www.sqlite.org/backup.html.
func online(db *sql.DB, to string) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(driver any) error {
		b, err := driver.(interface {
			NewBackup(string) (*sqlite.Backup, error)
		}).NewBackup(to)
		if err != nil {
			return err
		}
		if _, err := b.Step(-1); err != nil { // all pages in one step
			return errors.Join(err, b.Finish())
		}
		return b.Finish()
	})
}

// TestPostgresBackup: the tables of a database in use are dumped, and restored into another one.
func TestPostgresBackup(t *testing.T) {
	from, to := database(t), database(t)
	bin, err := script("", "bin")
	if err != nil {
		t.Skipf("SKIPPED: pg_dump was not found (%v)", err)
	}
	dump := filepath.Join(t.TempDir(), "prefer.dump")
	backedUp(t, from, to, func() error {
		for _, command := range [][]string{
			{"pg_dump", "--format=custom", "--no-owner", "--table=prefer_*", "--file=" + dump, "--dbname=" + from},
			{"pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--dbname=" + to, dump},
		} {
			if out, err := exec.Command(filepath.Join(bin, command[0]), command[1:]...).CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w: %s", command[0], err, out)
			}
		}
		return nil
	})
}
