package figure

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
)

func newExample(t *testing.T) *Example {
	t.Helper()
	e, err := NewExample(context.Background(), gp.Model{}, 80)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What the caption of Fig. 1 and §3.1 say about it.
func TestExample(t *testing.T) {
	e := newExample(t)
	for _, d := range e.Duels {
		if d.Winner > 0 || d.Loser > 0 {
			t.Errorf("duel %v is not on the left side", d)
		}
	}
	for _, d := range append(e.Duels, e.Question) {
		if math.Abs(d.Winner) > math.Abs(d.Loser) {
			t.Errorf("the winner of %v is farther from the maximum", d)
		}
	}
	if max(e.Question.Winner, e.Question.Loser) <= 0.3 {
		t.Errorf("question %v has no option on the right side", e.Question)
	}
	top := func(p Posterior) float64 { return e.X[slices.Index(p.Mean, slices.Max(p.Mean))] }
	if before, after := math.Abs(top(e.Before)), math.Abs(top(e.After)); after > before {
		t.Errorf("the answer moved the best guess from %g away from the maximum to %g", before, after)
	}
	for _, x := range []float64{e.Question.Winner, e.Question.Loser} {
		if before, after := interpolate(e.X, e.Before.SD, x), interpolate(e.X, e.After.SD, x); after >= before {
			t.Errorf("sd at %.3g went from %g to %g by an answer about it", x, before, after)
		}
	}
}

// kg ≥ max μ, with equality for a question between an option and itself, and symmetry (§3.1).
func TestLandscape(t *testing.T) {
	e := newExample(t)
	n := len(e.X)
	for i := range n {
		for j := range n {
			g := e.Gain[i*n+j]
			if g < -1e-12 || i == j && g > 1e-12 || g != e.Gain[j*n+i] {
				t.Fatalf("kg(%g, %g) − max μ = %g, mirrored %g", e.X[i], e.X[j], g, e.Gain[j*n+i])
			}
		}
	}
	s := surface{n, e.Gain}
	highest := slices.Max(s.z)
	if at := s.at(toUnit(e.Question.Winner), toUnit(e.Question.Loser)); at < 0.998*highest {
		t.Errorf("kg is %g at the question, %g elsewhere on the grid", at, highest)
	}
}

// The maxima over the grid are those of a search that knows no grid.
func TestLandscapeNested(t *testing.T) {
	e := newExample(t)
	duels := &gp.Duels{Dim: 1}
	for _, d := range e.Duels {
		if err := d.join(duels); err != nil {
			t.Fatal(err)
		}
	}
	p, err := gp.Model{}.Fit(context.Background(), duels, nil)
	if err != nil {
		t.Fatal(err)
	}
	kg := acquisition.NewKG(p.Answers(), p.Hyper().Cuts, p.Noise())
	kg.Base = acquisition.Recommend(context.Background(), nil, p, nil, nil, 0, 1)[0].Mean
	n := len(e.X)
	for _, pair := range [][2]int{{80, 40}, {10, 70}, {55, 30}, {79, 78}} {
		x := []float64{toUnit(e.X[pair[0]]), toUnit(e.X[pair[1]])}
		best := math.Inf(-1)
		local := maximize.NewLocal(4, maximize.Settings{MaxEvals: 100, GradTol: 1e-9, ValueTol: 1e-14})
		lo, hi := slices.Concat(x, []float64{0, 0}), slices.Concat(x, []float64{1, 1}) // equal bounds hold the question fixed
		for a := range 5 {                                                             // the inner problem has more than one peak
			for b := range 5 {
				r := local.Maximize(t.Context(), acquisition.NewEvaluator(p, kg).At, lo, hi, slices.Concat(x, []float64{float64(a) / 4, float64(b) / 4}))
				best = max(best, r.Value)
			}
		}
		// The grid misses the peaks by at most half a step, in the second order.
		if got := e.Gain[pair[0]*n+pair[1]]; math.Abs(got-best) > 2e-3 {
			t.Errorf("gain of (%g, %g) is %.6f on the grid, %.6f without", e.X[pair[0]], e.X[pair[1]], got, best)
		}
	}
}

func TestExampleErrors(t *testing.T) {
	if _, err := NewExample(context.Background(), gp.Model{Noise: -1}, 10); err == nil {
		t.Error("a model that makes no sense, no error")
	}
	if e, err := NewExample(context.Background(), gp.Model{Answers: gp.Answers{Ties: true}}, 10); err != nil || len(e.Gain) != 121 {
		t.Errorf("a model with ties is not asked for two outcomes: %v", err)
	}
}
