package compare

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestWrite: the same rows make the same bytes, whatever was there before.
func TestWrite(t *testing.T) {
	read := func(dir string) map[string][]byte {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string][]byte{}
		for _, e := range entries {
			if out[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	dir := filepath.Join(t.TempDir(), "new", "out")
	var before map[string][]byte
	for range 2 {
		if err := Write(dir, small(t), Options{}); err != nil {
			t.Fatal(err)
		}
		after := read(dir)
		if before == nil {
			before = after
		}
		names := []string{"gaps-noise-0.1.svg", "gaps-noise-0.3.svg", "gaps-noise-0.svg", "gaps.svg", "report.html", "report.md", "summary.csv"}
		for _, name := range names {
			if len(after[name]) == 0 {
				t.Errorf("%s is missing or empty", name)
			}
			if !bytes.Equal(before[name], after[name]) {
				t.Errorf("%s differs the second time", name)
			}
		}
		if len(after) != len(names) {
			t.Errorf("%d files, want %d", len(after), len(names))
		}
	}
}

func TestWriteErrors(t *testing.T) {
	if err := Write(t.TempDir(), &Table{}, Options{}); err == nil {
		t.Error("a report on nothing")
	}
	blocked := file(t, "blocked", "a file where the directory should be")
	if err := Write(blocked, small(t), Options{}); err == nil {
		t.Error("a report inside a file")
	}
}
