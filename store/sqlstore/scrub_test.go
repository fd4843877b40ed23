package sqlstore

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// annabel makes a study with somebody in it who will be forgotten, in every table, and returns what must not be left of them.
func annabel(t *testing.T, s *Store) []string {
	t.Helper()
	running := create(t, s, "coffee")
	play(t, running, "Annabel", 8)
	play(t, running, "bob", 8)
	j := running.Config().Journal.(*journal)
	long := strings.Repeat("and then Annabel said so. ", 1000) // in a table of its own, and to be found there
	if _, err := s.db.ExecContext(ctx, "ALTER TABLE prefer_notes ALTER COLUMN body SET STORAGE EXTERNAL; ALTER TABLE prefer_snapshots ALTER COLUMN body SET STORAGE EXTERNAL"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_ahead (study, rater, seq, build, body) VALUES ($1, 'Annabel', 9, 'b', 'asked Annabel next')", j.id); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.keepSnapshot(ctx, 9, []byte("Annabel likes milk"+long)),
		s.KeepNote(ctx, store.Note{Study: "coffee", Name: "link/x", Rater: "Annabel", Body: "their link"}),
		s.KeepDerived(ctx, running, store.Derived+"jobs/report-1", "a page about Annabel"+long)); err != nil {
		t.Fatal(err)
	}
	return append(checksums(t, s, "coffee"), "Annabel", "key of Annabel 3", "session of Annabel", "likes milk", "said so", "their link", "a page about")
}

