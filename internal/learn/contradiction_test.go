package learn

import (
	"math"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestLeaveOneOut: with hyper-parameters that nothing changes, the chance without an answer is nearly that of a posterior that was never told it; the
// other sites were found with it, the more so the less it was expected.
func TestLeaveOneOut(t *testing.T) {
	model := gp.Model{Noise: 1}.WithDefaults()
	h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: []float64{0.5}, Outputscale: 4}, Cuts: gp.Cuts{0}}
	post := func(ev Evidence) *gp.Posterior {
		p, err := model.Condition(ev.Duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for said, near := range map[gp.Outcome]float64{-1: 0.015, 1: 0.04} {
		all, rest := Evidence{Duels: &gp.Duels{Dim: 1}}, Evidence{Duels: &gp.Duels{Dim: 1}}
		for _, x := range []float64{0.9, 0.7, 0.6} {
			all.Add([]float64{x}, []float64{x / 3}, 1, "")
			rest.Add([]float64{x}, []float64{x / 3}, 1, "")
		}
		all.Add([]float64{0.1}, []float64{0.8}, said, "")
		f := &Fit{Evidence: all, Belief: Single(post(all))}
		want := post(rest).Prob([]float64{0.1}, []float64{0.8}, said)
		if got, most := f.leaveOneOut(3, ""); math.Abs(got-want) > near || most != 1 {
			t.Errorf("%+d has %g of %g without itself, want %g", said, got, most, want)
		}
	}
}
