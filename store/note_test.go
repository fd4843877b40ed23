package store

import (
	"errors"
	"path/filepath"
	"testing"
)

// testNote: a note is kept beside its study, replaced, found with and without the study's name, and goes with
// the study or with the rater it is about.
func testNote(t *testing.T, address string) {
	s := open(t, address)
	create(t, s, "coffee")
	play(t, create(t, s, "tea"), "ann", 1)
	keep := func(n Note) {
		t.Helper()
		if err := s.KeepNote(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	find := func(study, name string, want Note, there bool) {
		t.Helper()
		if got, ok, err := s.FindNote(ctx, study, name); err != nil || ok != there || ok && got != want {
			t.Errorf("%q of %q is %+v, %v, %v, want %+v, %v", name, study, got, ok, err, want, there)
		}
	}
	mine, hers, shared := Note{"coffee", "settings", "", `{"a":1}`}, Note{"tea", "link 1", "ann", "ü"}, Note{"tea", "settings", "", ""}
	find("coffee", "settings", Note{}, false)
	keep(Note{"coffee", "settings", "bob", "before"})
	keep(mine)
	keep(hers)
	keep(shared)
	find("coffee", "settings", mine, true)
	find("tea", "settings", shared, true)
	find("", "link 1", hers, true)
	find("coffee", "link 1", Note{}, false)
	if err := s.KeepNote(ctx, Note{Study: "none", Name: "x"}); !errors.Is(err, ErrNoStudy) {
		t.Errorf("a note of no study: %v", err)
	}
	if err := s.KeepNote(ctx, Note{Name: "x"}); !errors.Is(err, ErrName) {
		t.Errorf("a note of a study without a name: %v", err)
	}
	if _, err := s.Forget(ctx, "tea", "ann"); err != nil {
		t.Fatal(err)
	}
	find("", "link 1", Note{}, false)
	find("tea", "settings", shared, true)
	if err := s.Delete(ctx, "tea"); err != nil {
		t.Fatal(err)
	}
	create(t, s, "tea")
	find("tea", "settings", Note{}, false)
	find("coffee", "settings", mine, true)
}

// testCurrent: a study is current until somebody else changes, rewrites or deletes it.
func testCurrent(t *testing.T, address string) {
	s := open(t, address)
	held := create(t, s, "coffee")
	current := func(want bool) {
		t.Helper()
		if got, err := s.Current(ctx, held); err != nil || got != want {
			t.Errorf("current is %v, %v, want %v", got, err, want)
		}
	}
	current(true)
	play(t, held, "ann", 2)
	current(true)
	elsewhere := study(t, s, "coffee")
	play(t, elsewhere, "bob", 1)
	current(false)
	held = study(t, s, "coffee")
	current(true)
	if _, err := s.Forget(ctx, "coffee", "ann"); err != nil {
		t.Fatal(err)
	}
	current(false)
	held = study(t, s, "coffee")
	current(true)
	if err := s.Delete(ctx, "coffee"); err != nil {
		t.Fatal(err)
	}
	current(false)
	create(t, s, "coffee")
	current(false)
}

// TestCurrentElsewhere: a study of another store is a mistake, not a stale study.
func TestCurrentElsewhere(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "one.db"))
	other := create(t, open(t, filepath.Join(t.TempDir(), "two.db")), "coffee")
	if _, err := s.Current(ctx, other); err == nil {
		t.Error("a study of another store was looked up")
	}
}
