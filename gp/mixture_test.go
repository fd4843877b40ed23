package gp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// someMixture is three posteriors of the same duels, ties on offer, with their own cuts.
func someMixture(t testing.TB) *Mixture {
	t.Helper()
	var posts []*Posterior
	for _, h := range []Hyper{
		{Kernel: Kernel{Lengthscale: []float64{0.3, 0.6}, Outputscale: 8}, Cuts: Cuts{0.4}},
		{Kernel: Kernel{Lengthscale: []float64{0.8, 0.4}, Outputscale: 3}, Cuts: Cuts{0.7}},
		{Kernel: Kernel{Lengthscale: []float64{0.2, 1.5}, Outputscale: 15}, Cuts: Cuts{0.2}},
	} {
		p, err := lawModel(EP).Condition(lawData(9), h, nil)
		if err != nil {
			t.Fatal(err)
		}
		posts = append(posts, p)
	}
	return NewMixture(posts, []float64{5, 3, 2})
}

func TestMixtureMoments(t *testing.T) {
	x := someMixture(t)
	at, other := []float64{0.3, 0.8}, []float64{0.6, 0.1}
	var weight, mean, second, prob float64
	for k := range x.Len() {
		p, w := x.Posterior(k), x.Weight(k)
		weight += w
		mean += w * p.Mean(at)
		second += w * (p.Variance(at) + p.Mean(at)*p.Mean(at))
	}
	near(t, "weights", weight, 1, 1e-15)
	near(t, "mean", x.Mean(at), mean, 1e-14)
	near(t, "variance", x.Variance(at), second-mean*mean, 1e-12)
	for _, o := range x.Answers().Outcomes() {
		prob += x.Prob(at, other, o)
	}
	near(t, "probabilities", prob, 1, 1e-14)
	h := x.Hyper()
	near(t, "typical outputscale", h.Kernel.Outputscale, math.Pow(8, 0.5)*math.Pow(3, 0.3)*math.Pow(15, 0.2), 1e-14)
	near(t, "typical cut", h.Cuts[0], math.Pow(0.4, 0.5)*math.Pow(0.7, 0.3)*math.Pow(0.2, 0.2), 1e-14)
}

// TestMixtureDerivatives: gradient and Hessian of the mean against differences, and no allocation.
func TestMixtureDerivatives(t *testing.T) {
	x := someMixture(t)
	m, at := NewMoments(1), []float64{0.3, 0.8}
	grad, up, hess := make([]float64, 2), make([]float64, 2), make([]float64, 4)
	near(t, "mean", x.MeanGradient(m, at, grad), x.Mean(at), 1e-14)
	x.MeanHessian(m, at, hess)
	for j := range at {
		keep := at[j]
		fd := slope(func(h float64) float64 { at[j] = keep + h; return x.MeanGradient(m, at, nil) }, 1e-5)
		near(t, "gradient", grad[j], fd, 1e-7)
		for i := range at {
			fd := slope(func(h float64) float64 { at[j] = keep + h; x.MeanGradient(m, at, up); return up[i] }, 1e-5)
			near(t, "Hessian", hess[i*2+j], fd, 1e-6)
		}
		at[j] = keep
	}
	if a := testing.AllocsPerRun(20, func() { x.MeanGradient(m, at, grad) }); a != 0 {
		t.Errorf("MeanGradient allocates %g times", a)
	}
}

// TestMeanOnly: the mean, its gradient and its Hessian are those of the whole posterior to the bit, in a fraction of the memory.
func TestMeanOnly(t *testing.T) {
	for _, p := range someMixture(t).posts {
		q := p.MeanOnly()
		m, at := NewMoments(1), []float64{0.3, 0.8, 0.9, 0.1}
		g, h, means := make([]float64, 4), make([]float64, 8), make([]float64, 4)
		p.Means(means[:2], at, 1)
		q.Means(means[2:], at, 1)
		a, b := p.MeanGradient(m, at[:2], g[:2]), q.MeanGradient(m, at[:2], g[2:])
		p.MeanHessian(m, at[:2], h[:4])
		q.MeanHessian(m, at[:2], h[4:])
		if a != b || !slices.Equal(g[:2], g[2:]) || !slices.Equal(h[:4], h[4:]) || !slices.Equal(means[:2], means[2:]) {
			t.Errorf("mean %g and %g, gradients %g, Hessians %g, means %g", a, b, g, h, means)
		}
		if q.Size() > p.Size()-int64(8*p.n*p.n) {
			t.Errorf("%d bytes of %d, with %d basis functions", q.Size(), p.Size(), p.n)
		}
	}
}

