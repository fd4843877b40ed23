package sqlstore

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prefer-bo/prefer/store"
)

// onDisk returns the content of a SQLite store's file; there is none to look at in a server.
func onDisk(t *testing.T, address string) []byte {
	t.Helper()
	if strings.HasPrefix(address, "postgres") {
		return nil
	}
	data, err := os.ReadFile(address)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestExamine: a store in order is described as it is, and left as it was.
func TestExamine(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		s, err := Open(ctx, address, Options{})
		if err != nil {
			t.Fatal(err)
		}
		running := create(t, s, "coffee")
		play(t, running, "ann", 3)
		play(t, create(t, s, "tea"), "bob", 2) // its sequence restarts, and does not get as far
		newest := running.Events(0)[len(running.Events(0))-1].Time
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		before := onDisk(t, address)
		h, err := Examine(ctx, address, Options{})
		if err != nil || h.Writing != nil || h.Damage != nil {
			t.Fatalf("%v, writing %v, damage %v", err, h.Writing, h.Damage)
		}
		if h.Tables != h.Known || h.Known < 2 || h.Studies != 2 || h.Answers != 3 || !h.Newest.Equal(newest) { // one of each was undone
			t.Errorf("found %+v", h)
		}
		if !slices.Equal(onDisk(t, address), before) {
			t.Error("the file was changed")
		}
		if sqlite := !strings.HasPrefix(address, "postgres"); sqlite != (h.Journal == "wal") || sqlite != (h.File == address) ||
			sqlite != strings.HasPrefix(h.Engine, "SQLite 3.") || sqlite == strings.HasPrefix(h.Engine, "PostgreSQL 1") {
			t.Errorf("%s is found to be %+v", address, h)
		}
		if h.Doubt < 0 || h.Clock.Abs() > h.Doubt+time.Second { // the server runs on this machine
			t.Errorf("the clock of the server is off by %v ± %v", h.Clock, h.Doubt)
		}
	})
}

// TestExamineVersions: tables of another version are named and not touched.
func TestExamineVersions(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		old(t, address, 1)
		s := open(t, address, withMigrations(t, 1))
		for range 2 { // the second look finds what the first found
			h, err := Examine(ctx, address, Options{})
			if err != nil || h.Tables != 1 || h.Known < 2 || h.Writing != nil || h.Studies != 0 {
				t.Errorf("an older store: %+v, %v", h, err)
			}
		}
		if _, err := s.db.ExecContext(ctx, "INSERT INTO prefer_versions (version_id, is_applied) VALUES (999, '1')"); err != nil {
			t.Fatal(err)
		}
		if h, err := Examine(ctx, address, Options{}); err != nil || h.Tables != 999 {
			t.Errorf("a newer store: %+v, %v", h, err)
		}
	})
}

// TestExamineDamage: what Check finds is in the Health.
func TestExamineDamage(t *testing.T) {
	onBoth(t, func(t *testing.T, address string) {
		s := open(t, address)
		play(t, create(t, s, "coffee"), "ann", 2)
		if _, err := s.db.ExecContext(ctx, "UPDATE prefer_events SET body = '{}' WHERE seq = 3"); err != nil {
			t.Fatal(err)
		}
		if h, err := Examine(ctx, address, Options{}); err != nil || h.Damage != nil || len(h.Checked) != 1 || !errors.Is(h.Checked[0].Err, store.ErrCorrupt) || !strings.Contains(h.Checked[0].Err.Error(), "event 3") {
			t.Errorf("a damaged study: %+v, %v", h, err)
		}
	})
}

// TestExamineWriting: a locked or read-only store is distinguished from a store in order.
func TestExamineWriting(t *testing.T) {
	t.Run("locked", func(t *testing.T) {
		address := filepath.Join(t.TempDir(), "store.db")
		s := open(t, address)
		create(t, s, "coffee")
		c, err := s.db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		h, err := Examine(ctx, address, Options{Patience: 50 * time.Millisecond})
		if err != nil || !errors.Is(h.Writing, store.ErrUnavailable) || h.Studies != 1 {
			t.Errorf("locked: %+v, %v", h, err)
		}
		if _, err := c.ExecContext(ctx, "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("role", func(t *testing.T) {
		role := fmt.Sprintf("examiner_%d", os.Getpid())
		admin := server(t)
		run(t, admin, "CREATE ROLE "+role+" LOGIN")
		t.Cleanup(func() { run(t, admin, "DROP ROLE "+role) }) // after the database, in which it has rights
		address := database(t)
		create(t, open(t, address), "coffee")
		run(t, address, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+role)
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		u.User = url.User(role)
		h, err := Examine(ctx, u.String(), Options{})
		if err != nil || !errors.Is(h.Writing, store.ErrReadOnly) || h.Studies != 1 {
			t.Errorf("a role that may only read: %+v, %v", h, err)
		}
	})
}

// TestExamineForeign: what is no store is refused as Open refuses it.
func TestExamineForeign(t *testing.T) {
	path := filepath.Join(t.TempDir(), "birds.db")
	sqliteExec(t, path, "CREATE TABLE birds (name TEXT)")
	h, err := Examine(ctx, path, Options{})
	if !errors.Is(err, ErrForeign) || !cmp.Equal(h, Health{}) {
		t.Errorf("%+v, %v, want ErrForeign", h, err)
	}
	if _, err := Examine(ctx, filepath.Join(t.TempDir(), "none.db"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
}
