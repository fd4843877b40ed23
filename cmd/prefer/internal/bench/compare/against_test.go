package compare

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var baseline = []Series{theirs, third}

// TestAgainstConstant: ours is half of the best of the baseline at every seed of one group and a fifth in
// the other, so the mean is √(1/10) in every resample.
func TestAgainstConstant(t *testing.T) {
	var table Table
	for g, factor := range map[Group]float64{branin: 0.5, quadratic: 0.2} {
		for seed := range 6 {
			gap := 1 / float64(1+seed)
			add(t, &table, row(g, ours, uint64(seed), 15, factor*gap), row(g, third, uint64(seed), 15, gap), row(g, theirs, uint64(seed), 15, 3*gap))
		}
	}
	m := table.Against(ours, baseline, at15)
	v := math.Sqrt(0.1)
	if want := (Interval{v, v, v}); !closeInterval(m.Mean, want) {
		t.Errorf("mean %v, want %v", m.Mean, want)
	}
	if len(m.Groups) != 2 || len(m.Above) != 0 || len(m.Thin) != 0 {
		t.Fatalf("%+v", m)
	}
	if r := m.Groups[0]; r.Group != branin || r.Best != third || r.N != 6 || !closeInterval(r.Ratio, Interval{0.5, 0.5, 0.5}) {
		t.Errorf("%+v", r)
	}
	m = table.Against(third, []Series{ours}, at15)
	if diff := cmp.Diff([]Group{branin, quadratic}, m.Above); diff != "" {
		t.Errorf("above 1: %s", diff)
	}
}

// TestAgainstChoice: two baselines that are equally good over all seeds and good at different ones. Either
// alone is as good as ours; a resample takes the luckier, and never a ratio below the one that either gives.
func TestAgainstChoice(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 2, 2, 2, 2, 2, 2, 2)
	fill(t, &table, branin, theirs, 15, 1, 1, 1, 2, 3, 3, 3)
	fill(t, &table, branin, third, 15, 3, 3, 3, 2, 1, 1, 1)
	both := table.Against(ours, baseline, at15).Groups[0].Ratio
	for _, s := range baseline {
		one := table.Against(ours, []Series{s}, at15).Groups[0].Ratio
		if one.Value != 1 || !near(one.Lower, 2./3) || !near(one.Upper, 2) {
			t.Errorf("%v alone: %v", s, one)
		}
		if both.Value != 1 || both.Lower < one.Lower || both.Upper < one.Upper {
			t.Errorf("the better of two: %v, one: %v", both, one)
		}
	}
	if both.Lower != 1 { // a resample with a median of 3 for the one has 1 for the other
		t.Errorf("the better of two: %v, want at least 1", both)
	}
}

// TestAgainstJoint: groups with the same seeds are resampled together: here the ratios are reciprocal, so
// the mean is 1 in every resample, which independent resamples would spread.
func TestAgainstJoint(t *testing.T) {
	var table Table
	gaps := []float64{1, 2, 4, 8, 16}
	fill(t, &table, branin, ours, 15, gaps...)
	fill(t, &table, branin, theirs, 15, 3, 3, 3, 3, 3)
	fill(t, &table, quadratic, ours, 15, 3, 3, 3, 3, 3)
	fill(t, &table, quadratic, theirs, 15, gaps...)
	m := table.Against(ours, []Series{theirs}, at15)
	if !closeInterval(m.Mean, Interval{1, 1, 1}) {
		t.Errorf("mean %v, want 1", m.Mean)
	}
	if r := m.Groups[0].Ratio; !(r.Lower < 0.5 && r.Upper > 2) {
		t.Errorf("one group: %v", r)
	}
}

func TestAgainstThin(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 1, 1, 1, 1, 5)
	fill(t, &table, branin, theirs, 15, 1, 1, 1, 1, 2)
	fill(t, &table, quadratic, ours, 15, 1, 1, 1, 1)
	fill(t, &table, quadratic, theirs, 15, 1, 1, 1, 1)
	m := table.Against(ours, baseline, at15) // nobody has third
	if len(m.Groups) != 1 || m.Groups[0].N != 5 {
		t.Fatalf("%+v", m)
	}
	if r := m.Groups[0]; r.OurStuck != 0.2 || r.BestStuck != 0.2 { // above 1 on branin2
		t.Errorf("stuck %v and %v, want a fifth each", r.OurStuck, r.BestStuck)
	}
	if diff := cmp.Diff([]Group{quadratic}, m.Thin); diff != "" {
		t.Error(diff)
	}
	// Three or more of five draws are the last seed with probability 5.8 %, which the upper end sees.
	if r := m.Groups[0].Ratio; !closeInterval(r, Interval{1, 1, 2.5}) || len(m.Above) != 0 {
		t.Errorf("ratio %v, above 1: %v", r, m.Above)
	}
	if m := table.Against(ours, nil, at15); len(m.Groups) != 0 || !math.IsNaN(m.Mean.Value) || !math.IsNaN(m.Mean.Upper) {
		t.Errorf("no baseline: %+v", m)
	}
}
