package crowd

import (
	"math"
	"slices"
	"testing"
)

// TestDivide: a division that is there is found whatever the order of the raters, and explains all of what has two values only.
func TestDivide(t *testing.T) {
	for _, second := range [][]bool{
		{false, true, false, true, true, false, true},
		{true, true, false, false, false, false, false, false, false},
	} {
		a := square(len(second))
		for i := range a {
			for j := range a {
				if a[i][j] = -0.2; second[i] == second[j] {
					a[i][j] = 0.6
				}
			}
		}
		got, share := divide(a)
		if !slices.Equal(got, second) {
			for i := range got {
				got[i] = !got[i]
			}
		}
		if !slices.Equal(got, second) || math.Abs(share-1) > 1e-9 {
			t.Errorf("divided %v with R² = %g, want %v with 1", got, share, second)
		}
		for i := range a {
			for j := range a {
				a[i][j] = -a[i][j] // those of one side agree less: no camps
			}
		}
		if e := newDivision(a, func(i int) bool { return second[i] }).explained(); e != 0 {
			t.Errorf("R² = %g where camps agree less than strangers", e)
		}
	}
	if _, share := divide(square(campRaters - 1)); share != 0 {
		t.Error("few raters are camps")
	}
}
