package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// TestLogFatplus: values computed with 30 digits, τ = 1e-6.
func TestLogFatplus(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{1, 1e-19},
		{0.1, -2.30258509299404553},
		{1e-6, -13.505630429901199},
		{0, -14.0472570328357733},
		{-1e-3, -29.9336072089220939},
		{-1, -43.749116766887868},
	} {
		got, _ := logFatplus(c.x, tauRelu)
		agree(t, "log fatplus", got, c.want, 1e-15)
	}
}

// TestLogFatplusSlope: the derivative against differences on every branch, and no step between them.
func TestLogFatplusSlope(t *testing.T) {
	for _, y := range []float64{-1e12, -1e8, -1e4, -50, -49, -3, -1e-3, 0, 1e-3, 2, 49, 50, 1e4, 1e9} {
		h := 1e-5 * math.Max(1, math.Abs(y))
		up, _ := logFatplus(y+h, 1)
		down, _ := logFatplus(y-h, 1)
		_, slope := logFatplus(y, 1)
		scale := math.Max(1, math.Abs(y))
		agree(t, "slope", slope*scale, (up-down)/(2*h)*scale, 1e-8)
	}
	for _, y := range []float64{-cauchyFar, -softplusFlat, 0, softplusFlat} {
		a, da := logFatplus(math.Nextafter(y, -1e300), 1)
		b, db := logFatplus(math.Nextafter(y, 1e300), 1)
		agree(t, "value across a seam", a, b, 1e-14)
		agree(t, "slope across a seam", da, db, 1e-14)
	}
}

// TestFatmax: values computed with 30 digits, τ = 0.01.
func TestFatmax(t *testing.T) {
	w := make([]float64, 2)
	for _, c := range []struct{ a, b, want float64 }{
		{0, 0, 0.00693147180559945},
		{0, -0.01, 0.00336472236621213},
		{0, -0.1, 0.000162605208717803},
		{-3, -5, -2.99999950498725332},
	} {
		agree(t, "fatmax", fatmax([]float64{c.a, c.b}, w, tauMax), c.want, 1e-15)
		agree(t, "sum of derivatives", w[0]+w[1], 1, 1e-15)
		agree(t, "swapped", fatmax([]float64{c.b, c.a}, w, tauMax), c.want, 1e-15)
	}
}

// TestLogEIOfOne: one option, against the closed form log s[φ(u) + uΦ(u)] (Mockus 1978).
func TestLogEIOfOne(t *testing.T) {
	m := gp.NewMoments(1)
	for _, u := range []float64{-2, -1, 0, 1, 3} {
		m.Mean[0], m.Cov[0] = 0.4, 2.25
		best := 0.4 - 1.5*u
		want := math.Log(1.5 * (normal.PDF(u) + u*normal.CDF(u)))
		agree(t, "log EI", NewLogEI(1, best, 1<<14, 3).Value(m, nil), want, 2e-3)
	}
}

// TestLogEIFarBelow: where every draw is far below the incumbent, the value still says which way is
// up: about 2/gap per unit of mean.
func TestLogEIFarBelow(t *testing.T) {
	a := NewLogEI(2, 0, 0, 1)
	g := NewPartials(2)
	for _, gap := range []float64{20, 1e3, 1e9, 1e200} {
		m := randomMoments(rand.New(rand.NewPCG(1, 93)), 2)
		m.Mean[0], m.Mean[1] = -gap, -gap
		v := a.Value(m, g)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("value %g at gap %g", v, gap)
		}
		if slope := (g.Mean[0] + g.Mean[1]) * gap; slope < 1.5 || slope > 3 {
			t.Errorf("gap %g: slope·gap = %g, want about 2", gap, slope)
		}
	}
}

// TestLogEIPair: for two options, the form without logarithms against the definition, from incumbents
// that every draw beats to incumbents none comes near, and with draws within a temperature of them.
func TestLogEIPair(t *testing.T) {
	const tol = 1e-12
	a := NewLogEI(2, 0, 0, 1)
	g, want := NewPartials(2), NewPartials(2)
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 94))
		m := randomMoments(rng, 2)
		switch seed % 5 {
		case 1: // all draws within the temperature, or a few of them
			for i := range m.Cov {
				m.Cov[i] *= math.Pow(10, -4-8*rng.Float64())
			}
			m.Mean[0], m.Mean[1] = 1e-6*m.Mean[0], 1e-6*m.Mean[1]
		case 2: // nearly the same option twice: most draws share their derivative
			m.Mean[1] = m.Mean[0] + 1e-4*rng.NormFloat64()
			m.Cov[3] = m.Cov[0]
			m.Cov[1] = m.Cov[0] * (1 - 1e-6*rng.Float64())
			m.Cov[2] = m.Cov[1]
		case 3: // far apart
			m.Mean[0] *= math.Pow(10, 60*rng.Float64())
		case 4: // exactly the same option twice
			m.Mean[1] = m.Mean[0]
			m.Cov[1], m.Cov[2], m.Cov[3] = m.Cov[0], m.Cov[0], m.Cov[0]
		}
		a.Best = 6 * rng.NormFloat64() * math.Sqrt(m.Cov[0])
		got, ok := a.pair(m, g)
		if !ok {
			t.Fatalf("seed %d: too far", seed)
		}
		agree(t, fmt.Sprintf("seed %d: value", seed), got, a.batch(m, want), tol)
		// Partials in the covariance are those in L, made by sums of draws' slopes, over L's diagonal.
		var r choleskyRoot
		r.factor(2, m.Cov)
		scale := math.Max(math.Abs(want.Mean[0]), math.Abs(want.Mean[1]))
		small := r.l[0]
		if r.l[3] > 0 {
			small = math.Min(small, r.l[3])
		}
		for i := range want.Mean {
			agree(t, fmt.Sprintf("seed %d: ∂mean[%d]", seed, i), g.Mean[i]/scale, want.Mean[i]/scale, tol)
		}
		for i := range want.Cov {
			agree(t, fmt.Sprintf("seed %d: ∂cov[%d]", seed, i), g.Cov[i]*small/scale, want.Cov[i]*small/scale, tol)
		}
	}
	if _, ok := a.pair(&gp.Moments{Mean: []float64{1e100, 0}, Cov: make([]float64, 4)}, nil); ok {
		t.Error("a ratio of utilities beyond the floats was accepted")
	}
}

func BenchmarkLogEI(b *testing.B) { benchmarkAcquisition(b, "q=2", NewLogEI(2, 0.2, 0, 1)) }
