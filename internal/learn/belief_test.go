package learn

import (
	"context"
	"slices"
	"testing"
)

// TestForemost: of many options the best thousand stay, in their order, by the means that each has alone.
func TestForemost(t *testing.T) {
	fit, err := (&Cache{Model: tiesModel()}).Get(context.Background(), Evidence{Duels: simulated(30, 2, 3), Raters: []string{""}})
	if err != nil {
		t.Fatal(err)
	}
	var rows []float64
	for i := range 2500 {
		rows = append(rows, float64(i%50)/50, float64(i)/2500)
	}
	if got := fit.Belief.Foremost(rows[:2*foremost]); len(got) != 2*foremost {
		t.Errorf("of %d options %d", foremost, len(got)/2)
	}
	means := func(x []float64) (out []float64) {
		for row := range slices.Chunk(x, 2) {
			mean, _ := fit.Belief.At(row)
			out = append(out, mean)
		}
		return out
	}
	all := means(rows)
	least := slices.Sorted(slices.Values(all))[len(all)-foremost] - 1e-9
	var want []float64
	for i, v := range all {
		if v >= least {
			want = append(want, rows[2*i:2*i+2]...)
		}
	}
	if got := fit.Belief.Foremost(rows); !slices.Equal(got, want) {
		t.Errorf("%d options, want the best %d", len(got)/2, len(want)/2)
	}
}
