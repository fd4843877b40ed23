package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/normal"
)

// BALD is the information, in nats, that the answer to the question gives about the utility (Houlsby et al. 2011): what is unknown about the answer, less
// what would remain unknown to someone who knew the utility. It learns everywhere, not only where the best option may be.
type BALD struct {
	Edges []float64 // as in KG
	Sigma float64   // σ, the noise of the imagined answer
}

var _ Acquisition = BALD{}

// NewBALD returns the information gain for the outcomes of a, with cuts c in units of sigma.
func NewBALD(a gp.Answers, c gp.Cuts, sigma float64) BALD {
	return BALD{Edges: NewKG(a, c, sigma).Edges, Sigma: sigma}
}

// Points returns 2.
func (BALD) Points() int { return 2 }

// Value returns, with d = f₀ − f₁ ~ N(m, v), s² = v + σ², and h(c, t) the entropy of the outcomes of a N(c, t²),
//
//	I = h(m, s) − E h(d, σ)
//
// because given the utility the noisy difference is N(d, σ²), and without it N(m, s²).
//
// The expectation is one-dimensional and computed by the trapezoidal rule (see average). The partials follow from the heat equation ∂_v = ½∂_m² that both
// Gaussians obey; with primes for derivatives in c and F = Σ_o p_o'²/p_o, the Fisher information,
//
//	∂I/∂m = h'(m, s) − E h'(d, σ),   ∂I/∂v = −½Σ_o P_o″ log P_o − ½E h″(d, σ)
//	h' = −Σ_o p_o' log p_o,          h″ = −Σ_o p_o″ log p_o − F.
//
// Nothing divides by v: coincident points are ordinary, with I = 0 and ∂I/∂v = F/2. Accuracy is absolute: measured for σ = 1, 0 ≤ m < 8 and v from 0.02 to
// 3000, errors are below 2e-12 nats in the value, 2e-11 in ∂m and 5e-11 in ∂v. An I below that may come out negative. With σ = 0 nothing remains unknown and
// I = h(m, s).
func (b BALD) Value(m *gp.Moments, g *Partials) float64 {
	mustFit(m, 2)
	mean, v := m.Difference(0, 1)
	all := b.entropy(mean, spread(v, b.Sigma))
	var rest entropy
	switch {
	case v <= 0:
		rest = b.entropy(mean, b.Sigma)
		all.value = rest.value // also if rounding made v negative
	case b.Sigma > 0:
		rest = b.average(mean, v)
	}
	if g != nil {
		g.clear()
		g.difference(2, all.slope-rest.slope, (all.heat-(rest.heat-rest.fisher))/2)
	}
	return all.value - rest.value
}

// entropy is the entropy of the outcomes as a function of where their Gaussian is centred.
type entropy struct {
	value  float64 // h = −Σ p log p
	slope  float64 // h' = −Σ p' log p
	heat   float64 // −Σ p″ log p
	fisher float64 // Σ p'²/p, so that h″ = heat − fisher
}

// entropy returns the entropy of the outcomes of g ~ N(c, t²). With ends α, β of outcome o in standard units, p' = (φ(α) − φ(β))/t and p″ = (αφ(α) −
// βφ(β))/t². An outcome whose probability underflows contributes nothing.
func (b BALD) entropy(c, t float64) entropy {
	var e entropy
	lo, atLo, turnLo := math.Inf(-1), 0.0, 0.0
	for o := range len(b.Edges) + 1 {
		hi, atHi, turnHi := math.Inf(1), 0.0, 0.0
		if o < len(b.Edges) {
			hi = standardise(b.Edges[o], c, t)
			if atHi = normal.PDF(hi); atHi > 0 {
				turnHi = hi * atHi
			}
		}
		if p := normal.Interval(lo, hi); p > 0 {
			l, d := math.Log(p), atLo-atHi
			e.value -= p * l
			e.slope -= d * l
			e.heat -= (turnLo - turnHi) * l
			e.fisher += d / p * d
		}
		lo, atLo, turnLo = hi, atHi, turnHi
	}
	inv := reciprocal(t)
	e.slope *= inv
	e.heat *= inv * inv
	e.fisher *= inv * inv
	return e
}

// Parameters of the trapezoidal rule, as in package gp; see average.
const (
	reach     = 8.5  // deviations of d beyond which its density, below 1e-16, carries nothing
	wideStep  = 0.5  // largest step in deviations of d
	stripRate = 0.62 // largest step in units of σ
	sharp     = 9.0  // units of σ from the nearest edge beyond which the answer is certain to 1e-16
)

// average returns E of the entropy at scale σ over its centre d ~ N(m, v), v, σ > 0.
//
// The trapezoidal rule converges like e^{−2πw/h} for integrands analytic in a strip of half-width w. That of p log p ends at the zeros of p, at least 2.816σ
// from the real axis, so the step 0.62σ gives 4e-13 (the argument of gp's Rule). Nodes are needed only where d is likely, and only near an edge: elsewhere
// the answer is certain and the entropy zero. So their number is at most 35, or 30 for each edge, whichever the moments; without the second limit it would
// grow like √v/σ, 12,000 for an outputscale of 1e5.
func (b BALD) average(m, v float64) entropy {
	s := math.Sqrt(v)
	step := math.Min(wideStep*s, stripRate*b.Sigma)
	var sum entropy
	for i, j := 0, 0; i < len(b.Edges); i = j {
		for j = i + 1; j < len(b.Edges) && b.Edges[j]-b.Edges[j-1] <= 2*sharp*b.Sigma; j++ {
		}
		lo := math.Max(m-reach*s, b.Edges[i]-sharp*b.Sigma)
		hi := math.Min(m+reach*s, b.Edges[j-1]+sharp*b.Sigma)
		n := int(math.Ceil((hi - lo) / step)) // negative if d hardly ever comes near these edges
		for k := 0; k <= n; k++ {
			d := lo + float64(k)*step
			w := normal.PDF((d-m)/s) * (step / s)
			at := b.entropy(d, b.Sigma)
			sum.value += w * at.value
			sum.slope += w * at.slope
			sum.heat += w * at.heat
			sum.fisher += w * at.fisher
		}
	}
	return sum
}

// newBALD returns the formula of a prepared task. The cuts belong to the model's noise, whatever the look-ahead's is.
func newBALD(t Task) Acquisition {
	p := t.Posterior
	b := NewBALD(p.Answers(), p.Hyper().Cuts, p.Noise())
	b.Sigma = t.Noise
	return b
}
