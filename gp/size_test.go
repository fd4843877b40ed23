package gp

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestSize: a posterior takes up as much memory as it says, to a tenth, whatever made it.
func TestSize(t *testing.T) {
	const n, d, count = 120, 3, 8
	rng := rand.New(rand.NewPCG(1, 2))
	duels := &Duels{Dim: d}
	for i := range n {
		for range d {
			duels.A, duels.B = append(duels.A, rng.Float64()), append(duels.B, rng.Float64())
		}
		duels.Outcome, duels.Rater = append(duels.Outcome, 1), append(duels.Rater, i%3)
	}
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // what pools hold goes in the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for name, m := range map[string]Model{
		"ep": {}, "trend": {Trend: Gamma(2, 0.15), Effects: Polynomials}, "sparse": {Inference: Sparse}, "kinship": {Kinship: LogNormal(0, 1)},
	} {
		h := m.Start(d)
		posts := make([]*Posterior, count)
		before, says := heap(), int64(0)
		for i := range posts {
			var err error
			if posts[i], err = m.Condition(duels, h, nil); err != nil {
				t.Fatal(err)
			}
			says += posts[i].Size()
		}
		if took := heap() - before; float64(took) < 0.9*float64(says) || float64(took) > 1.1*float64(says) {
			t.Errorf("%s: %d posteriors take up %d bytes and say %d", name, count, took, says)
		}
		runtime.KeepAlive(posts)
	}
}
