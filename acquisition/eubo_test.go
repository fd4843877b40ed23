package acquisition

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestExcess: log(φ(u) + uΦ(u)) at u = −t, computed with 30 digits.
func TestExcess(t *testing.T) {
	for _, c := range []struct{ t, want float64 }{
		{0, -0.918938533204672742},
		{1, -2.48512102571264134},
		{5, -16.7443011626609901},
		{10, -55.5531220361223559},
	} {
		agree(t, "log excess", math.Log(excess(c.t)), c.want, 1e-13)
	}
	agree(t, "3 + excess", math.Log(3+excess(3)), 1.09873966532770777, 1e-15)
	for _, far := range []float64{30, 38, 40, 1e3, math.Inf(1)} {
		if e := excess(far); !(e >= 0 && e < 1e-100) {
			t.Errorf("excess(%g) = %g", far, e)
		}
	}
}

func TestEUBOFixture(t *testing.T) {
	agree(t, "eubo", EUBO{}.Value(momentsAt(fixture(), []int{0, 1}), nil), 0.53176806000576856, 1e-15)
}

// TestEUBOAtZeroVariance: no floor; value and derivatives as the comment of Value says.
func TestEUBOAtZeroVariance(t *testing.T) {
	g := NewPartials(2)
	for _, c := range []struct{ lead, d0, d1 float64 }{{0, 0.5, 0.5}, {1e-9, 1, 0}, {-3, 0, 1}} {
		m := gp.NewMoments(2)
		m.Mean[0], m.Mean[1] = 2+c.lead, 2
		for i := range m.Cov {
			m.Cov[i] = 0.7
		}
		agree(t, "value", EUBO{}.Value(m, g), math.Max(m.Mean[0], m.Mean[1]), 0)
		agree(t, "∂mean[0]", g.Mean[0], c.d0, 0)
		agree(t, "∂mean[1]", g.Mean[1], c.d1, 0)
		agree(t, "∂variance", g.Cov[0], 0, 0)
	}
}

// TestEUBOBounds: at least either mean; more spread is never worse.
func TestEUBOBounds(t *testing.T) {
	for seed := range uint64(200) {
		m := randomMoments(rand.New(rand.NewPCG(seed, 87)), 2)
		m.Mean[0] *= 20
		low := EUBO{}.Value(m, nil)
		if low < m.Mean[0] || low < m.Mean[1] {
			t.Errorf("seed %d: eubo %g below a mean %g", seed, low, m.Mean)
		}
		m.Cov[0] += 0.1
		if high := (EUBO{}).Value(m, nil); high < low {
			t.Errorf("seed %d: eubo falls from %g to %g with the variance", seed, low, high)
		}
	}
}

func BenchmarkEUBO(b *testing.B) { benchmarkAcquisition(b, "q=2", EUBO{}) }
