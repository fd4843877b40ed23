package acquisition

import (
	"fmt"
	"math"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// differenceMoments returns moments of two points whose difference is N(m, v).
func differenceMoments(m, v float64) *gp.Moments {
	r := gp.NewMoments(2)
	r.Mean[0] = m
	r.Cov[0] = v
	return r
}

// bruteEntropy is −Σ p log p of N(c, t²) cut at the edges, by the error function alone.
func bruteEntropy(edges []float64, c, t float64) float64 {
	h, below := 0.0, 0.0
	for o := range len(edges) + 1 {
		upto := 1.0
		if o < len(edges) {
			upto = math.Erfc((c-edges[o])/t/math.Sqrt2) / 2
		}
		if p := upto - below; p > 0 {
			h -= p * math.Log(p)
		}
		below = upto
	}
	return h
}

// TestBALDBruteForce: the mutual information by Simpson's rule on a fine grid.
func TestBALDBruteForce(t *testing.T) {
	worst := 0.0
	for _, k := range outcomeCounts {
		a, c := scale(k)
		for _, sigma := range []float64{1, 0.1} {
			for _, m := range []float64{0, 0.3, -2, 7} {
				for _, v := range []float64{1e-6, 0.01, 0.5, 1.7, 9, 400} {
					b := NewBALD(a, c, sigma)
					s := math.Sqrt(v)
					n := 2 * max(1000, int(100*s/sigma)) // steps of 0.01 deviations, and of 0.1 noises
					rest := 0.0
					for i := range n + 1 {
						z := -10 + 20*float64(i)/float64(n)
						w := 2.0
						switch {
						case i == 0 || i == n:
							w = 1
						case i%2 == 1:
							w = 4
						}
						rest += w * math.Exp(-z*z/2) * bruteEntropy(b.Edges, m+s*z, sigma)
					}
					rest *= 20.0 / float64(n) / 3 / math.Sqrt(2*math.Pi)
					want := bruteEntropy(b.Edges, m, math.Sqrt(v+sigma*sigma)) - rest
					got := b.Value(differenceMoments(m, v), nil)
					worst = math.Max(worst, math.Abs(got-want))
					agree(t, fmt.Sprintf("%d outcomes, σ=%g, N(%g, %g)", k, sigma, m, v), got, want, 1e-11)
					if got < -1e-12 || got > math.Log(float64(k)) {
						t.Errorf("%d outcomes: information %g outside [0, log %d]", k, got, k)
					}
				}
			}
		}
	}
	t.Logf("largest deviation %.2g", worst)
}

// TestBALDCoincident: an option against itself teaches nothing; next to it the information grows like
// half the Fisher information times the variance.
func TestBALDCoincident(t *testing.T) {
	g := NewPartials(2)
	for _, k := range outcomeCounts {
		a, c := scale(k)
		b := NewBALD(a, c, 0.7)
		for _, m := range []float64{0, 0.4, -3} {
			agree(t, "information", b.Value(differenceMoments(m, 0), g), 0, 0)
			agree(t, "∂mean", g.Mean[0], 0, 0)
			const v = 1e-5
			agree(t, "slope in the variance", g.Cov[0], b.Value(differenceMoments(m, v), nil)/v, 1e-4)
			agree(t, "rounded below zero", b.Value(differenceMoments(m, -1e-17), nil), 0, 0)
		}
	}
}

// TestBALDWithoutNoise: then the answer is known once the utility is, and all its entropy is
// information: log 2 for two equal options.
func TestBALDWithoutNoise(t *testing.T) {
	b := BALD{Edges: []float64{0}}
	agree(t, "σ = 0", b.Value(differenceMoments(0, 3), nil), math.Ln2, 1e-15)
	agree(t, "σ = v = 0", b.Value(differenceMoments(0, 0), nil), 0, 0)
	b.Sigma = 1e-200
	agree(t, "σ = 1e-200", b.Value(differenceMoments(0, 3), nil), math.Ln2, 1e-12)
}

func BenchmarkBALD(b *testing.B) {
	for _, n := range outcomeCounts {
		a, c := scale(n)
		benchmarkAcquisition(b, fmt.Sprintf("outcomes=%d", n), NewBALD(a, c, 1))
	}
}
