package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSweepJobs(t *testing.T) {
	one := result(t, tiny())
	if len(one) != 8*4 {
		t.Fatalf("%d rows, want 4 of each of 8 cells", len(one))
	}
	two := tiny()
	two.Jobs = 2
	if diff := cmp.Diff(one, result(t, two)); diff != "" {
		t.Errorf("two jobs differ from one: %s", diff)
	}
}

func TestSweepAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	s := tiny()
	s.Cells = s.Cells[:2]
	sweepInto(t, s, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var told []Progress
	s.Progress = func(p Progress) { told = append(told, p) }
	sweepInto(t, s, path)
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Error("a sweep that is finished writes")
	}
	if want := []Progress{{Cells: 2, CellsDone: 2, Rows: 6, RowsDone: 6}}; !cmp.Equal(told, want) {
		t.Errorf("progress %+v, want %+v", told, want)
	}
	// More questions are added to what is there, and come out as if asked at once.
	s.Questions = 5
	sweepInto(t, s, path)
	if diff := cmp.Diff(result(t, s), rowsOfFile(t, path)); diff != "" {
		t.Error(diff)
	}
}

// TestSweepProgress: one call at the start, then one per row, with counts that only grow.
func TestSweepProgress(t *testing.T) {
	s := tiny()
	s.Cells, s.Jobs = s.Cells[:4], 2
	var told []Progress
	s.Progress = func(p Progress) { told = append(told, p) }
	result(t, s)
	if len(told) != 1+4*4 {
		t.Fatalf("%d calls, want 17", len(told))
	}
	for i, p := range told[1:] {
		if p.RowsDone < told[i].RowsDone || p.CellsDone < told[i].CellsDone || p.Cells != 4 || p.Rows != 12 {
			t.Errorf("%+v after %+v", p, told[i])
		}
	}
	if end := told[len(told)-1]; end.CellsDone != 4 || end.RowsDone != 12 {
		t.Errorf("the last call has %+v", end)
	}
}

// TestSweepStops: a sweep whose context ends keeps its rows, says why it stopped, and goes on later.
func TestSweepStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	why := errors.New("enough")
	s := tiny()
	ctx, stop := context.WithCancelCause(context.Background())
	s.Progress = func(p Progress) {
		if p.RowsDone == 5 {
			stop(why)
		}
	}
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(ctx, f); !errors.Is(err, why) {
		t.Errorf("stopped with %v, want %v", err, why)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(rowsOfFile(t, path)); n != 7 { // 5 questions, and the initial pairs of two cells
		t.Errorf("%d rows were kept, want 7", n)
	}
	sweepInto(t, tiny(), path)
	if diff := cmp.Diff(result(t, tiny()), rowsOfFile(t, path)); diff != "" {
		t.Error(diff)
	}
}

func TestSweepErrors(t *testing.T) {
	for want, change := range map[string]func(*Sweep){
		`model "papr"`:            func(s *Sweep) { s.Setup.Model = "papr" },
		`unknown problem "brann"`: func(s *Sweep) { s.Cells = []Cell{{Problem: "brann"}} },
		"no seed 3":               func(s *Sweep) { s.Designs, _ = NewDesigns(nil, nil, []uint64{0}, 4) },
	} {
		s := tiny()
		change(s)
		f, err := OpenFile(filepath.Join(t.TempDir(), "results.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background(), f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %s", err, want)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
