package gp

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/internal/normal"
)

// repeatedPair is the posterior of the difference d of two options of which the first has won n times out of n, by quadrature of
// N(d; 0, v)·Φ(d)ⁿ, σ = 1: its moments, log Pr(answers), and the probability that it wins again.
func repeatedPair(v float64, n int) (mean, variance, logZ, again float64) {
	const steps, reach = 20000, 12
	var z, m1, m2, p float64
	for i := -steps; i <= steps; i++ {
		x := reach * float64(i) / steps
		d := x * math.Sqrt(v)
		w := normal.PDF(x) * math.Exp(float64(n)*normal.LogCDF(d)) * reach / steps
		z, m1, m2, p = z+w, m1+w*d, m2+w*d*d, p+w*normal.CDF(d)
	}
	return m1 / z, m2/z - m1*m1/z/z, math.Log(z), p / z
}

// TestRepeatedPair holds the numbers of docs/dev/math.md §4 on one pair that is answered alike again and again, on which EP is at its
// worst: the variance is too small and the evidence too low. One site for all of them with exact moments would mend both and
// predict worse, because what is left is skew: most of the variance is above the mean.
func TestRepeatedPair(t *testing.T) {
	a, b := []float64{0.1}, []float64{0.9}
	for _, c := range []struct {
		v               float64
		n               int
		mean, vrc, logZ float64 // ours over exact, ours over exact, ours minus exact
	}{
		{2, 5, 0.996, 0.906, -0.018}, {2, 25, 0.994, 0.788, -0.044},
		{10, 1, 1, 1, 0}, {10, 5, 0.997, 0.721, -0.079}, {10, 25, 0.986, 0.537, -0.151},
		{25, 5, 1.011, 0.645, -0.124}, {25, 25, 1.000, 0.452, -0.226},
		{100, 5, 1.047, 0.585, -0.182}, {100, 25, 1.048, 0.388, -0.323},
	} {
		k := Kernel{Lengthscale: []float64{0.3}, Outputscale: 1}
		k.Outputscale = c.v / (2 * (1 - k.At(a, b)))
		ds := &Duels{Dim: 1}
		for range c.n {
			if err := ds.Add(a, b, 1); err != nil {
				t.Fatal(err)
			}
		}
		p, err := Model{}.Condition(ds, Hyper{Kernel: k, Cuts: Cuts{0}}, nil)
		if err != nil || len(p.Warnings()) > 0 {
			t.Fatal(err, p.Warnings())
		}
		mean, vrc, logZ, again := repeatedPair(c.v, c.n)
		ms := NewMoments(2)
		p.Moments(ms, []float64{0.1, 0.9})
		m, v := ms.Difference(0, 1)
		if math.Abs(m/mean-c.mean) > 2e-3 || math.Abs(v/vrc-c.vrc) > 2e-3 || math.Abs(p.Evidence()-logZ-c.logZ) > 2e-3 {
			t.Errorf("v = %g, %d answers: mean × %.3f, variance × %.3f, log Z %+.3f, want × %g, × %g, %+g", c.v, c.n, m/mean, v/vrc, p.Evidence()-logZ, c.mean, c.vrc, c.logZ)
		}
		ours, merged := normal.CDF(m/math.Sqrt(1+v))-again, normal.CDF(mean/math.Sqrt(1+vrc))-again
		t.Logf("v = %g, %d answers: wins again with %.4f, we say %+.4f, exact moments %+.4f", c.v, c.n, again, ours, merged)
		if c.n == 25 && math.Abs(ours) > 0.003 || c.n > 1 && 4*math.Abs(ours) > math.Abs(merged) {
			t.Errorf("v = %g, %d answers: predicted %+.4f off, with exact moments %+.4f", c.v, c.n, ours, merged)
		}
	}
}
