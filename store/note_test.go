package store

import (
	"errors"
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