// inFiles counts a text in all files of a PostgreSQL database, as a server would find them after a crash.
func inFiles(t *testing.T, s *Store, texts ...string) map[string]int {
	t.Helper()
	if _, err := s.db.ExecContext(ctx, "CHECKPOINT"); err != nil {
		t.Fatal(err)
	}
	rows, err := s.db.QueryContext(ctx, `SELECT pg_read_binary_file(d || '/' || f, 0, 1 << 29, true) FROM (SELECT 'base/' || oid AS d FROM pg_database WHERE datname = current_database()) AS o, pg_ls_dir(d) AS f`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found, size := map[string]int{}, 0
	for rows.Next() {
		var data []byte
		if err := rows.Scan(&data); err != nil {
			t.Fatal(err)
		}
		size += len(data)
		for _, text := range texts {
			if n := bytes.Count(data, []byte(text)); n > 0 {
				found[text] += n
			}
		}
	}
	if err := rows.Err(); err != nil || size == 0 {
		t.Fatalf("%d bytes, %v", size, err)
	}
	return found
}

// gone fails unless nothing of a person is in the files any more, and bob is.
func gone(t *testing.T, s *Store, traces []string) {
	t.Helper()
	if left := inFiles(t, s, traces...); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
	if inFiles(t, s, "key of bob 3")["key of bob 3"] == 0 {
		t.Error("bob was forgotten too")
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// begin begins a transaction with a snapshot of its own, which sees what was there when query ran.
func begin(t *testing.T, address, query string) (end func()) {
	t.Helper()
	db, err := sql.Open("pgx", named(t, address, "reader"))
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(ctx, query); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		if err := errors.Join(tx.Rollback(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return end
}

// TestPostgresForget: not a byte of a forgotten rater is in the files of the database.
func TestPostgresForget(t *testing.T) {
	s := open(t, database(t))
	traces := annabel(t, s)
	there := inFiles(t, s, traces...)
	for _, text := range traces {
		if there[text] == 0 {
			t.Errorf("%q is not there to be forgotten", text)
		}
	}
	if _, err := s.Forget(ctx, "coffee", "Annabel"); err != nil {
		t.Fatal(err)
	}
	gone(t, s, traces)
	var references int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c' AND convalidated AND confrelid = 'prefer_studies'::regclass").Scan(&references); err != nil || references != len(tables)-1 {
		t.Errorf("%d references to studies are left, %v, want %d", references, err, len(tables)-1)
	}
}

// TestPostgresForgetOld: transactions that are older than the forgetting, here and in another database of the server, keep
// nothing alive; the one here finds a whole store afterwards.
func TestPostgresForgetOld(t *testing.T) {
	address := database(t)
	s := open(t, address)
	traces := annabel(t, s)
	begin(t, database(t), "CREATE TABLE x (y INTEGER)") // it has a number, which all snapshots on the server go by
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	old, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		t.Fatal(err)
	}
	defer old.Rollback()
	if _, err := old.ExecContext(ctx, "SELECT count(*) FROM pg_class"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(ctx, "coffee", "Annabel"); err != nil {
		t.Fatal(err)
	}
	gone(t, s, traces)
	play(t, study(t, s, "coffee"), "cat", 2) // which it must not see
	var last, events, edition int
	if err := old.QueryRowContext(ctx, "SELECT last, edition, (SELECT count(*) FROM prefer_events WHERE study = id) FROM prefer_studies").Scan(&last, &edition, &events); err != nil {
		t.Fatal(err)
	}
	if last == 0 || events != last || edition != 1 {
		t.Errorf("an older transaction sees %d of %d events, edition %d", events, last, edition)
	}
}

// TestPostgresForgetRead: a transaction that has the tables open is waited for, and named if that takes too long; forgetting
// again finishes the work.
func TestPostgresForgetRead(t *testing.T) {
	address := database(t)
	s := open(t, address, Options{Patience: time.Second})
	calm := open(t, address, Options{}) // a second may be short for what is not about waiting
	traces := annabel(t, calm)
	end := begin(t, address, "SELECT count(*) FROM prefer_notes")
	_, err := s.Forget(ctx, "coffee", "Annabel")
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "forget again") || !strings.Contains(err.Error(), "reader") {
		t.Fatalf("while the tables are open: %v, want an error that says who has them", err)
	}
	if _, ok := inFiles(t, calm, traces...)["Annabel"]; !ok {
		t.Error("nothing is left: nothing was tested")
	}
	end()
	if n, err := calm.Forget(ctx, "coffee", "Annabel"); n != 0 || err != nil {
		t.Fatalf("forgetting again: %d, %v", n, err)
	}
	gone(t, calm, traces)
}

// TestPostgresForgetWaits: a transaction that has the tables open and ends in time is no trouble.
func TestPostgresForgetWaits(t *testing.T) {
	address := database(t)
	s := open(t, address, Options{Patience: time.Minute})
	traces := annabel(t, s)
	end := begin(t, address, "SELECT count(*) FROM prefer_events")
	forgot := make(chan error, 1)
	go func() {
		_, err := s.Forget(ctx, "coffee", "Annabel")
		forgot <- err
	}()
	other := open(t, address)
	for waiting := 0; waiting == 0; {
		if err := other.db.QueryRowContext(ctx, "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'prefer_events'::regclass").Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	end()
	if err := <-forgot; err != nil {
		t.Fatal(err)
	}
	gone(t, s, traces)
}

// TestPostgresForgetBusy: others append and read all the time, and lose nothing; not a byte is left.
func TestPostgresForgetBusy(t *testing.T) {
	address := database(t)
	s := open(t, address, Options{Patience: time.Minute})
	traces := annabel(t, s)
	q := ask(t, create(t, s, "tea"), "ann")
	var done atomic.Bool
	var wait sync.WaitGroup
	var told [3]int
	for teller := range told {
		wait.Go(func() {
			for !done.Load() {
				key := fmt.Sprintf("%d-%d", teller, told[teller])
				err := s.Update(ctx, "tea", func(study *prefer.Study) error {
					_, err := study.Observe(ctx, prefer.Duel{First: q.First, Second: q.Second, Answer: prefer.Answer{Choice: prefer.Tie, Key: key}})
					return err
				})
				if err != nil {
					t.Errorf("%s: %v", key, err)
					return
				}
				told[teller]++
			}
		})
	}
	for range 3 { // once would be enough, had none come in between
		if _, err := s.Forget(ctx, "coffee", "Annabel"); err != nil {
			t.Error(err)
		}
	}
	done.Store(true)
	wait.Wait()
	gone(t, s, traces)
	if got, want := len(events(t, s, "tea"))-2, told[0]+told[1]+told[2]; got != want {
		t.Errorf("%d answers are kept, want %d", got, want)
	}
}

// TestPostgresForgetSampled: the server keeps no example of them for its planner, also where it did before.
func TestPostgresForgetSampled(t *testing.T) {
	s := open(t, database(t))
	annabel(t, s)
	sampled := func(examine string) (n int) {
		t.Helper()
		if _, err := s.db.ExecContext(ctx, examine); err != nil {
			t.Fatal(err)
		}
		if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM pg_stats WHERE tablename = ANY ($1::text[])
			AND most_common_vals::text || coalesce(histogram_bounds::text, '') LIKE '%Annabel%'`, tables).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := sampled("ANALYZE"); n != 0 {
		t.Errorf("%d columns are examples of a new store", n)
	}
	if n := sampled("ALTER TABLE prefer_events ALTER rater SET STATISTICS 100; ANALYZE; CREATE VIEW raters AS SELECT rater FROM prefer_events"); n != 1 { // as it was in older stores
		t.Fatalf("they are an example of %d columns, want 1", n)
	}
	if _, err := s.Forget(ctx, "coffee", "Annabel"); err == nil || !strings.Contains(err.Error(), "prefer_events.rater") || !strings.Contains(err.Error(), "forget again") {
		t.Errorf("a view in the way: %v, want an error that says what is left", err)
	}
	if _, err := s.db.ExecContext(ctx, "DROP VIEW raters"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(ctx, "coffee", "Annabel"); err != nil {
		t.Fatal(err)
	}
	if n := sampled("ANALYZE"); n != 0 {
		t.Errorf("they are still an example of %d columns", n)
	}
	var n int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM pg_stats WHERE tablename = 'prefer_events' AND attname = 'rater'").Scan(&n); n != 0 || err != nil {
		t.Errorf("raters are still sampled (%v)", err)
	}
}

// TestPostgresTables: every table of a store is rewritten.
func TestPostgresTables(t *testing.T) {
	s := open(t, database(t))
	var names []string
	err := s.read(ctx, func(c *session) {
		names = c.texts("SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'prefer\\_%' AND relname <> $1 ORDER BY relname", versions)
	})
	if want := slices.Sorted(slices.Values(tables)); err != nil || !slices.Equal(names, want) {
		t.Errorf("the tables are %v, %v, want %v", names, err, want)
	}
}
