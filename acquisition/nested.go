package acquisition

import (
	"context"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// Nested is the knowledge gradient as Eq. 3 has it, a function of the question alone: the fantasy points are maximised out. By the envelope theorem its
// gradient is the one-shot form's in (x₁, x₂) at the inner maximum, so it has 2D variables instead of (2 + outcomes)·D, each evaluation of which costs an
// inner search. The inner maxima are climbed to from where the last evaluation left them; Fantasy sets where they start. Not safe for concurrent use.
type Nested struct {
	d      int
	eval   *Evaluator
	local  *maximize.Local
	x      []float64 // the one-shot point: question, then fantasy points
	g      []float64
	lo, hi []float64
}

// NewNested returns the nested knowledge gradient on a posterior, with fantasy points starting at
// fantasy (one per outcome, row by row, in the order of KG's outcomes).
func NewNested(p *gp.Posterior, kg KG, fantasy []float64) *Nested {
	return newNested(NewEvaluator(p, kg), p.Dim(), kg.Points(), fantasy)
}

func newNested(eval *Evaluator, d, q int, fantasy []float64) *Nested {
	if len(fantasy) != (q-2)*d {
		panic("acquisition: NewNested: want one fantasy point per outcome")
	}
	n := &Nested{d: d, eval: eval, x: append(make([]float64, 2*d), fantasy...),
		local: maximize.NewLocal(q*d, maximize.Settings{MaxEvals: 100, GradTol: 1e-9, ValueTol: 1e-14}),
		g:     make([]float64, q*d), lo: make([]float64, q*d), hi: ones(q * d)}
	return n
}

// At returns the knowledge gradient of the question x (2×D) and, if grad is not nil, its gradient.
func (n *Nested) At(x, grad []float64) float64 {
	d := n.d
	copy(n.x, x)
	copy(n.lo, x) // equal bounds hold the question fixed
	copy(n.hi, x)
	r := n.local.Maximize(context.Background(), n.eval.At, n.lo, n.hi, n.x)
	copy(n.x[2*d:], r.X[2*d:])
	if grad != nil {
		copy(grad, r.Grad[:2*d])
	}
	return r.Value
}

// Fantasy returns the inner maximisers of the last evaluation, row by row.
func (n *Nested) Fantasy() []float64 { return clone(n.x[2*n.d:]) }
