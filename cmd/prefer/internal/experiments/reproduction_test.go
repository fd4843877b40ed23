package experiments

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/compare"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/figure"
)

// TestGaps: three seeds with gaps 1, 2 and 9, halved by the question; another method is missing.
func TestGaps(t *testing.T) {
	r := &reproduction{setup: bench.Setup{Modelling: bench.Modelling{Model: "paper"}}, grid: bench.Grid{Problems: []string{"hartmann6"}, Methods: []string{"kg", "eubo"}}, questions: 1, table: &compare.Table{}}
	for seed, gap := range []float64{1, 2, 9} {
		for iter := range 2 {
			row := bench.Row{Problem: "hartmann6", Noise: 0.3, Method: "kg", Setup: "paper", Seed: uint64(seed), Iter: iter, Answers: 24 + iter, Gap: gap / float64(1+iter)}
			if err := r.table.Add(row); err != nil {
				t.Fatal(err)
			}
		}
	}
	x, e := []float64{0, 1}, math.Sqrt((9.0+4+25)/2/3)
	for statistic, kg := range map[string]figure.Curve{
		"mean":   {Method: "kg", X: x, Median: []float64{4, 2}, Lower: []float64{4 - e, 2 - e/2}, Upper: []float64{4 + e, 2 + e/2}},
		"median": {Method: "kg", X: x, Median: []float64{2, 1}, Lower: []float64{1.5, 0.75}, Upper: []float64{5.5, 2.75}},
	} {
		want := []figure.Panel{{Title: "Hartmann, 6-D", Curves: []figure.Curve{kg, {Method: "eubo"}}}}
		if diff := cmp.Diff(want, r.gaps(0.3, statistic).Panels, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s: %s", statistic, diff)
		}
	}
}
