package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// KG is the one-shot knowledge gradient (§3.1): what the best posterior mean is expected to be after the answer, with one fantasy point per outcome in place
// of each inner maximum of Eq. 3. Points 0 and 1 are the question; point 2+o is the fantasy point of outcome o.
type KG struct {
	// Edges cut the line of the noisy difference g = f₀ − f₁ + ε into outcomes, in the units of f, increasing: {0} for the paper's two, {−δσ, δσ} with ties.
	// Outcome 0 reaches to −∞ (the second wins, most strongly), outcome len(Edges) to +∞ (the first wins).
	Edges []float64

	// Sigma is σ, the noise of the imagined answer.
	Sigma float64

	// Base is subtracted from the value; 0 gives Eq. 3 as it stands. With the current best mean it makes the value the gain, and keeps its digits: see Value.
	Base float64
}

var _ Acquisition = KG{}

// NewKG returns the knowledge gradient for the outcomes of a, with cuts c in units of sigma, the noise of the imagined answer.
func NewKG(a gp.Answers, c gp.Cuts, sigma float64) KG {
	all := a.Outcomes()
	edges := make([]float64, 0, len(all)-1)
	for _, o := range all[1:] {
		edges = append(edges, c.Interval(o, sigma).Lo)
	}
	return KG{Edges: edges, Sigma: sigma}
}

// Outcomes returns the number of outcomes.
func (k KG) Outcomes() int { return len(k.Edges) + 1 }

// Points returns 2 for the question and 1 per outcome.
func (k KG) Points() int { return 2 + k.Outcomes() }

// Value returns Eq. 3 with free fantasy points, for any partition of the line. With m, v the moments
// of f₀ − f₁, s² = v + σ², z_e = (Edges_e − m)/s and c_o = Cov[f_o, f₀ − f₁] at fantasy point o,
//
//	kg = Σ_o [Φ(z_o) − Φ(z_{o−1})] (μ_o − Base) + Σ_e φ(z_e) (c_{e+1} − c_e)/s
//
// where edge e parts outcomes e and e+1. This is Σ_o Pr(o)·E[f_o | o] with the factors multiplied out: Pr(o) times the mean of the standard normal within the
// outcome is φ(z_{o−1}) − φ(z_o), so no quotient remains (the one of Eq. 5 loses digits below τ ≈ −37.5 and is 0/0 from −38.6). With one edge at 0 it is Φ(τ)μ₊ + Φ(−τ)μ₋ + φ(τ)(c₊ − c₋)/s.
//
// Late in a study the gain is 1e-9 beside a mean of 10, and all its digits are wanted. Hence three choices. Probabilities are normal.Interval, good relative
// to themselves, never one minus another. Base is subtracted from each μ_o, which is exact for neighbours, instead of from the sum; the two agree because
// probabilities sum to 1. And the second sum runs over edges: its terms are differences between neighbouring fantasy points, where Σ_o [φ(z_{o−1}) − φ(z_o)]
// c_o would cancel.
//
// σ > 0 keeps s > 0, and coincident question points are ordinary: kg = Σ_o Pr(o)(μ_o − Base). If v = σ = 0 the answer is known, the outcome that contains m,
// or a fair coin if m is an edge; it teaches nothing, and the derivatives in the question are set to 0.
//
// Partials: writing Δ for a difference across an edge and φ_e = φ(z_e),
//
//	∂m = Σ_e φ_e [Δμ + z_e Δc/s]/s,   ∂v = Σ_e φ_e [z_e Δμ + (z_e² − 1) Δc/s]/(2s²)
//	∂μ_o = Pr(o),   ∂c_o = [φ(z_{o−1}) − φ(z_o)]/s.
func (k KG) Value(m *gp.Moments, g *Partials) float64 {
	q := k.Points()
	mustFit(m, q)
	if g != nil {
		g.clear()
	}
	mean, v := m.Difference(0, 1)
	s := spread(v, k.Sigma)
	inv := reciprocal(s)
	value, dm, dv := 0.0, 0.0, 0.0
	lo, atLo := math.Inf(-1), 0.0
	for o := range k.Outcomes() {
		i := 2 + o
		hi, atHi := math.Inf(1), 0.0
		if o < len(k.Edges) {
			hi = standardise(k.Edges[o], mean, s)
			atHi = normal.PDF(hi)
		}
		p := normal.Interval(lo, hi)
		value += p * (m.Mean[i] - k.Base)
		if atHi > 0 {
			a, b := m.Cov[i*q:i*q+2], m.Cov[(i+1)*q:(i+1)*q+2]
			dmu := m.Mean[i+1] - m.Mean[i]
			dc := ((b[0] - a[0]) - (b[1] - a[1])) * inv
			value += atHi * dc
			dm += atHi * (dmu + hi*dc)
			dv += atHi * (hi*dmu + (hi*hi-1)*dc)
		}
		if g != nil {
			g.Mean[i] = p
			w := (atLo - atHi) * inv
			g.Cov[i*q], g.Cov[i*q+1] = w, -w
		}
		lo, atLo = hi, atHi
	}
	if g != nil {
		g.difference(q, dm*inv, dv/2*inv*inv)
	}
	return value
}

// reciprocal returns 1/s, and 0 at s = 0, where whatever it multiplies is a covariance with a constant.
func reciprocal(s float64) float64 {
	if s == 0 {
		return 0
	}
	return 1 / s
}

// difference adds to g the derivatives dm and dv in the mean and the variance of f₀ − f₁.
func (g *Partials) difference(q int, dm, dv float64) {
	g.Mean[0] += dm
	g.Mean[1] -= dm
	g.Cov[0] += dv
	g.Cov[q+1] += dv
	g.Cov[1] -= dv
	g.Cov[q] -= dv
}
