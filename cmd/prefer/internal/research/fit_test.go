package research

import (
	"math"
	"testing"
)

// TestFitHyper: hyper-parameters that were learned and are given back make the same model, noise included.
func TestFitHyper(t *testing.T) {
	k := start(t)
	for _, more := range []map[string]any{nil, {"noise": "learn"}, {"noise": 0.3}, {"ties": true}, {"rater": append(make([]int, 10), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)}, {"trend": "gamma(2,0.15)"}} {
		learned := k.ask("fit", with(duels(), more))
		fields := with(duels(), map[string]any{"hyper": learned["hyper"]})
		for _, name := range []string{"ties", "rater", "trend"} {
			if v, ok := more[name]; ok {
				fields[name] = v
			}
		}
		given := k.ask("fit", fields)
		x := map[string]any{"x": matrix([]float64{1, 0.3, 4.5, 0.9}, 2)}
		a := k.numbers(k.ask("posterior", with(x, map[string]any{"model": learned["model"]}))["covariance"])
		b := k.numbers(k.ask("posterior", with(x, map[string]any{"model": given["model"]}))["covariance"])
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-8*math.Max(1, a[0]) {
				t.Errorf("%v: covariance %v, of the given ones %v", more, a, b)
				break
			}
		}
	}
}

// TestFitNoise: σ learned beside an outputscale of 1 is the same model as an outputscale learned beside σ = 1, in other units.
func TestFitNoise(t *testing.T) {
	k := start(t)
	x := map[string]any{"x": matrix([]float64{1, 0.3, 4.5, 0.9}, 2)}
	for _, inference := range []string{"ep", "variational", "laplace", "sparse"} {
		one := k.ask("fit", with(duels(), map[string]any{"inference": inference}))
		other := k.ask("fit", with(duels(), map[string]any{"inference": inference, "noise": "learn"}))
		h := other["hyper"].(map[string]any)
		scale := h["noise"].(float64)
		if h["outputscale"] != 1.0 || scale == 1 || math.Abs(one["evidence"].(float64)-other["evidence"].(float64)) > 1e-6 || one["log_prior"] != other["log_prior"] {
			t.Errorf("%s: %v, in other units %v", inference, one, other)
		}
		a := k.numbers(k.ask("posterior", with(x, map[string]any{"model": one["model"]}))["mean"])
		b := k.numbers(k.ask("posterior", with(x, map[string]any{"model": other["model"]}))["mean"])
		for i := range a {
			if math.Abs(a[i]*scale-b[i]) > 1e-6 {
				t.Errorf("%s: the mean is %g, in units of the noise %g", inference, b[i], a[i])
			}
		}
	}
}
