package sqlstore

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// TestSQLiteFlips turns over single bits of a file. A study opens as it was, or not at all: none is read that has changed. With
// SOAK=1 it turns over as many as it takes to be sure.
func TestSQLiteFlips(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, name := range []string{"coffee", "tea", "wine"} {
		study := create(t, s, name)
		play(t, study, "ann of "+name, 20)
		play(t, study, "bob of "+name, 15)
		want[name] = lines(t, study.Events(0))
	}
	if err := s.KeepNote(ctx, store.Note{Study: "tea", Name: "settings", Body: "{}"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil { // empties the write-ahead log into the file
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flips := 40
	if os.Getenv("SOAK") != "" {
		flips = 3000
	}
	luck := rand.New(rand.NewPCG(16, 16))
	counts := map[string]int{}
	for range flips {
		at, bit := luck.IntN(len(data)), byte(1)<<luck.IntN(8)
		data[at] ^= bit
		if err := errors.Join(os.Remove(path), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
		data[at] ^= bit
		found, changed := flipped(t, path, want)
		switch {
		case changed != "":
			counts["changed"]++
			t.Errorf("bit %#x of byte %d: %s", bit, at, changed)
		case found:
			counts["found"]++
		default:
			counts["as it was"]++
		}
	}
	t.Logf("%d bits of %d kB: %d found, %d left every event as it was, %d changed an event and passed", flips, len(data)>>10, counts["found"], counts["as it was"], counts["changed"])
	if counts["found"] == 0 || counts["as it was"] == 0 {
		t.Errorf("%v: the flips hit nothing", counts)
	}
}

// flipped reports whether damage was found, and a study that opens and is not as it was.
func flipped(t *testing.T, path string, want map[string]string) (found bool, changed string) {
	t.Helper()
	damage := func(err error) bool {
		if !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrNewer) && !errors.Is(err, prefer.ErrNewer) {
			t.Logf("found, and called %v", err)
		}
		return true
	}
	s, err := Open(ctx, path, Options{ReadOnly: true})
	if err != nil {
		return damage(err), ""
	}
	defer s.Close()
	for name, log := range want {
		got, err := s.Events(ctx, name)
		switch {
		case err != nil:
			found = damage(err)
		case lines(t, got) != log:
			return false, "study " + name + " is read with other events"
		}
	}
	if err := s.Check(ctx); err != nil {
		found = damage(err)
	} else if found {
		return true, "opening finds damage and a check does not"
	}
	return found, ""
}
