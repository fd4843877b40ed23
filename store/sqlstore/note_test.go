package sqlstore

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// testNote: a note is kept beside its study, replaced, found with and without the study's name, and goes with
// the study or with the rater it is about.
func testNote(t *testing.T, address string) {
	s := open(t, address)
	create(t, s, "coffee")
	play(t, create(t, s, "tea"), "ann", 1)
	keep := func(n store.Note) {
		t.Helper()
		if err := s.KeepNote(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	find := func(study, name string, want store.Note, there bool) {
		t.Helper()
		if got, ok, err := s.FindNote(ctx, study, name); err != nil || ok != there || ok && got != want {
			t.Errorf("%q of %q is %+v, %v, %v, want %+v, %v", name, study, got, ok, err, want, there)
		}
	}
	mine, anns, shared := store.Note{Study: "coffee", Name: "settings", Rater: "", Body: `{"a":1}`}, store.Note{Study: "tea", Name: "link 1", Rater: "ann", Body: "ü"}, store.Note{Study: "tea", Name: "settings", Rater: "", Body: ""}
	find("coffee", "settings", store.Note{}, false)
	keep(store.Note{Study: "coffee", Name: "settings", Rater: "bob", Body: "before"})
	keep(mine)
	keep(anns)
	keep(shared)
	find("coffee", "settings", mine, true)
	find("tea", "settings", shared, true)
	find("", "link 1", anns, true)
	find("coffee", "link 1", store.Note{}, false)
	if err := s.KeepNote(ctx, store.Note{Study: "none", Name: "x"}); !errors.Is(err, store.ErrNoStudy) {
		t.Errorf("a note of no study: %v", err)
	}
	if err := s.KeepNote(ctx, store.Note{Name: "x"}); !errors.Is(err, store.ErrName) {
		t.Errorf("a note of a study without a name: %v", err)
	}
	for _, n := range []store.Note{{Study: "tea", Name: "link 1", Rater: "eve", Body: "too late"}, {Study: "none", Name: "x"}, {Study: "tea", Name: "new", Body: "in time"}} {
		if err := s.KeepNew(ctx, n); err != nil {
			t.Error(err)
		}
	}
	find("", "link 1", anns, true)
	find("", "new", store.Note{Study: "tea", Name: "new", Body: "in time"}, true)
	for _, rater := range []string{"ann", ""} { // what is about nobody is the study's
		if _, err := s.Forget(ctx, "tea", rater); err != nil {
			t.Fatal(err)
		}
	}
	find("", "link 1", store.Note{}, false)
	find("tea", "settings", shared, true)
	salt, ok, err := s.FindNote(ctx, "tea", store.Forgotten)
	if !ok || err != nil {
		t.Fatal("no salt", err)
	}
	mark := store.Mark(salt.Body, "ann")
	find("tea", mark, store.Note{Study: "tea", Name: mark}, true)
	if marks, err := s.Notes(ctx, "tea", store.Forgotten); len(marks) != 3 || err != nil || strings.Contains(mark+salt.Body, "ann") {
		t.Errorf("the marks are %+v, %v", marks, err)
	}
	if err := s.Delete(ctx, "tea"); err != nil {
		t.Fatal(err)
	}
	create(t, s, "tea")
	find("tea", "settings", store.Note{}, false)
	find("coffee", "settings", mine, true)
}

// testDerived: notes made from answers are listed, dropped, replaced, and gone when anybody is forgotten; one
// that was made before that is not kept afterwards.
func testDerived(t *testing.T, address string) {
	s := open(t, address)
	study := create(t, s, "tea")
	play(t, study, "ann", 1)
	play(t, study, "bob", 1)
	names := func(begins string, want ...string) {
		t.Helper()
		notes, err := s.Notes(ctx, "tea", begins)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range notes {
			got = append(got, n.Name+"="+n.Body)
		}
		if !slices.Equal(got, want) {
			t.Errorf("notes that begin with %q: %q, want %q", begins, got, want)
		}
	}
	for _, body := range []string{"old", "new"} {
		if err := s.KeepDerived(ctx, study, store.Derived+"report", body); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []string{"derived", "errand/2", "errand/1", "errant", "errand_%"} {
		if err := s.KeepNote(ctx, store.Note{Study: "tea", Name: n, Body: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.KeepDerived(ctx, study, "report", ""); err == nil || !strings.Contains(err.Error(), store.Derived) {
		t.Errorf("a derived note without the beginning of its name: %v", err)
	}
	names("errand/", "errand/1=x", "errand/2=x")
	names(store.Derived, "derived/report=new")
	for range 2 {
		if err := s.DropNote(ctx, "tea", "errand/1"); err != nil {
			t.Fatal(err)
		}
	}
	names("errand/", "errand/2=x")
	if _, err := s.Forget(ctx, "tea", "ann"); err != nil {
		t.Fatal(err)
	}
	names("derived", "derived=x")
	if err := s.KeepDerived(ctx, study, store.Derived+"report", "tells of ann"); !errors.Is(err, prefer.ErrConflict) {
		t.Errorf("a note made before somebody was forgotten: %v", err)
	}
	names("derived", "derived=x")
}
