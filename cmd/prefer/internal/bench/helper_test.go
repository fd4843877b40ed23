package bench

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/problem"
)

// sigma is a rater's noise that needs no calibration.
func sigma(v float64) *float64 { return &v }

// tiny returns a sweep of a second or so: cells of every kind that matters, a few questions each.
func tiny() *Sweep {
	s := &Sweep{Runner: Runner{Setup: Setup{Sigma: sigma(0.1)}, Questions: 3, Now: time.Now}, Jobs: 1}
	s.Cells, _ = Grid{Problems: []string{"quadratic2", "branin2"}, Noise: []float64{0.1}, Methods: []string{"eubo", "random"}, Seeds: []uint64{3, 0}}.Cells()
	return s
}

// result runs a sweep into a fresh file and returns its rows.
func result(t *testing.T, s *Sweep) []Row {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.jsonl")
	sweepInto(t, s, path)
	return rowsOfFile(t, path)
}

func sweepInto(t *testing.T, s *Sweep, path string) {
	t.Helper()
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// rowsOfFile returns the rows of a file without their seconds, by cell and answer.
func rowsOfFile(t *testing.T, path string) []Row {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	err = ReadRows(bytes.NewReader(data), path, func(r Row) error {
		r.FitSeconds, r.AskSeconds, r.RecommendSeconds, r.CPUSeconds = 0, 0, 0, 0
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Key().Cell.String(), b.Key().Cell.String()), cmp.Compare(a.Answers, b.Answers))
	})
	return rows
}

func mustProblem(t *testing.T, name string) problem.Problem {
	t.Helper()
	p, err := problem.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
