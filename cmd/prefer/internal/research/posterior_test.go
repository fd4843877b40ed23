package research

import (
	"math"
	"testing"
)

// differences holds a gradient of f at x (rows of width numbers) against central differences with step h.
func differences(t *testing.T, what string, x, grad []float64, width int, h, tol float64, f func(x []float64) []float64) {
	t.Helper()
	for j := range width {
		shift := func(by float64) []float64 {
			y := append([]float64(nil), x...)
			for i := j; i < len(y); i += width {
				y[i] += by
			}
			return f(y)
		}
		up, down := shift(h), shift(-h)
		for i := range up {
			if fd, g := (up[i]-down[i])/(2*h), grad[i*width+j]; !(math.Abs(fd-g) <= tol*math.Max(1, math.Abs(g))) {
				t.Errorf("%s: row %d: ∂/∂x[%d] = %g, central difference %g", what, i, j, g, fd)
			}
		}
	}
}

// TestPosterior: the three forms agree, gradients and draws are in the caller's units.
func TestPosterior(t *testing.T) {
	k := start(t)
	m := k.ask("fit", duels())["model"]
	x := []float64{1, 0.3, 4.5, 0.9, 2, 0.5}
	at := func(x []float64, more map[string]any) map[string]any {
		return with(map[string]any{"model": m, "x": matrix(x, 2)}, more)
	}
	r := k.ask("posterior", at(x, nil))
	mean, cov := k.numbers(r["mean"]), k.numbers(r["covariance"])
	r = k.ask("posterior", at(x, map[string]any{"covariance": "variance"}))
	for i, v := range k.numbers(r["variance"]) {
		if math.Abs(v-cov[i*4]) > 1e-12 || math.Abs(k.numbers(r["mean"])[i]-mean[i]) > 1e-12 {
			t.Errorf("point %d: variance %g, of the covariance %g", i, v, cov[i*4])
		}
	}
	r = k.ask("moments", map[string]any{"model": m, "points": 3, "x": matrix(append(append([]float64(nil), x...), x...), 6)})
	for i, v := range k.numbers(r["covariance"]) {
		if math.Abs(v-cov[i%9]) > 1e-12 {
			t.Errorf("covariance %d of a group is %g, want %g", i, v, cov[i%9])
		}
	}
	means := func(x []float64) []float64 {
		return k.numbers(k.ask("posterior", at(x, map[string]any{"covariance": "none"}))["mean"])
	}
	differences(t, "mean", x, k.numbers(k.ask("gradient", at(x, nil))["gradient"]), 2, 1e-6, 1e-7, means)

	draws := at(x, map[string]any{"count": 1, "seed": 5, "gradient": true})
	differences(t, "draw", x, k.numbers(k.ask("draw", draws)["gradient"]), 2, 1e-6, 1e-6, func(x []float64) []float64 {
		return k.numbers(k.ask("draw", at(x, map[string]any{"count": 1, "seed": 5}))["value"])
	})
	const count = 200
	values := k.numbers(k.ask("draw", at(x, map[string]any{"count": count, "seed": 1}))["value"])
	for i := range 3 {
		sum := 0.0
		for c := range count {
			sum += values[c*3+i]
		}
		if sd := math.Sqrt(cov[i*4] / count); math.Abs(sum/count-mean[i]) > 5*sd {
			t.Errorf("draws at point %d have the mean %g, want %g within %g", i, sum/count, mean[i], 5*sd)
		}
	}
}

// TestCondition: an answer moves the mean where it was given, and the look-ahead is what the knowledge gradient says.
func TestCondition(t *testing.T) {
	k := start(t)
	m := k.ask("fit", duels())["model"]
	pair := []float64{1, 0.3, 4.5, 0.9}
	gain := k.numbers(k.ask("acquire", map[string]any{"model": m, "acquisition": "kg", "pairs": matrix(pair, 4)})["value"])[0]
	r := k.ask("posterior", map[string]any{"model": m, "x": matrix(pair, 2)})
	mean, cov := k.numbers(r["mean"]), k.numbers(r["covariance"])
	p := 0.5 * math.Erfc(-(mean[0]-mean[1])/math.Sqrt(cov[0]+cov[3]-2*cov[1]+1)/math.Sqrt2)
	best := func(model any) float64 {
		return k.numbers(k.ask("recommend", map[string]any{"model": model})["mean"])[0]
	}
	after := func(o int) float64 {
		return best(k.ask("condition", map[string]any{"model": m, "a": pair[:2], "b": pair[2:], "outcome": o})["model"])
	}
	if want := p*after(1) + (1-p)*after(-1) - best(m); math.Abs(gain-want) > 1e-8 {
		t.Errorf("the knowledge gradient is %g, the expected rise %g", gain, want)
	}
}
