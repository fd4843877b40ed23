package figure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
)

// Example is the data of Fig. 1: the knowledge gradient in one dimension. The utility is f(x) = −x² on
// [−1, 1], every duel lies at x ≤ 0, and all answers are true.
type Example struct {
	X     []float64 // the grid of everything below
	Truth []float64

	Duels         []Segment // answered before the question
	Question      Segment   // the pair that maximises the knowledge gradient
	Before, After Posterior // without and with the answer

	// Gain is kg(x₁, x₂) − max μ for every pair of the grid, row by row in x₁, with the fantasy points
	// maximised out over the grid.
	Gain []float64
}

// Segment is a duel from winner to loser.
type Segment struct{ Winner, Loser float64 }

// Posterior is a belief at the points of a grid.
type Posterior struct{ Mean, SD []float64 }

// examplePairs are the pairs of the duels, at different places so that the arrows do not run into each
// other. The nearer to the origin wins, so the best guess is at the right end of what was seen.
var examplePairs = [][2]float64{{-0.9, -0.6}, {-0.3, -0.75}, {-0.45, -0.12}}

// NewExample fits the model, with the paper's two outcomes, to the duels, asks the question, answers it
// and fits again. steps is the number of steps of the grid, about 160 for print; the landscape costs
// its cube.
func NewExample(ctx context.Context, m gp.Model, steps int) (*Example, error) {
	if steps < 2 {
		return nil, fmt.Errorf("figure: NewExample has %d steps, want at least 2", steps)
	}
	m.Answers = gp.Answers{}
	e := &Example{X: make([]float64, steps+1), Truth: make([]float64, steps+1)}
	grid := make([]float64, steps+1)
	for i := range grid {
		grid[i] = float64(i) / float64(steps)
		e.X[i] = fromUnit(grid[i])
		e.Truth[i] = utility(e.X[i])
	}
	duels := &gp.Duels{Dim: 1}
	for _, p := range examplePairs {
		s := duel(p[0], p[1])
		e.Duels = append(e.Duels, s)
		if err := s.join(duels); err != nil {
			return nil, err
		}
	}
	before, err := m.Fit(ctx, duels, nil)
	if err != nil {
		return nil, err
	}
	choice, err := acquisition.Ask(ctx, "kg", acquisition.Task{Posterior: before})
	if err != nil {
		return nil, err
	}
	e.Question = duel(fromUnit(choice.A[0]), fromUnit(choice.B[0]))
	if err := e.Question.join(duels); err != nil {
		return nil, err
	}
	after, err := m.Fit(ctx, duels, before)
	if err != nil {
		return nil, err
	}

	joint := gp.NewMoments(len(grid))
	before.Moments(joint, grid)
	e.Before = marginals(joint)
	e.Gain = landscape(before, joint)
	after.Moments(joint, grid)
	e.After = marginals(joint)
	return e, nil
}

// landscape is Eq. 3 for every pair of points of joint, less the best mean.
func landscape(p *gp.Posterior, joint *gp.Moments) []float64 {
	n := joint.Points()
	kg := acquisition.NewKG(p.Answers(), p.Hyper().Cuts, p.Noise())
	kg.Base = slices.Max(joint.Mean)
	out := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			v := kg.Discrete(joint.Mean, joint.Cov, i, j, nil)
			out[i*n+j], out[j*n+i] = v, v
		}
	}
	return out
}

func marginals(m *gp.Moments) Posterior {
	n := m.Points()
	p := Posterior{slices.Clone(m.Mean), make([]float64, n)}
	for i := range p.SD {
		p.SD[i] = math.Sqrt(m.Cov[i*n+i])
	}
	return p
}

func utility(x float64) float64 { return -x * x }

// duel answers a pair without noise.
func duel(a, b float64) Segment {
	if utility(a) >= utility(b) {
		return Segment{a, b}
	}
	return Segment{b, a}
}

// join adds the duel to those of the model.
func (s Segment) join(d *gp.Duels) error {
	return d.Add([]float64{toUnit(s.Winner)}, []float64{toUnit(s.Loser)}, 1)
}

// The model lives on the unit interval.
func toUnit(x float64) float64   { return (x + 1) / 2 }
func fromUnit(u float64) float64 { return 2*u - 1 }
