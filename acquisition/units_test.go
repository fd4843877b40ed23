package acquisition

import (
	"math"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/maximize"
)

// TestUnits: a climb in units ends where one without does, on bounds exactly, its gradient is that in x; and of a valley a
// thousand times as long as wide it needs fewer evaluations.
func TestUnits(t *testing.T) {
	f := func(x, grad []float64) float64 { // best at (0.3, 1) in the cube, for the second coordinate at its bound
		a, b := (x[0]-0.3)/1e-3, x[1]-1.4
		if grad != nil {
			grad[0], grad[1] = -2*a/1e-3, -2*b
		}
		return -a*a - b*b
	}
	in := newCube(2, 1)
	climb := func(u units) maximize.Result {
		a := ascent{in: in, limits: []limits{in.anywhere()}, units: u}
		return a.from(t.Context(), func() maximize.Objective { return f }, []float64{0.9, 0.1}, maximize.Settings{}, 0, 1)[0]
	}
	plain, fast := climb(nil), climb(newUnits([]float64{1e-3, 1}))
	for _, r := range []maximize.Result{plain, fast} {
		if math.Abs(r.X[0]-0.3) > 1e-6 || r.X[1] != 1 {
			t.Errorf("ended at %v, want (0.3, 1)", r.X)
		}
		grad := make([]float64, 2)
		if v := f(r.X, grad); v != r.Value || !slices.Equal(grad, r.Grad) {
			t.Errorf("value %v and gradient %v, want %v and %v", r.Value, r.Grad, v, grad)
		}
	}
	if fast.Evals >= plain.Evals {
		t.Errorf("%d evaluations in units, %d without", fast.Evals, plain.Evals)
	}
	for i, v := range newUnits([]float64{0.3, 1, 0.74, 5e-3}) {
		if want := []float64{0.25, 1, 1, 1.0 / 256}[i]; v != want {
			t.Errorf("unit %d is %v, want %v", i, v, want)
		}
	}
}
