package maximize

import (
	"math"
	"strings"
	"testing"
)

// mustPanic checks that f panics with a message of this package that contains want.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		s, ok := recover().(string)
		if !ok || !strings.HasPrefix(s, "maximize: ") || !strings.Contains(s, want) {
			t.Errorf("panic %q, want one of this package with %q", s, want)
		}
	}()
	f()
}

func TestCheckBox(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	checkBox(3, []float64{-inf, 0, 1}, []float64{inf, 1, 1})
	for _, b := range [][2]float64{{1, 0}, {nan, 1}, {0, nan}, {inf, inf}, {-inf, -inf}} {
		mustPanic(t, "variable 1", func() { checkBox(2, []float64{0, b[0]}, []float64{1, b[1]}) })
	}
	mustPanic(t, "len(lo) = 1", func() { checkBox(2, []float64{0}, []float64{1, 1}) })
}

func TestClipTo(t *testing.T) {
	inf := math.Inf(1)
	dst := make([]float64, 4)
	clipTo(dst, []float64{-3, 0.5, inf, 7}, []float64{0, 0, 0, 7}, []float64{1, 1, 2, 7})
	if want := [4]float64{0, 0.5, 2, 7}; [4]float64(dst) != want {
		t.Errorf("clipTo = %v, want %v", dst, want)
	}
	mustPanic(t, "start[0]", func() { clipTo(dst[:1], []float64{math.NaN()}, []float64{0}, []float64{1}) })
	mustPanic(t, "start[0]", func() { clipTo(dst[:1], []float64{inf}, []float64{0}, []float64{inf}) })
	mustPanic(t, "2 variables", func() { clipTo(dst[:1], []float64{1, 2}, []float64{0}, []float64{1}) })
}

func TestProjectedGradient(t *testing.T) {
	lo, hi := []float64{0}, []float64{1}
	for _, c := range []struct{ x, g, want float64 }{
		{0, 5, 0},           // held at the lower bound
		{0, -0.25, 0.25},    // free to leave it
		{1, -5, 0},          // held at the upper bound
		{0.5, 0.1, 0.1},     // inside
		{0.5, 10, 0.5},      // no farther than the bound
		{0.5, 0, 0},         // stationary
		{0.5, 1e-20, 1e-20}, // lost in x − g
	} {
		if got := projectedGradient([]float64{c.x}, []float64{c.g}, lo, hi); got != c.want {
			t.Errorf("at %v, gradient %v: %v, want %v", c.x, c.g, got, c.want)
		}
	}
}

func TestLongestStep(t *testing.T) {
	lo, hi := []float64{0, -1}, []float64{1, math.Inf(1)}
	x := []float64{0.5, 0}
	for _, c := range []struct {
		d    []float64
		want float64
	}{
		{[]float64{1, 1}, 0.5},
		{[]float64{-0.1, 5}, 5},
		{[]float64{0, -4}, 0.25},
		{[]float64{0, 1}, math.Inf(1)},
	} {
		if got := longestStep(x, c.d, lo, hi); got != c.want {
			t.Errorf("along %v: %v, want %v", c.d, got, c.want)
		}
	}
}
