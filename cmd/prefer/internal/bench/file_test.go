package bench

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFileMends cuts a file at every byte: what opens is its whole lines, and appending goes on from there.
func TestFileMends(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "results.jsonl")
	rows := []Row{
		{Problem: "branin2", Method: "kg", Setup: "paper", Answers: 8, Gap: 1},
		{Problem: "branin2", Method: "kg", Setup: "paper", Answers: 9, Iter: 1, Gap: 0.5},
	}
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := f.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Index(string(whole), "\n") + 1
	for n := range len(whole) + 1 {
		cut := filepath.Join(dir, "cut.jsonl")
		if err := os.WriteFile(cut, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFile(cut)
		if err != nil {
			t.Fatal(err)
		}
		have, want := last(f, rows[0].Key().Cell, "paper"), 0
		switch {
		case n == len(whole):
			want = 9
		case n >= line:
			want = 8
		}
		if have != want {
			t.Errorf("cut at byte %d: last row at %d answers, want %d", n, have, want)
		}
		for _, r := range rows {
			if r.Answers > have {
				if err := f.Add(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rows, rowsOfFile(t, cut)); diff != "" {
			t.Errorf("cut at byte %d: %s", n, diff)
		}
	}
}

func TestFileKeepsCellsApart(t *testing.T) {
	f, err := OpenFile(filepath.Join(t.TempDir(), "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cell := Cell{"branin2", 0.1, "kg", 3}
	row := Row{Problem: "branin2", Noise: 0.1, Method: "kg", Seed: 3, Setup: "paper", Answers: 12}
	if err := f.Add(row); err != nil {
		t.Fatal(err)
	}
	for _, other := range []Cell{{"levy6", 0.1, "kg", 3}, {"branin2", 0.3, "kg", 3}, {"branin2", 0.1, "eubo", 3}, {"branin2", 0.1, "kg", 4}} {
		if n := last(f, other, "paper"); n != 0 {
			t.Errorf("%v has %d answers, want 0", other, n)
		}
	}
	if last(f, cell, "paper") != 12 || last(f, cell, "default") != 0 {
		t.Errorf("%d and %d answers, want 12 and 0", last(f, cell, "paper"), last(f, cell, "default"))
	}
	row.Gap = math.NaN()
	if err := f.Add(row); err == nil {
		t.Error("a gap that is not a number is kept")
	}
}

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"text.jsonl": "not a row\n" + `{"problem":"levy6","method":"kg","gap":1}` + "\n",
		"notes.txt":  "half a line of somebody else's",
		"data.json":  `{"name":"one value","without":"a newline"}`,
		"mixed.txt":  "not a row\nnor half of one",
		"coffee.db":  "SQLite format 3\x00" + `and half a page: {"problem":`,
		"long.jsonl": strings.Repeat("x", 100_000), // far longer than half a row: not ours to cut
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenFile(path); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want an error that names the file", name, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != text {
			t.Errorf("%s was changed", name)
		}
	}
	if _, err := OpenFile(dir); err == nil {
		t.Error("a directory opens")
	}
}
