package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/internal/maximize"
	"gonum.org/v1/gonum/mat"
)

// TestVariationalIsSparseAtTheData: with the training inputs as inducing points and a vanishing
// jitter the sparse optimum is the full-rank one.
func TestVariationalIsSparseAtTheData(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 13))
	for kind, a := range answerKinds {
		cuts := testCuts(a)
		duels := randomDuels(rng, 15, 3, a, cuts)
		h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7, 0.3}, Outputscale: 6}, Cuts: cuts}
		full, err := Model{Inference: Variational, Answers: a}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		z := append(append([]float64(nil), duels.A...), duels.B...)
		sparse, err := Model{Inference: Sparse, Answers: a,
			SparseOptions: SparseOptions{Points: z, Nodes: -1, Jitter: 1e-11}}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, kind+" bound", sparse.Evidence(), full.Evidence(), 1e-8)
		for range 10 {
			x := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
			near(t, kind+" mean", sparse.Mean(x), full.Mean(x), 1e-7)
			near(t, kind+" variance", sparse.Variance(x), full.Variance(x), 1e-7)
		}
	}
}

// TestVariationalMaximisesItsBound: a direct maximisation over all means and Cholesky factors, the
// bound written out from its definition, finds nothing better and ends at the same q.
func TestVariationalMaximisesItsBound(t *testing.T) {
	const n = 4
	rng := rand.New(rand.NewPCG(14, 14))
	a := Answers{Ties: true}
	duels := randomDuels(rng, n, 2, a, Cuts{0.5})
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 20}, Cuts: Cuts{0.5}}
	p, err := Model{Inference: Variational, Answers: a}.Condition(duels, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	space := newDuelSpace(duels, Level{})
	space.set(h.Kernel, true)
	prior := mat.NewSymDense(n, append([]float64(nil), space.kd...))
	var chol mat.Cholesky
	if !chol.Factorize(prior) {
		t.Fatal("prior covariance of the test's duels is singular")
	}
	bound := func(v []float64) float64 { // mean, then the rows of a lower triangular factor
		l := mat.NewDense(n, n, nil)
		at := n
		logdet := 0.0
		for i := range n {
			for j := range i + 1 {
				l.Set(i, j, v[at])
				at++
			}
			logdet += 2 * math.Log(math.Abs(l.At(i, i)))
		}
		var cov, sol mat.Dense
		cov.Mul(l, l.T())
		if err := chol.SolveTo(&sol, &cov); err != nil {
			return math.NaN()
		}
		mean := mat.NewVecDense(n, v[:n])
		var b mat.VecDense
		if err := chol.SolveVecTo(&b, mean); err != nil {
			return math.NaN()
		}
		z := -0.5 * (mat.Trace(&sol) - n + chol.LogDet() - logdet + mat.Dot(mean, &b))
		for i := range n {
			z += Rule{}.Expect(h.Cuts.Interval(duels.Outcome[i], 1), v[i], cov.At(i, i), 1).Value
		}
		return z
	}
	size := n + n*(n+1)/2
	x0, lo, hi := make([]float64, size), make([]float64, size), make([]float64, size)
	for i := range x0 {
		lo[i], hi[i] = -100, 100
	}
	at := n
	for i := range n {
		x0[at+i] = 1
		at += i + 1
	}
	f := func(x, g []float64) float64 {
		if g != nil {
			for i := range x {
				y := append([]float64(nil), x...)
				g[i] = slope(func(h float64) float64 { y[i] = x[i] + h; return bound(y) }, 1e-5)
			}
		}
		return bound(x)
	}
	res := maximize.NewLocal(size, maximize.Settings{MaxEvals: 2000, MaxIters: 2000, ValueTol: 1e-15}).Maximize(context.Background(), f, lo, hi, x0)
	near(t, "bound", p.Evidence(), res.Value, 1e-8)
	for i := range n {
		m := p.Mean(duels.A[2*i:2*i+2]) - p.Mean(duels.B[2*i:2*i+2])
		near(t, "mean", m, res.X[i], 1e-4)
	}
}

// TestVariationalAtLargeScale: the climb settles where the plain fixed point oscillates.
func TestVariationalAtLargeScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 15))
	duels := randomDuels(rng, 40, 3, Answers{}, Cuts{0})
	for _, scale := range []float64{20, 100, 1e3, 1e4} {
		h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7, 0.3}, Outputscale: scale}, Cuts: Cuts{0}}
		p, err := Model{Inference: Variational}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		if w := p.Warnings(); len(w) > 0 {
			t.Errorf("outputscale %g: %v", scale, w)
		}
		// A bound: below EP's evidence, which is accurate to a few hundredths.
		ep, err := Model{}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Evidence() > ep.Evidence()+0.05 {
			t.Errorf("outputscale %g: bound %g above the evidence %g", scale, p.Evidence(), ep.Evidence())
		}
	}
}
