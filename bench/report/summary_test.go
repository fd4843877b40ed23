package report

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
		{Series: third, Q1: nan, Median: nan, Q3: nan, Mean: nan, Stuck: nan},
		{Series: theirs, N: 1, Q1: 0.25, Median: 0.25, Q3: 0.25, Mean: 0.25},
		{Series: ours, N: 4, Q1: 0.875, Median: 1.5, Q3: 3.5, Mean: 2.875, Stuck: 0.5},
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
