package prefer

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
		if e := explained(a, second); e != 0 {
			t.Errorf("R² = %g where camps agree less than strangers", e)
		}
	}
	if _, share := divide(square(campRaters - 1)); share != 0 {
		t.Error("few raters are camps")
	}
}

// TestCamps: two camps of opposite tastes are found, each with its pick; one camp of the same taste is not divided.
func TestCamps(t *testing.T) {
	slopes := map[string]float64{"ann": 1, "ben": -1, "cat": 1, "dan": -1, "eve": 1, "fay": -1}
	g := group(t, sloped(t, 25, slopes))
	if len(g.Camps) != 2 || !slices.Equal(g.Camps[0].Raters, []string{"ann", "cat", "eve"}) || !slices.Equal(g.Camps[1].Raters, []string{"ben", "dan", "fay"}) {
		t.Fatalf("camps %+v: %s", g.Camps, g.Sentence)
	}
	if a, b := g.Camps[0].Best.Float("x"), g.Camps[1].Best.Float("x"); a < 0.8 || b > 0.2 {
		t.Errorf("picks at %g and %g", a, b)
	}
	for name := range slopes {
		slopes[name] = 1
	}
	if g := group(t, sloped(t, 25, slopes)); len(g.Camps) > 0 {
		t.Errorf("one camp is divided into %+v", g.Camps)
	}
}
