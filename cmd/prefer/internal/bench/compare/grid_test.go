package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGapGridsMissing: a series is shown with what it has; a column without a run is not shown.
func TestGapGridsMissing(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 0.25, 0.5, 0.75)
	fill(t, &table, branin, ours, 20, 0.125)
	fill(t, &table, branin, theirs, 15, 2, 2)
	o := Options{Series: []Series{ours, theirs, third}}.withDefaults(&table)
	grids := gapGrids(&table, o, o.positions())
	want := []Grid{{
		Caption: "branin2 at 30 % noise", Head: []string{"series", "seeds", "initial pairs", "15 answers", "20 answers"}, Labels: 1,
		Rows: [][]Cell{
			{{Text: "kg, default"}, {Text: "3"}, {Text: "4"}, {Text: "0.500", Detail: "[0.38, 0.62]", Strong: true}, {Text: "0.125", Detail: "[0.12, 0.12] n=1", Strong: true}},
			{{Text: "kg, botorch"}, {Text: "2"}, {Text: "4"}, {Text: "2.00", Detail: "[2.0, 2.0] 100 % stuck"}, {Text: "–"}},
		},
	}}
	if diff := cmp.Diff(want, grids); diff != "" {
		t.Error(diff)
	}
}

func TestComparisonGridsMissing(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 1, 2, 3, 4, 5)
	fill(t, &table, branin, theirs, 15, 10, 20, 30, 40, 50)
	fill(t, &table, quadratic, ours, 15, 1)
	fill(t, &table, quadratic, ours, 20, 1)
	fill(t, &table, quadratic, theirs, 20, 1)
	o := Options{Answers: []int{15, 20, 30}, Iters: []int{}}.withDefaults(&table)
	want := []Grid{{
		Caption: "kg, default against kg, botorch", Head: []string{"setting", "at", "verdict", "ratio", "won–lost"}, Labels: 2,
		Rows: [][]Cell{
			{{Text: "branin2 at 30 % noise"}, {Text: "15 answers"}, {Text: "better", Strong: true}, {Text: "0.10 [0.10, 0.10]"}, {Text: "5–0"}},
			{{Text: "quadratic2 at 10 % noise"}, {Text: "20 answers"}, {Text: "~"}, {Text: "1.0 [1.0, 1.0]"}, {Text: "0–0"}},
		},
	}}
	if diff := cmp.Diff(want, comparisonGrids(o, Comparisons(&table, o))); diff != "" {
		t.Error(diff)
	}
}

func TestMeasureGrids(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 2, 4, 6, 8, 10)
	fill(t, &table, branin, theirs, 15, 1, 2, 3, 4, 5)
	fill(t, &table, quadratic, ours, 15, 1)
	fill(t, &table, quadratic, theirs, 15, 1)
	grids := measureGrids(&table, Options{Iters: []int{}}.withDefaults(&table))
	want := []Grid{
		{
			Caption: "Geometric mean over settings", Labels: 1,
			Head: []string{"at", "settings", "ratio", "95 % interval", "wholly above 1", "left out: fewer than 5 seeds"},
			Rows: [][]Cell{{{Text: "15 answers"}, {Text: "1"}, {Text: "2.00", Strong: true}, {Text: "[2.0, 2.0]"}, {Text: "branin2 at 30 % noise"}, {Text: "quadratic2 at 10 % noise"}}},
		},
		{
			Caption: "By setting", Labels: 3,
			Head: []string{"at", "setting", "best of the baseline", "seeds", "our median", "its median", "ratio", "95 % interval", "our stuck", "its stuck"},
			Rows: [][]Cell{{
				{Text: "15 answers"}, {Text: "branin2 at 30 % noise"}, {Text: "kg, botorch"}, {Text: "5"}, {Text: "6.00"}, {Text: "3.00"},
				{Text: "2.00", Strong: true}, {Text: "[2.0, 2.0]"}, {Text: "100 %"}, {Text: "80 %"},
			}},
		},
	}
	if diff := cmp.Diff(want, grids); diff != "" {
		t.Error(diff)
	}
}
