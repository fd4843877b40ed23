package report

import (
	"math"
	"testing"
)

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
