package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// EUBO is the expected utility of the better of the two options, E max(f₀, f₁) (Lin et al. 2022;
// §2.2): the knowledge gradient's noiseless cousin, which needs no fantasy points.
type EUBO struct{}

var _ Acquisition = EUBO{}

// Points returns 2.
func (EUBO) Points() int { return 2 }

// Value returns, with s² = Var[f₀ − f₁], u = (μ₀ − μ₁)/s and t = |u|,
//
//	E max(f₀, f₁) = μ₁ + s[φ(u) + uΦ(u)] = max(μ₀, μ₁) + s[φ(t) − tΦ(−t)]
//
// (Clark 1961). The second form adds a positive correction to the larger mean: nothing cancels where one option is clearly better, and the value never falls
// below either mean. The bracket itself is a difference that loses a factor t², three digits where it underflows at t ≈ 38.
//
//	∂μ₀ = Φ(u),   ∂μ₁ = Φ(−u),   ∂Var = φ(u)/(2s)
//
// There is no floor under the variance. At s = 0 the value is max(μ₀, μ₁) and the derivative in the means 1 for the larger, ½ each if they are equal. The
// derivative in the variance is 0: its limit for different means, and for equal ones, where √Var has a kink and E max a sharp valley along x₁ = x₂, the one
// of its slopes that prefers no direction.
func (EUBO) Value(m *gp.Moments, g *Partials) float64 {
	mustFit(m, 2)
	_, v := m.Difference(0, 1)
	s := spread(v, 0)
	u := standardise(m.Mean[0], m.Mean[1], s)
	if g != nil {
		g.clear()
		g.Mean[0], g.Mean[1] = normal.CDF(u), normal.CDF(-u)
		g.difference(2, 0, normal.PDF(u)/2*reciprocal(s))
	}
	return math.Max(m.Mean[0], m.Mean[1]) + s*excess(math.Abs(u))
}

// excess returns φ(t) − tΦ(−t) = E(X − t)⁺ for standard normal X and t ≥ 0, 0 at t = ∞.
func excess(t float64) float64 {
	p := normal.PDF(t)
	if p == 0 {
		return 0
	}
	return p - t*normal.CDF(-t)
}

func newEUBO(Task) Acquisition { return EUBO{} }
