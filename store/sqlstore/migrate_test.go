package sqlstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chain"
	"github.com/prefer-bo/prefer/store"
)

// withMigrations makes a store that of a program which knows the first of the migrations only, and those
// that come: statements for both engines.
func withMigrations(t testing.TB, first int, more ...string) Options {
	t.Helper()
	files := fstest.MapFS{}
	for _, engine := range []string{"sqlite", "postgres"} {
		folder := "migrations/" + engine
		known, err := fs.ReadDir(migrations, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range known[:first] {
			data, err := fs.ReadFile(migrations, path.Join(folder, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files[path.Join(folder, f.Name())] = &fstest.MapFile{Data: data}
		}
		for i, statements := range more {
			files[fmt.Sprintf("%s/%05d_more.sql", folder, first+i+1)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + statements)}
		}
	}
	return Options{tables: files}
}

// latest is the number of migrations this program has.
func latest(t testing.TB) int {
	t.Helper()
	known, err := fs.ReadDir(migrations, "migrations/sqlite")
	if err != nil {
		t.Fatal(err)
	}
	return len(known)
}

// played makes a store with a study in it, closes it, and returns the study as it ran.
func played(t *testing.T, address string, o Options) *prefer.Study {
	t.Helper()
	s, err := Open(ctx, address, o)
	if err != nil {
		t.Fatal(err)
	}
	running := create(t, s, "coffee")
	play(t, running, "ann", 4)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return running
}

// old makes a store as a program had it which knew the first of the migrations only, before there were checksums, and
// returns the study in it as it ran. Studies of the other names lack its first two events.
func old(t *testing.T, address string, first int, damaged ...string) *prefer.Study {
	t.Helper()
	s, err := Open(ctx, address, withMigrations(t, first))
	if err != nil {
		t.Fatal(err)
	}
	running, err := prefer.New(ctx, config())
	if err != nil {
		t.Fatal(err)
	}
	play(t, running, "ann", 4)
	rows, err := encodeAll(chain.Sum{}, running.Events(0))
	if err != nil {
		t.Fatal(err)
	}
	lack := map[string]int{"coffee": 0}
	for _, name := range damaged {
		lack[name] = 2
	}
	for name, lack := range lack {
		if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_studies (name, created, edition, last) VALUES ($1, $2, 0, $3)", name, rows[0].time, len(rows)); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows[lack:] {
			if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_events (study, seq, time, kind, rater, key, body) SELECT id, $2, $3, $4, $5, $6, $7 FROM prefer_studies WHERE name = $1",
				name, r.seq, r.time, r.kind, r.rater, r.key, r.body); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return running
}

// sameLog fails unless the stored study has the events of another.
func sameLog(t *testing.T, s *Store, want *prefer.Study) {
	t.Helper()
	if got, want := lines(t, events(t, s, "coffee")), lines(t, want.Events(0)); got != want {
		t.Fatalf("the store has the events\n%swant\n%s", got, want)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestMigrateForward: a store of the first version becomes one of this version with every event in it, step by
// step and at once, and takes answers again.
func TestMigrateForward(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		before := old(t, address, 1, "gap")
		if _, err := Open(ctx, address, Options{ReadOnly: true}); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("an older store opened for reading: %v, want store.ErrReadOnly", err)
		}
		s := open(t, address)
		if _, err := s.Study(ctx, "gap"); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "event 1 is missing") {
			t.Errorf("a study that was damaged before: %v", err)
		}
		if err := s.Delete(ctx, "gap"); err != nil {
			t.Fatal(err)
		}
		sameLog(t, s, before) // checksums included
		const append = "INSERT INTO prefer_events (study, seq, time, kind, rater, key, body) SELECT study, seq + 1, time, kind, rater, key, body FROM prefer_events ORDER BY seq DESC LIMIT 1"
		if _, err := s.db.ExecContext(ctx, append); err == nil {
			t.Error("an older program that still runs appends an event without a checksum")
		}
		if v, err := s.version(ctx); err != nil || v != int64(latest(t)) {
			t.Errorf("version %d, %v, want %d", v, err, latest(t))
		}
		if err := s.KeepNote(ctx, store.Note{Study: "coffee", Name: "settings", Body: "{}"}); err != nil { // a table of the second version
			t.Error(err)
		}
		play(t, study(t, s, "coffee"), "bob", 1)
	})
}

// TestMigrateNext: what a later version may do, a new column filled from the old ones, leaves the events as they
// were; and this version refuses the result.
func TestMigrateNext(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		before := played(t, address, Options{})
		next := open(t, address, withMigrations(t, latest(t),
			"ALTER TABLE prefer_events ADD COLUMN size INTEGER;\nUPDATE prefer_events SET size = octet_length(body);"))
		sameLog(t, next, before)
		var size, want int
		if err := next.db.QueryRowContext(ctx, "SELECT sum(size), sum(octet_length(body)) FROM prefer_events").Scan(&size, &want); err != nil || size != want || size == 0 {
			t.Errorf("the new column sums to %d, %v, want %d", size, err, want)
		}
		if _, err := Open(ctx, address, Options{}); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), fmt.Sprintf("version %d", latest(t)+1)) {
			t.Errorf("this version opens the next: %v, want ErrNewer", err)
		}
	})
}

// TestMigrateFails: a migration that fails in the middle leaves the store at the version it had.
func TestMigrateFails(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		before := played(t, address, Options{})
		broken := withMigrations(t, latest(t), "DELETE FROM prefer_events;\nINSERT INTO prefer_nowhere VALUES (1);")
		patience := 20 * time.Millisecond
		if strings.HasPrefix(address, "postgres") {
			patience = 2 * time.Second // it is also how long a busy machine has to connect
		}
		broken.Patience = patience
		if _, err := Open(ctx, address, broken); err == nil || !strings.Contains(err.Error(), "prefer_nowhere") {
			t.Errorf("a broken migration: %v", err)
		}
		sameLog(t, open(t, address), before)
	})
}
