package acquisition

import "github.com/prefer-bo/prefer/gp"

// Mean is the posterior mean at one point: its maximiser is the estimate x̂ of the best option (§4).
type Mean struct{}

var _ Acquisition = Mean{}

// Points returns 1.
func (Mean) Points() int { return 1 }

// Value returns μ. (Posterior.MeanGradient computes the same in O(n) instead of O(n²).)
func (Mean) Value(m *gp.Moments, g *Partials) float64 {
	mustFit(m, 1)
	if g != nil {
		g.clear()
		g.Mean[0] = 1
	}
	return m.Mean[0]
}
