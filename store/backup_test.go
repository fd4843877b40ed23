package store

import (
	"database/sql"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prefer-bo/prefer"
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

// TestSQLiteBackup: the two ways docs/deploy.md names, as the sqlite3 program does them.
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
