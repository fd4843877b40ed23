package sqlstore

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

func testNames(t *testing.T, address string) {
	s := open(t, address)
	for _, name := range []string{"a", "espresso, März", strings.Repeat("ü", 200), "...", "👩\u200d🔬", "a.b\\c", "'; DROP TABLE prefer_studies; --"} {
		create(t, s, name)
		study(t, s, name)
	}
	for _, name := range []string{"", strings.Repeat("ü", 201), "a/b", "a\nb", "a\x00b", "\x7f", "\xff"} {
		_, created := s.Create(ctx, name, config())
		_, opened := s.Study(ctx, name)
		_, forgot := s.Forget(ctx, name, "ann")
		for _, err := range []error{created, opened, forgot, s.Delete(ctx, name), s.Import(ctx, name, nil)} {
			if !errors.Is(err, store.ErrName) {
				t.Errorf("name %q: %v, want store.ErrName", name, err)
			}
		}
	}
	kept := events(t, s, "a")
	for _, name := range []string{".", "..", " ", " a", "a\u00a0", "a\u202eb", "\u2066a", "a\u200bb", "a\ufeff"} {
		_, created := s.Create(ctx, name, config())
		for _, err := range []error{created, s.Import(ctx, name, kept)} {
			if !errors.Is(err, store.ErrName) || !strings.Contains(err.Error(), strconv.Quote(name)) {
				t.Errorf("name %q: %v, want store.ErrName and the name", name, err)
			}
		}
		if _, err := s.db.ExecContext(ctx, "UPDATE prefer_studies SET name = $1 WHERE name = 'a'", name); err != nil { // one of before
			t.Fatal(err)
		}
		study(t, s, name)
		if _, err := s.db.ExecContext(ctx, "UPDATE prefer_studies SET name = 'a' WHERE name = $1", name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Create(ctx, "a", config()); !errors.Is(err, store.ErrExists) {
		t.Errorf("a name for the second time: %v, want store.ErrExists", err)
	}
	if err := s.Import(ctx, "a", events(t, s, "a")); !errors.Is(err, store.ErrExists) {
		t.Errorf("a name for the third time: %v, want store.ErrExists", err)
	}
	_, forgot := s.Forget(ctx, "b", "ann")
	_, read := s.Events(ctx, "b")
	for _, err := range []error{s.Delete(ctx, "b"), s.Update(ctx, "b", nil), forgot, read} {
		if !errors.Is(err, store.ErrNoStudy) || !strings.Contains(err.Error(), `"b"`) {
			t.Errorf("a study that is not there: %v, want store.ErrNoStudy and its name", err)
		}
	}
	cfg := config()
	cfg.Journal = &journal{}
	if _, err := s.Create(ctx, "c", cfg); err == nil || !strings.Contains(err.Error(), "Config.Journal") {
		t.Errorf("a study with a journal: %v", err)
	}
	if _, err := s.Create(ctx, "c", prefer.Config{}); err == nil {
		t.Error("a study without a space was created")
	}
	if _, err := s.Study(ctx, "c"); !errors.Is(err, store.ErrNoStudy) {
		t.Errorf("after two refusals: %v, want store.ErrNoStudy", err)
	}
}