// TestMeanSum: the mean of a sum, its gradient and its Hessian are the sums of the terms'; people who learn from the same duels with the same kernel make up
// one posterior, which has each point once.
func TestMeanSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	for _, e := range allEffects {
		m, h := kinModel(e), kinHyper(0.4, e)
		duels := levelDuels(rng, 20, 2, m.Answers, h.Cuts)
		duels.A, duels.B = append(duels.A, duels.A[:6]...), append(duels.B, duels.B[:6]...) // three asked again
		duels.Outcome, duels.Rater, duels.Level = append(duels.Outcome, duels.Outcome[:3]...), append(duels.Rater, 1, 1, 1), append(duels.Level, duels.Level[:3]...)
		p, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		h.Kernel.Lengthscale = []float64{0.4, 1.7}
		other, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		xs := []*Mixture{NewMixture([]*Posterior{p.For(0), other.For(0)}, []float64{0.3, 0.7}), NewMixture([]*Posterior{p.For(2)}, nil), NewMixture([]*Posterior{other.For(-1)}, nil)}
		weights := []float64{0.5, -1.25, 2}
		sum := MeanSum(xs, weights)
		if sum.Len() != 2 || sum.posts[0].n != 33 {
			t.Errorf("%v: a sum of %d posteriors, the first with %d points", e, sum.Len(), sum.posts[0].n)
		}
		mo, at := NewMoments(1), []float64{0.3, 0.8}
		mean, grad, hess, bulk := 0.0, make([]float64, 2), make([]float64, 4), make([]float64, 1)
		one, two, row := make([]float64, 2), make([]float64, 4), make([]float64, 1)
		for i, x := range xs {
			mean += weights[i] * x.MeanGradient(mo, at, one)
			x.MeanHessian(mo, at, two)
			x.Means(row, at, 1)
			linalg.Axpy(weights[i], one, grad)
			linalg.Axpy(weights[i], two, hess)
			bulk[0] += weights[i] * row[0]
		}
		near(t, "mean", sum.MeanGradient(mo, at, one), mean, 1e-12)
		sum.MeanHessian(mo, at, two)
		sum.Means(row, at, 1)
		near(t, "mean of a block", row[0], bulk[0], 1e-12)
		for j := range two {
			near(t, "Hessian", two[j], hess[j], 1e-10)
		}
		for j := range one {
			near(t, "gradient", one[j], grad[j], 1e-11)
		}
	}
}

// TestMixtureConditionIsBayes: averaged over the answer nothing is expected to change, neither the weight of
// a posterior nor the mean anywhere.
func TestMixtureConditionIsBayes(t *testing.T) {
	x := someMixture(t)
	a, b, at := []float64{0.3, 0.8}, []float64{0.6, 0.1}, []float64{0.5, 0.5}
	var mean float64
	weights := make([]float64, x.Len())
	for _, o := range x.Answers().Outcomes() {
		prob, after := x.Prob(a, b, o), x.Condition(a, b, o)
		mean += prob * after.Mean(at)
		for k := range weights {
			weights[k] += prob * after.Weight(k)
		}
	}
	near(t, "mean", mean, x.Mean(at), 1e-12)
	for k := range weights {
		near(t, "weight", weights[k], x.Weight(k), 1e-13)
	}
}

// TestMixtureOfOne: the same posterior three times is that posterior.
func TestMixtureOfOne(t *testing.T) {
	p := someMixture(t).Posterior(0)
	x := NewMixture([]*Posterior{p, p, p}, nil)
	a, b := []float64{0.3, 0.8}, []float64{0.6, 0.1}
	near(t, "mean", x.Mean(a), p.Mean(a), 1e-14)
	near(t, "variance", x.Variance(a), p.Variance(a), 1e-14)
	near(t, "probability", x.Prob(a, b, 0), p.Prob(a, b, 0), 1e-14)
	near(t, "mean after an answer", x.Condition(a, b, 1).Mean(a), p.Condition(a, b, 1).Mean(a), 1e-14)
	near(t, "typical lengthscale", x.Hyper().Kernel.Lengthscale[1], p.Hyper().Kernel.Lengthscale[1], 1e-14)
}

func TestNewMixtureRefuses(t *testing.T) {
	x := someMixture(t)
	p := x.Posterior(0)
	q, err := Model{}.Condition(&Duels{Dim: 2}, Model{}.Start(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(){
		"nothing":         func() { NewMixture(nil, nil) },
		"a weight short":  func() { NewMixture([]*Posterior{p, p}, []float64{1}) },
		"negative weight": func() { NewMixture([]*Posterior{p, p}, []float64{1, -1}) },
		"no weight":       func() { NewMixture([]*Posterior{p}, []float64{0}) },
		"other answers":   func() { NewMixture([]*Posterior{p, q}, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
