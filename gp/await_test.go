package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestAwaitIsExpectation: mean and covariance are those after each answer, averaged over the answers; on every scale, for
// a rater with a noise of her own.
func TestAwaitIsExpectation(t *testing.T) {
	for kind, a := range answerKinds {
		rng := rand.New(rand.NewPCG(22, 1))
		cuts := testCuts(a)
		p, err := Model{Answers: a}.Condition(randomDuels(rng, 12, 2, a, cuts), Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.5}, Outputscale: 4}, Cuts: cuts}, nil)
		if err != nil {
			t.Fatal(err)
		}
		pts := []float64{0.2, 0.3, 0.7, 0.6, 0.1, 0.9, 0.5, 0.5} // x, y, then two others
		for _, sigma := range []float64{1, 0.3, 2.5} {
			awaitIsExpectation(t, fmt.Sprintf("%s σ %g", kind, sigma), p, pts, sigma)
		}
	}
}

// TestAwaitKinds: the same for every inference, with and without a trend, and on top of an imagined answer.
func TestAwaitKinds(t *testing.T) {
	pts := []float64{0.2, 0.3, 0.5, 0.7, 0.6, 0.1, 0.1, 0.9, 0.8, 0.5, 0.5, 0.4}
	for kind, p := range somePosteriors(t) {
		awaitIsExpectation(t, kind, p, pts, p.Noise())
	}
}

func awaitIsExpectation(t *testing.T, name string, p *Posterior, pts []float64, sigma float64) {
	t.Helper()
	d := p.Dim()
	q := len(pts) / d
	x, y := pts[:d], pts[d:2*d]
	before, got, one := NewMoments(q), NewMoments(q), NewMoments(q)
	p.Moments(before, pts)
	next := p.AwaitAt(x, y, sigma)
	next.Moments(got, pts)
	mean, cov := make([]float64, q), make([]float64, q*q)
	for _, o := range p.Answers().Outcomes() {
		pr := p.ProbAt(x, y, o, sigma)
		p.ConditionAt(x, y, o, sigma).Moments(one, pts)
		for i := range mean {
			mean[i] += pr * one.Mean[i]
		}
		for i := range cov {
			cov[i] += pr * one.Cov[i]
		}
	}
	for i := range mean {
		near(t, name+" mean", got.Mean[i], before.Mean[i], 1e-13)
		near(t, name+" expected mean", got.Mean[i], mean[i], 1e-12)
	}
	for i := range cov {
		near(t, name+" covariance", got.Cov[i], cov[i], 1e-12)
	}
	m, v := before.Difference(0, 1)
	_, left := got.Difference(0, 1)
	if !(left > 0 && left < v) {
		t.Errorf("%s: the variance of the difference went from %g to %g", name, v, left)
	}
	// The new site is the observation of the mean that makes this of the old variance.
	n := len(next.sites.Lambda) - 1
	near(t, name+" site precision", next.sites.Lambda[n], 1/left-1/v, 1e-9)
	near(t, name+" site shift", next.sites.Nu[n], m*next.sites.Lambda[n], 1e-12)
	near(t, name+" evidence", next.Evidence(), p.Evidence(), 0)
	if next.State().Imagined != p.State().Imagined+1 {
		t.Errorf("%s: %d imagined answers after %d", name, next.State().Imagined, p.State().Imagined)
	}
}

// TestAwaitMany: any number of questions, the same one many times included, leaves the mean where it is and the covariance
// positive semi-definite, and each takes something away.
func TestAwaitMany(t *testing.T) {
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 23))
		p, err := Model{}.Condition(randomDuels(rng, 10, 2, Answers{}, Cuts{0}), Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.4}, Outputscale: 50}, Cuts: Cuts{0}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		pts := make([]float64, 2*8)
		for i := range pts {
			pts[i] = rng.Float64()
		}
		before, m := NewMoments(8), NewMoments(8)
		p.Moments(before, pts)
		last := math.Inf(1)
		for k := range 30 {
			i := 2 * (k % 3)
			p = p.AwaitAt(pts[2*i:2*i+2], pts[2*i+2:2*i+4], 1e-3)
			p.Moments(m, pts)
			trace := 0.0
			for j := range 8 {
				near(t, "mean", m.Mean[j], before.Mean[j], 1e-12)
				trace += m.Cov[j*8+j]
			}
			if !(trace < last) {
				t.Errorf("seed %d: question %d takes nothing away: %g after %g", seed, k, trace, last)
			}
			last = trace
			for range 20 {
				var form, size float64
				w := make([]float64, 8)
				for j := range w {
					w[j] = rng.NormFloat64()
				}
				for j := range 64 {
					form += w[j/8] * w[j%8] * m.Cov[j]
					size += math.Abs(w[j/8] * w[j%8] * m.Cov[j])
				}
				if form < -1e-12*size {
					t.Fatalf("seed %d: a variance is %g after %d questions", seed, form, k+1)
				}
			}
		}
	}
}

// TestAwaitNothing: a question of an option with itself teaches nothing, and one whose answer is certain next to nothing.
func TestAwaitNothing(t *testing.T) {
	p, err := Model{}.Condition(&Duels{Dim: 1}, hyper1(0.3, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, y := []float64{0.2}, []float64{0.7}
	near(t, "itself", p.Await(x, x).Variance(x), p.Variance(x), 0)
	for range 400 {
		p = p.Condition(x, y, 1)
	}
	near(t, "certain", p.Await(x, y).Variance(x), p.Variance(x), 1e-3)
	if pr := p.Prob(x, y, 1); pr < 0.99 {
		t.Errorf("the certain answer has probability %g", pr)
	}
}

// TestMixtureAwait: per posterior, the weight and the weighted covariance are the expected ones.
func TestMixtureAwait(t *testing.T) {
	x := someMixture(t)
	a, b, at := []float64{0.3, 0.8}, []float64{0.6, 0.1}, []float64{0.5, 0.5}
	const sigma = 0.6
	next := x.AwaitAt(a, b, sigma)
	near(t, "mean", next.Mean(at), x.Mean(at), 1e-13)
	for k := range x.Len() {
		var weight, variance float64
		for _, o := range x.Answers().Outcomes() {
			prob, after := x.ProbAt(a, b, o, sigma), x.ConditionAt(a, b, o, sigma)
			weight += prob * after.Weight(k)
			variance += prob * after.Weight(k) * after.Posterior(k).Variance(at)
		}
		near(t, "weight", next.Weight(k), weight, 1e-13)
		near(t, "weighted variance", next.Weight(k)*next.Posterior(k).Variance(at), variance, 1e-12)
	}
	near(t, "own noise", x.Await(a, b).Variance(at), x.AwaitAt(a, b, x.Noise()).Variance(at), 0)
}
