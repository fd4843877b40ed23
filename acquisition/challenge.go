package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// challenge is what a duel of a challenger (point 0) against a champion (point 1) gains if the winner
// is recommended: the two-outcome knowledge gradient with both fantasy points at the options,
//
//	m Φ(τ) + φ(τ) v/s,   m = μ₀ − μ₁,  v = Var[f₀ − f₁],  s² = v + σ²,  τ = m/s.
//
// It is a function of the challenger alone once the champion is x̂, so its peaks are found by searching D dimensions instead of the one-shot form's 4D. These
// are the explorer's questions, often in corners of the cube that a candidate set of a hundred points misses.
type challenge struct{ sigma float64 }

var _ Acquisition = challenge{}

func (challenge) Points() int { return 2 }

func (c challenge) Value(m *gp.Moments, g *Partials) float64 {
	mustFit(m, 2)
	d, v := m.Difference(0, 1)
	v = math.Max(0, v)
	s2 := v + c.sigma*c.sigma
	if s2 == 0 {
		if g != nil {
			g.clear()
		}
		return 0
	}
	s := math.Sqrt(s2)
	tau := d / s
	cdf, pdf := normal.CDF(tau), normal.PDF(tau)
	if g != nil {
		g.clear()
		g.difference(2, cdf+d*pdf*c.sigma*c.sigma/(s2*s), pdf/s+pdf/(2*s2*s)*(v*(tau*tau-1)-d*d))
	}
	return d*cdf + pdf*v/s
}
