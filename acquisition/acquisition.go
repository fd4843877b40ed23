package acquisition

import (
	"math"

	"github.com/prefer-bo/prefer/gp"
)

// Acquisition says what a question is worth, as a formula on the joint moments of the utility at a few points. The first two points are the question; what
// the others are is the formula's business (for the knowledge gradient, one fantasy point per outcome).
type Acquisition interface {
	// Points returns the number of points q whose moments Value reads.
	Points() int

	// Value returns the worth at moments m. If g is not nil it overwrites g with the partial derivatives. It does not keep m or g, changes nothing of the
	// receiver, and is safe for concurrent use with separate moments.
	Value(m *gp.Moments, g *Partials) float64
}

// Partials are the derivatives of an acquisition in the moments:
//
//	dA = Σ_i Mean_i dμ_i + Σ_ij Cov_ij dC_ij        (all ordered pairs i, j)
//
// A derivative in the covariance of two points may sit in either of its two places, or be shared between them; only the sum counts.
type Partials struct {
	Mean []float64 // q
	Cov  []float64 // q×q
}

// NewPartials returns partials for q points.
func NewPartials(q int) *Partials {
	return &Partials{Mean: make([]float64, q), Cov: make([]float64, q*q)}
}

func (g *Partials) clear() {
	clear(g.Mean)
	clear(g.Cov)
}

// Evaluator is an acquisition on a posterior as a function of its points: the chain rule, once. On a mixture it is the weighted sum of such terms, at the
// same points. Not safe for concurrent use; make one per goroutine.
type Evaluator struct {
	terms []term
	m     *gp.Moments
	g     *Partials
	one   []float64 // the gradient of one of several terms
}

// term is an acquisition on one posterior and its weight in a sum.
type term struct {
	weight float64
	post   *gp.Posterior
	acq    Acquisition
}

// NewEvaluator returns the function x ↦ acq at the points x (q×D, row by row).
func NewEvaluator(post *gp.Posterior, acq Acquisition) *Evaluator {
	return newSum([]term{{1, post, acq}})
}

// newSum returns the weighted sum of terms on the same number of points; weights sum to 1.
func newSum(terms []term) *Evaluator {
	q := terms[0].acq.Points()
	return &Evaluator{terms: terms, m: gp.NewMoments(q), g: NewPartials(q)}
}

// At returns the acquisition at x and, if grad is not nil, writes its gradient. It does not allocate after the first call.
func (e *Evaluator) At(x, grad []float64) float64 {
	if len(e.terms) == 1 {
		return e.term(e.terms[0], x, grad)
	}
	var one []float64
	if grad != nil {
		if len(e.one) != len(grad) {
			e.one = make([]float64, len(grad))
		}
		one = e.one
		clear(grad)
	}
	var sum float64
	for _, t := range e.terms {
		sum += t.weight * e.term(t, x, one)
		for i := range grad {
			grad[i] += t.weight * one[i]
		}
	}
	return sum
}

// term returns one acquisition at x and writes its gradient.
func (e *Evaluator) term(t term, x, grad []float64) float64 {
	t.post.Moments(e.m, x)
	if grad == nil {
		return t.acq.Value(e.m, nil)
	}
	v := t.acq.Value(e.m, e.g)
	e.m.Pullback(e.g.Mean, e.g.Cov, grad)
	return v
}

// spread returns √(v + σ²). Where rounding left a difference of coincident points a variance of
// −1e-17 and there is no noise to absorb it, that is the 0 it stands for.
func spread(v, sigma float64) float64 {
	s2 := v + sigma*sigma
	if s2 <= 0 {
		return 0
	}
	return math.Sqrt(s2)
}

// standardise returns (x−m)/s. At s = 0 it is the side of m on which x lies, ±∞, or 0 if x = m.
func standardise(x, m, s float64) float64 {
	if x == m {
		return 0
	}
	return (x - m) / s
}

// mustFit panics unless m has q points.
func mustFit(m *gp.Moments, q int) {
	if m.Points() != q {
		panic("acquisition: Value: moments have the wrong number of points")
	}
}
