package tastes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/problem"
)

// short is a plan of all shapes that is played in a second.
func short() Plan {
	return Plan{Tastes: 3, Seed: 4, Families: []string{"smooth", "conjoint"}, Dims: []int{2}, Raters: []string{"exact", "skips"}, Methods: []string{"kg", "random"}, Marks: []int{4, 6}}
}

func run(t *testing.T, p Plan, path string) []Study {
	t.Helper()
	f, err := bench.OpenRows[key, Study](path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, err := p.Run(context.Background(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// byKey returns what must not depend on anything but the study: all but the seconds, to the last bit.
func byKey(studies []Study) map[key]string {
	out := map[key]string{}
	for _, s := range studies {
		out[s.Key()] = fmt.Sprint(s.Family, s.Shape, s.Range, s.Sigma, s.Picks)
	}
	return out
}

// TestRun: what is played depends neither on the jobs nor on a file that was cut off in the middle of a line.
func TestRun(t *testing.T) {
	p := short()
	p.Jobs = 1
	path := filepath.Join(t.TempDir(), "tastes.jsonl")
	one := byKey(run(t, p, path))
	if len(one) != 3*2*2*2 {
		t.Fatalf("%d studies, want 24", len(one))
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines[:10], "")+lines[10][:20]), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Jobs = 3
	three := byKey(run(t, p, path))
	for k, s := range one {
		if three[k] != s {
			t.Errorf("%+v: %s, want %s", k, three[k], s)
		}
	}
	again, err := os.ReadFile(path)
	if err != nil || strings.Count(string(again), "\n") != 24 || !strings.HasPrefix(string(again), strings.Join(lines[:10], "")) {
		t.Errorf("%d lines, want 24 that begin with those of before; %v", strings.Count(string(again), "\n"), err)
	}
	calls := 0
	f, err := bench.OpenRows[key, Study](path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := p.Run(context.Background(), f, func(played, of int) {
		if calls++; played != 24 || of != 24 {
			t.Errorf("%d of %d are there, want all", played, of)
		}
	}); err != nil || calls != 1 {
		t.Errorf("%d calls, %v: something is played again", calls, err)
	}
}

// TestSameStart: after the initial pairs methods have heard the same, and so has a variant that leaves the model alone.
func TestSameStart(t *testing.T) {
	p := short()
	p.Raters, p.Marks, p.Modelling.Initial, p.Modelling.Alternatives = []string{"ordinary"}, []int{4, 9}, "4", "none"
	all := run(t, p, "")
	p.Modelling.Margin = -1
	all = append(all, run(t, p, "")...)
	first, last := map[taste][]float64{}, map[taste][]float64{}
	for _, s := range all {
		first[s.taste] = append(first[s.taste], s.Picks[0].Gap)
		last[s.taste] = append(last[s.taste], s.Picks[1].Gap)
	}
	apart := 0
	for k, gaps := range first {
		if len(gaps) != 4 || slices.Max(gaps) != slices.Min(gaps) {
			t.Errorf("%v: gaps %v after the same answers", k, gaps)
		}
		if l := last[k]; slices.Max(l) != slices.Min(l) {
			apart++
		}
	}
	if apart == 0 {
		t.Error("methods and margins make no difference")
	}
}

// TestGap: the gap of a list is that of an item, and soon that of the best one if the rater is exact.
func TestGap(t *testing.T) {
	o := problem.TasteOptions{Family: "own", Shape: problem.PlainList}
	p := Plan{Tastes: 4, Shape: "plain", Raters: []string{"exact"}, Methods: []string{"kg"}, Marks: []int{2, 60}, Families: []string{"own"}}
	found := 0
	for _, s := range run(t, p, "") {
		of, err := problem.NewTaste(0, s.Number, o)
		if err != nil {
			t.Fatal(err)
		}
		var gaps []float64
		for i := range of.Items {
			gaps = append(gaps, of.Max-of.Utility([]float64{float64(i)}))
		}
		for _, pick := range s.Picks {
			if !slices.Contains(gaps, pick.Gap) {
				t.Errorf("taste %d: a gap of %g, but no item has it", s.Number, pick.Gap)
			}
		}
		if s.Range != of.Max-of.Mean || s.Sigma != of.Sigma || s.Kind != "smooth" {
			t.Errorf("taste %d: %+v", s.Number, s)
		}
		if s.Picks[1].Gap == 0 {
			found++
		}
	}
	if found < 3 {
		t.Errorf("%d of 4 found the best item of sixty in sixty answers", found)
	}
}
