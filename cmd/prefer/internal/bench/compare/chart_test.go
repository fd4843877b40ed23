package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/figure"
)

func TestGapPanel(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 1, 2, 4, 8)
	fill(t, &table, branin, ours, 17, 1, 3)
	fill(t, &table, branin, ours, 18, 1) // a quarter of the seeds: not drawn
	o := Options{}.withDefaults(&table)
	want := figure.Panel{
		Title: "branin2 at 30 % noise", Start: 4,
		Curves: []figure.Curve{{Method: "kg", Setup: "default", X: []float64{15, 17}, Median: []float64{3, 2}, Lower: []float64{1.75, 1.5}, Upper: []float64{5, 2.5}}},
	}
	if diff := cmp.Diff(want, gapPanel(&table, o, branin)); diff != "" {
		t.Error(diff)
	}

	// Another size of the initial design has another end, a stack that counts no answers no place.
	later := row(branin, theirs, 1, 16, 0.5)
	later.Iter = 8
	add(t, &table, later, bench.Row{Problem: "branin2", Noise: 0.3, Setup: "other", Method: "kg", Iter: 3, Gap: 1})
	want.Start = 0
	want.Curves = append([]figure.Curve{{Method: "kg", Setup: "botorch", X: []float64{16}, Median: []float64{0.5}, Lower: []float64{0.5}, Upper: []float64{0.5}}}, want.Curves...)
	if diff := cmp.Diff(want, gapPanel(&table, Options{}.withDefaults(&table), branin)); diff != "" {
		t.Error(diff)
	}
}

func TestGapSection(t *testing.T) {
	files := func(table *Table) (out []string) {
		for _, f := range gapSection(table, Options{}.withDefaults(table)).Figures {
			out = append(out, f.Caption+": "+f.File)
		}
		return out
	}
	want := []string{"All settings: gaps.svg", "Without noise: gaps-noise-0.svg", "At 10 % noise: gaps-noise-0.1.svg", "At 30 % noise: gaps-noise-0.3.svg"}
	if diff := cmp.Diff(want, files(small(t))); diff != "" {
		t.Error(diff)
	}

	var one, blind Table
	fill(t, &one, branin, ours, 15, 1)
	fill(t, &one, branin, ours, 16, 1)
	if diff := cmp.Diff([]string{"At 30 % noise: gaps.svg"}, files(&one)); diff != "" {
		t.Errorf("one noise level: %s", diff)
	}
	add(t, &blind, bench.Row{Problem: "branin2", Setup: "other", Method: "kg", Iter: 3, Gap: 1})
	if got := files(&blind); got != nil {
		t.Errorf("figures %v of a stack that counts no answers", got)
	}
}
