package bench

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// planOf makes a plan with a clock that moves a second at every look: three for each question, to choose
// it, to fit and to find x̂.
func planOf(t *testing.T, s *Sweep, path string) Plan {
	t.Helper()
	var mu sync.Mutex
	clock := stepping()
	s.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return clock()
	}
	f, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Plan(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPlan: where every question costs the same, the integral is questions × cost, at any number of them.
func TestPlan(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.jsonl")
	for _, questions := range []int{0, 1, 3, 4, 5, 12} {
		s := tiny()
		s.Questions = questions
		p := planOf(t, s, none)
		each := time.Duration(questions) * 3 * time.Second
		want := Plan{Setup: "default sigma=0.1", Questions: questions, Jobs: 1, Cells: 8, Wall: 8 * each, Costs: []Cost{
			{Problem: "quadratic2", Method: "eubo", Cells: 2, Wall: 2 * each}, {Problem: "quadratic2", Method: "random", Cells: 2, Wall: 2 * each},
			{Problem: "branin2", Method: "eubo", Cells: 2, Wall: 2 * each}, {Problem: "branin2", Method: "random", Cells: 2, Wall: 2 * each},
		}}
		if diff := cmp.Diff(want, p, cmpopts.IgnoreFields(Plan{}, "CPU"), cmpopts.IgnoreFields(Cost{}, "CPU", "First", "Last")); diff != "" {
			t.Errorf("%d questions: %s", questions, diff)
		}
		var sum time.Duration
		for _, k := range p.Costs {
			sum += k.CPU
			if (k.CPU > 0) != (questions > 0) || (k.First > 0) != (questions > 0) || (k.Last > 0) != (questions > 0) {
				t.Errorf("%d questions: %+v", questions, k)
			}
		}
		if p.CPU != sum {
			t.Errorf("%v in all, %v in parts", p.CPU, sum)
		}
	}
}

// TestPlanOfTheRest: cells that are done cost nothing, and jobs share the rest, but a cell is not shared.
func TestPlanOfTheRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	s := tiny()
	all := s.Cells
	s.Cells = all[:5]
	sweepInto(t, s, path)
	s.Cells = all
	p := planOf(t, s, path)
	var left []string
	for _, k := range p.Costs {
		left = append(left, k.Problem+" "+k.Method)
	}
	if diff := cmp.Diff([]string{"quadratic2 random", "branin2 eubo", "branin2 random"}, left); diff != "" {
		t.Error(diff)
	}
	if p.Cells != 8 || p.CellsDone != 5 || p.Wall != 27*time.Second {
		t.Errorf("%+v: want 5 of 8 cells done and 27 s for the rest", p)
	}
	s.Cells, s.Jobs = all[5:6], 8
	if p := planOf(t, s, path); p.Jobs != 1 || p.Wall != 9*time.Second {
		t.Errorf("%d jobs, %v: want 1 and 9 s for a single cell", p.Jobs, p.Wall)
	}
	s.Cells = all[:5]
	if p := planOf(t, s, path); p.CPU != 0 || p.Wall != 0 || len(p.Costs) != 0 {
		t.Errorf("%+v: want nothing to do", p)
	}
}

func TestPlanErrors(t *testing.T) {
	f, err := ReadFile(filepath.Join(t.TempDir(), "none.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s := tiny()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := s.Plan(ctx, f); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	s.Designs, _ = NewDesigns(nil, nil, []uint64{0}, 4)
	if _, err := s.Plan(context.Background(), f); err == nil || !strings.Contains(err.Error(), "no seed 3") {
		t.Errorf("%v, want an error that names the seed", err)
	}
}
