package research

import (
	"math"
	"testing"
)

// TestAcquireGradients: every acquisition's gradient is the gradient in the caller's units.
func TestAcquireGradients(t *testing.T) {
	k := start(t)
	x := []float64{1, 0.3, 4.5, 0.9, 2, 0.5, 3, 0.25}
	for _, more := range []map[string]any{nil, {"ties": true, "grades": 1}, {"inference": "laplace"}, {"inference": "variational", "trend": "gamma(2,0.15)"}, {"inference": "sparse"}, {"noise": "learn"}} {
		m := k.ask("fit", with(duels(), more))["model"]
		for _, name := range valued {
			q := func(x []float64, gradient bool) map[string]any {
				return k.ask("acquire", map[string]any{"model": m, "acquisition": name, "pairs": matrix(x, 4), "gradient": gradient, "seed": 3})
			}
			h, tol := 1e-5, 1e-5
			if name == "qeubo" { // a kink per draw
				h, tol = 1e-4, 1e-2
			}
			differences(t, name, x, k.numbers(q(x, true)["gradient"]), 4, h, tol, func(x []float64) []float64 { return k.numbers(q(x, false)["value"]) })
		}
	}
}

// TestAcquireOneShot: at the fantasy points of a search the one-shot form is the value of its question.
func TestAcquireOneShot(t *testing.T) {
	k := start(t)
	m := k.ask("fit", with(duels(), map[string]any{"ties": true}))["model"]
	r := k.ask("search", map[string]any{"model": m, "acquisition": "kg", "seed": 4})
	row := append(append(k.numbers(r["a"]), k.numbers(r["b"])...), k.numbers(r["fantasy"])...)
	one := k.numbers(k.ask("acquire", map[string]any{"model": m, "acquisition": "kg", "seed": 4, "one_shot": true, "pairs": matrix(row, 10)})["value"])[0]
	full := k.numbers(k.ask("acquire", map[string]any{"model": m, "acquisition": "kg", "seed": 4, "pairs": matrix(row[:4], 4)})["value"])[0]
	if want := r["value"].(float64); math.Abs(one/want-1) > 1e-9 || full < one*(1-1e-9) || math.Abs(full/want-1) > 1e-3 {
		t.Errorf("the search says %g, the one-shot form %g, the question is worth %g", want, one, full)
	}
}
