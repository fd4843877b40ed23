package maximize

import (
	"context"
	"testing"
)

// chain is the chained Rosenbrock function, −Σ 100(xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)²: cheap, and it keeps the search busy.
func chain(x, grad []float64) float64 {
	clear(grad)
	var f float64
	for i := range len(x) - 1 {
		a, b := x[i+1]-x[i]*x[i], 1-x[i]
		f -= 100*a*a + b*b
		grad[i] += 400*a*x[i] + 2*b
		grad[i+1] -= 200 * a
	}
	return f
}

// BenchmarkLocal reports the time of one iteration at 24 variables and 10 pairs, the objective's own cost (about 60
// ns) included.
func BenchmarkLocal(b *testing.B) {
	for _, c := range []struct {
		name string
		hi   float64
	}{
		{"inside", 2},         // no bound active at the maximum
		{"some active", 0.95}, // some are
	} {
		b.Run(c.name, func(b *testing.B) {
			const n = 24
			lo, hi, x0 := repeat(n, -2), repeat(n, c.hi), repeat(n, -1.2, 1)
			if c.hi < 1 {
				for i := 1; i < n; i += 2 {
					hi[i] = 2
				}
			}
			l := NewLocal(n, Settings{})
			iters, evals := 0, 0
			for b.Loop() {
				r := l.Maximize(context.Background(), chain, lo, hi, x0)
				iters += r.Iters
				evals += r.Evals
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(iters), "ns/iter")
			b.ReportMetric(float64(iters)/float64(b.N), "iters")
			b.ReportMetric(float64(evals)/float64(b.N), "evals")
			b.ReportMetric(0, "ns/op")
		})
	}
}
