package research

import (
	"slices"
	"testing"
)

// TestBox: bounds come back to the bit, points to rounding, and slopes are those of the chain rule.
func TestBox(t *testing.T) {
	b, err := newBox(2, []float64{-0.3, 10}, []float64{0.1, 300})
	if err != nil {
		t.Fatal(err)
	}
	in := matrix([]float64{-0.3, 10, 0.1, 300, -0.1, 155, 0.1, 10}, 4)
	u, err := b.in("x", in)
	if err != nil || u[0] != 0 || u[3] != 1 || u[5] != 0.5 {
		t.Fatalf("in the unit cube %v, %v", u, err)
	}
	out := b.out(slices.Clone(u))
	for i, v := range out {
		if d := v - in.Data[i]; d > 1e-15 || d < -1e-15 || (u[i] == 0 || u[i] == 1) && d != 0 {
			t.Errorf("number %d comes back as %g, was %g", i, v, in.Data[i])
		}
	}
	if g := b.slope([]float64{1, 290}); g[0] != 1/0.4 || g[1] != 1 {
		t.Errorf("slopes %v", g)
	}
}
