package compare

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench"
	"github.com/prefer-bo/prefer/problem"
)

// TestMissed: means over seeds and then over settings, however many seeds each has; a problem nobody knows is left out.
func TestMissed(t *testing.T) {
	span := func(name string) float64 {
		p, err := problem.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		return p.Optimum - p.Mean()
	}
	var table Table
	add := func(name string, seed uint64, share, by float64) {
		row := bench.Row{Problem: name, Noise: 0.1, Method: "kg", Setup: "default", Seed: seed, Iter: 5, Answers: 15, Gap: share * by}
		if err := table.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	for seed, share := range []float64{0.1, 0.2, 0.6} {
		add("branin2", uint64(seed), share, span("branin2"))
	}
	add("ackley6", 0, 0.5, span("ackley6"))
	add("mine", 0, 0.5, 1)
	s, p := Series{"default", "kg"}, Position{Answers, 15}
	m := table.Missed(s, p)
	if len(m.Groups) != 2 || math.Abs(m.Mean.Value-0.4) > 1e-12 {
		t.Fatalf("%+v, want the mean of 0.3 and 0.5", m)
	}
	if v := m.Shares[1]; m.Groups[1] != (Group{"branin2", 0.1}) || math.Abs(v.Value-0.3) > 1e-12 || math.Abs(v.Lower-0.1) > 1e-12 || math.Abs(v.Upper-0.6) > 1e-12 {
		t.Errorf("branin2: %+v, want 0.3 and, of 27 resamples one each being all smallest and all largest, 0.1 to 0.6", v)
	}
	if math.Abs(m.Mean.Lower-0.3) > 1e-12 || math.Abs(m.Mean.Upper-0.55) > 1e-12 {
		t.Errorf("%+v, want 0.3 to 0.55", m.Mean)
	}
	if none := table.Missed(Series{"default", "eubo"}, p); len(none.Groups) != 0 || !math.IsNaN(none.Mean.Value) {
		t.Errorf("nothing is known of eubo: %+v", none)
	}
	o := Options{Answers: []int{15, 20}}.withDefaults(&table)
	grids := missedGrids(&table, o)
	if row := grids[0].Rows[0]; len(grids[0].Rows) != 1 || row[0].Text != "15 answers" || row[2].Text != "2" || row[3].Text != "0.40" || len(row) != 5 {
		t.Errorf("%+v", grids[0].Rows)
	}
	if rows := grids[1].Rows; len(rows) != 2 || rows[1][3].Text != "0.30" {
		t.Errorf("%+v", rows)
	}
}
