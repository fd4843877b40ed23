package maximize

import (
	"math"
	"testing"
)

// TestBetter goes through all pairs of a list in strictly falling order.
func TestBetter(t *testing.T) {
	inf := math.Inf(1)
	order := []float64{math.MaxFloat64, 1, 0, -1, -math.MaxFloat64, -inf, math.NaN()}
	for i, a := range order {
		for j, b := range order {
			if got := better(a, b); got != (i < j) {
				t.Errorf("better(%v, %v) = %v", a, b, got)
			}
		}
	}
	if better(inf, -inf) || !better(-inf, inf) || better(inf, math.NaN()) || better(math.NaN(), inf) {
		t.Error("+Inf is not as bad as NaN")
	}
}

func TestFinite(t *testing.T) {
	if !finite(0) || !finite(-math.MaxFloat64) || finite(math.NaN()) || finite(math.Inf(1)) || finite(math.Inf(-1)) {
		t.Error("finite is wrong")
	}
	if !allFinite(nil) || !allFinite([]float64{1, 2}) || allFinite([]float64{1, math.NaN()}) {
		t.Error("allFinite is wrong")
	}
}

func TestClone(t *testing.T) {
	r := Result{X: []float64{1}, Grad: []float64{2}, Value: 3}
	c := r.Clone()
	r.X[0], r.Grad[0] = 0, 0
	if c.X[0] != 1 || c.Grad[0] != 2 || c.Value != 3 {
		t.Errorf("clone %+v", c)
	}
}
