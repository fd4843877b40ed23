package acquisition

import "github.com/prefer-bo/prefer/gp"

// Acquisition says what a question is worth, as a formula on the joint moments of the utility at a
// few points. The first two points are the question; what the others are is the formula's business
// (for the knowledge gradient, one fantasy point per outcome).
type Acquisition interface {
	// Points returns the number of points q whose moments Value reads.
	Points() int

	// Value returns the worth at moments m. If g is not nil it overwrites g with the partial
	// derivatives. It does not keep m or g, changes nothing of the receiver, and is safe for
	// concurrent use with separate moments.
	Value(m *gp.Moments, g *Partials) float64
}

// Partials are the derivatives of an acquisition in the moments:
//
//	dA = Σ_i Mean_i dμ_i + Σ_ij Cov_ij dC_ij        (all ordered pairs i, j)
//
// A derivative in the covariance of two points may sit in either of its two places, or be shared
// between them; only the sum counts.
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

// Evaluator is an acquisition on a posterior as a function of its points: the chain rule, once. Not
// safe for concurrent use; make one per goroutine.
type Evaluator struct {
	post *gp.Posterior
	acq  Acquisition
	m    *gp.Moments
	g    *Partials
}

// NewEvaluator returns the function x ↦ acq at the points x (q×D, row by row).
func NewEvaluator(post *gp.Posterior, acq Acquisition) *Evaluator {
	q := acq.Points()
	return &Evaluator{post: post, acq: acq, m: gp.NewMoments(q), g: NewPartials(q)}
}

// At returns the acquisition at x and, if grad is not nil, writes its gradient. It does not allocate
// after the first call.
func (e *Evaluator) At(x, grad []float64) float64 {
	e.post.Moments(e.m, x)
	if grad == nil {
		return e.acq.Value(e.m, nil)
	}
	v := e.acq.Value(e.m, e.g)
	e.m.Pullback(e.g.Mean, e.g.Cov, grad)
	return v
}
