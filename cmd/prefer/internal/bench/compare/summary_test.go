package compare

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestSummaries(t *testing.T) {
	var table Table
	fill(t, &table, branin, ours, 15, 8, 0.5, 1, 2) // 8 and 2 are above 1, 1 is not
	fill(t, &table, branin, theirs, 15, 0.25)
	fill(t, &table, branin, third, 16, 0.25)
	nan := math.NaN()
	want := []Summary{
		{Series: third, Q1: nan, Median: nan, Q3: nan, Mean: nan, Error: nan, Stuck: nan},
		{Series: theirs, N: 1, Q1: 0.25, Median: 0.25, Q3: 0.25, Mean: 0.25, Error: nan},
		{Series: ours, N: 4, Q1: 0.875, Median: 1.5, Q3: 3.5, Mean: 2.875, Error: math.Sqrt(36.1875 / 3 / 4), Stuck: 0.5},
	}
	for _, p := range []Position{{Answers, 15}, {Iter, 11}} {
		if diff := cmp.Diff(want, table.Summaries(branin, p), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%v: %s", p, diff)
		}
	}
}

// TestSummariesFar: without a threshold the smallest median of the group decides what is far.
func TestSummariesFar(t *testing.T) {
	var table Table
	for _, answers := range []int{4, 6, 8} { // iter 0, 2, 4
		fill(t, &table, quadratic, ours, answers, 1, 1.2, 0.1, 0.1)
	}
	at := Position{Iter, 4}
	if got := table.Summaries(quadratic, at)[0].Stuck; got != 0 {
		t.Errorf("alone, median 0.55: stuck %v", got)
	}
	fill(t, &table, quadratic, theirs, 8, 0.1, 0.1, 0.11)
	if got := table.Summaries(quadratic, at)[1].Stuck; got != 0.25 { // only 1.2 is over 10 times 0.1
		t.Errorf("beside a median of 0.1: stuck %v, want 0.25", got)
	}
}

// TestQuantile: by hand from h = (n−1)p. Of 1, 2, 4, 8 the lower quartile is at h = 0.75: 1 + 0.75·1; R's
// quantile(c(1, 2, 4, 8)) prints 1.00 1.75 3.00 5.00 8.00.
func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		values []float64
		p      float64
		want   float64
	}{
		{[]float64{1, 2, 4, 8}, 0, 1}, {[]float64{1, 2, 4, 8}, 0.25, 1.75}, {[]float64{1, 2, 4, 8}, 0.5, 3},
		{[]float64{1, 2, 4, 8}, 0.75, 5}, {[]float64{1, 2, 4, 8}, 1, 8},
		{[]float64{1, 2, 4}, 0.5, 2}, {[]float64{1, 2, 4}, 0.25, 1.5}, {[]float64{7}, 0.25, 7},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, 0.5, 0},
	} {
		if got := quantile(c.values, c.p); got != c.want {
			t.Errorf("quantile %v of %v = %v, want %v", c.p, c.values, got, c.want)
		}
	}
	if got := quantile(nil, 0.5); !math.IsNaN(got) {
		t.Errorf("median of nothing = %v", got)
	}
	if got := median([]float64{8, 1, 4, 2}); got != 3 {
		t.Errorf("median = %v, want 3", got)
	}
}

func TestStuck(t *testing.T) {
	// gaps at iter 0, 1, 2, …
	run := func(gaps ...float64) *Run {
		var r Run
		for i, gap := range gaps {
			r.points = append(r.points, point{answers: int32(4 + i), iter: int32(i), gap: gap})
		}
		return &r
	}
	for _, c := range []struct {
		name    string
		problem string
		run     *Run
		iter    int
		best    float64
		want    bool
	}{
		{"beside the third optimum", "branin2", run(5, 1.55, 1.55), 2, 0.01, true},
		{"at the threshold", "branin2", run(5, 1, 1), 2, 0.01, false},
		{"far and flat", "levy6", run(9, 9, 8, 8, 8), 4, 0.5, true},
		{"flat, not far", "levy6", run(9, 9, 8, 8, 8), 4, 0.8, false},
		{"far, on its way: 8 a half ago", "levy6", run(9, 9, 8, 8, 7.6), 4, 0.5, false},
		{"far, fallen by under 5 %", "levy6", run(9, 9, 8, 8, 7.61), 4, 0.5, true},
		{"fallen since a half ago, not since the last", "levy6", run(9, 9, 30, 8, 8), 4, 0.5, false},
		{"odd: half of 3 questions ago is iter 1", "levy6", run(9, 8, 1, 8), 3, 0.5, true},
		{"risen", "levy6", run(9, 1, 2, 8), 3, 0.5, true},
		{"no question yet", "levy6", run(9, 9), 0, 0.5, false},
		{"not there", "branin2", run(9, 9), 5, 0.5, false},
		{"all others at the optimum", "levy6", run(1e-11, 1e-11, 1e-11), 2, -1e-16, false},
	} {
		if got := stuck(c.problem, c.run, Position{Iter, c.iter}, c.best); got != c.want {
			t.Errorf("%s: stuck %v", c.name, got)
		}
	}
}
