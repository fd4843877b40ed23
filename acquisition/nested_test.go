package acquisition

import (
	"context"
	"math"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

// Nested is the knowledge gradient as Eq. 3 has it, a function of the question alone: the fantasy points are maximised out. By the envelope theorem its
// gradient is the one-shot form's in (x₁, x₂) at the inner maximum, so it has 2D variables instead of (2 + outcomes)·D, each evaluation of which costs an
// inner search. The inner maxima are climbed to from where the last evaluation left them. Not safe for concurrent use.
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
	return &Nested{d: d, eval: eval, x: append(make([]float64, 2*d), fantasy...),
		local: maximize.NewLocal(q*d, maximize.Settings{MaxEvals: 100, GradTol: 1e-9, ValueTol: 1e-14}),
		g:     make([]float64, q*d), lo: make([]float64, q*d), hi: ones(q * d)}
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

// TestNestedGradient: the envelope gradient is the gradient, and the value is at least max μ.
func TestNestedGradient(t *testing.T) {
	p := testPosterior(t)
	peak := Recommend(t.Context(), nil, p, nil, nil, 1, 1)[0]
	for _, n := range outcomeCounts {
		a, c := scale(n)
		kg := NewKG(a, c, 1)
		kg.Base = peak.Mean
		var fantasy []float64
		for range n {
			fantasy = append(fantasy, peak.X...)
		}
		f := NewNested(p, kg, fantasy)
		x := []float64{0.3, 0.7, 0.55, 0.35}
		g := make([]float64, 4)
		if v := f.At(x, g); v < -1e-12 {
			t.Errorf("%d outcomes: KG − max μ = %g", n, v)
		}
		for i := range x {
			at := x[i]
			const h = 1e-4
			x[i] = at + h
			up := f.At(x, nil)
			x[i] = at - h
			fd := (up - f.At(x, nil)) / (2 * h)
			x[i] = at
			if math.Abs(fd-g[i]) > 1e-5*math.Max(1, math.Abs(g[i])) {
				t.Errorf("%d outcomes: ∂/∂x[%d] = %g, central difference %g", n, i, g[i], fd)
			}
		}
	}
}

// TestNestedIsOneShotAtItsBest: the one-shot search ends where the nested value cannot improve its
// fantasy points.
func TestNestedIsOneShotAtItsBest(t *testing.T) {
	p := testPosterior(t)
	c, err := Ask(t.Context(), "kg", Task{Posterior: p, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	kg := NewKG(p.Answers(), p.Hyper().Cuts, p.Noise())
	kg.Base = c.Mean
	var fantasy []float64
	for _, f := range c.Fantasy {
		fantasy = append(fantasy, f...)
	}
	n := NewNested(p, kg, fantasy)
	if v := n.At(append(append([]float64(nil), c.A...), c.B...), nil); math.Abs(v/c.Value-1) > 1e-4 {
		t.Errorf("one-shot gain %g, nested gain at the same question %g", c.Value, v)
	}
	// On the diagonal the answer is a coin toss and the gain is 0.
	if v := n.At([]float64{0.4, 0.4, 0.4, 0.4}, nil); math.Abs(v) > 1e-9 {
		t.Errorf("gain of asking an option against itself: %g", v)
	}
}

// TestKGAgainstGrid: the search's gain is at least that of every pair of a grid with the inner maximum
// over the grid too, and the finite-set enumeration agrees with the nested form there.
func TestKGAgainstGrid(t *testing.T) {
	p := testPosterior(t)
	c, err := Ask(t.Context(), "kg", Task{Posterior: p, Seed: 6})
	if err != nil {
		t.Fatal(err)
	}
	const side = 12
	var grid []float64
	for i := range side * side {
		grid = append(grid, float64(i%side)/(side-1), float64(i/side)/(side-1))
	}
	m := gp.NewMoments(side * side)
	p.Moments(m, grid)
	kg := NewKG(p.Answers(), p.Hyper().Cuts, p.Noise())
	kg.Base = c.Mean
	best := math.Inf(-1)
	for i := range side * side {
		for j := range i {
			best = math.Max(best, kg.Discrete(m.Mean, m.Cov, i, j, nil))
		}
	}
	if c.Value < best-1e-9 {
		t.Errorf("the search found a gain of %g, the grid has one of %g", c.Value, best)
	}
}
