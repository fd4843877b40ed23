package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestConditionFormula: mean and covariance after Condition are the closed forms of Lemma 3.1 and its
// second moment, generalised to intervals, evaluated on moments before.
func TestConditionFormula(t *testing.T) {
	for kind, a := range answerKinds {
		rng := rand.New(rand.NewPCG(21, 1))
		cuts := testCuts(a)
		duels := randomDuels(rng, 12, 2, a, cuts)
		p, err := Model{Answers: a}.Condition(duels, Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.5}, Outputscale: 4}, Cuts: cuts}, nil)
		if err != nil {
			t.Fatal(err)
		}
		pts := []float64{0.2, 0.3, 0.7, 0.6, 0.1, 0.9, 0.5, 0.5} // x, y, then two others
		m := NewMoments(4)
		p.Moments(m, pts)
		d, v := m.Difference(0, 1)
		for _, o := range a.Outcomes() {
			next := p.Condition(pts[:2], pts[2:4], o)
			after := NewMoments(4)
			next.Moments(after, pts)
			tl := cuts.Interval(o, 1).Tilt(d, v, 1)
			for i := range 4 {
				ci := m.Cov[i*4] - m.Cov[i*4+1]
				near(t, kind+" mean", after.Mean[i], m.Mean[i]+tl.Alpha*ci, 1e-12)
				for j := range 4 {
					cj := m.Cov[j*4] - m.Cov[j*4+1]
					near(t, kind+" cov", after.Cov[i*4+j], m.Cov[i*4+j]-tl.Beta*ci*cj, 1e-12)
				}
			}
			near(t, kind+" evidence", next.Evidence()-p.Evidence(), tl.LogZ, 1e-12)
		}
	}
}

// TestConditionPriorIsEP: EP on a single duel is exact moment matching, so it is Condition on the
// prior.
func TestConditionPriorIsEP(t *testing.T) {
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.5}, Outputscale: 4}, Cuts: Cuts{0.4}}
	model := Model{Answers: Answers{Ties: true}}
	prior, err := model.Condition(&Duels{Dim: 2}, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, y, z := []float64{0.2, 0.3}, []float64{0.7, 0.6}, []float64{0.4, 0.1}
	for o := Outcome(-1); o <= 1; o++ {
		ds := &Duels{Dim: 2}
		if err := ds.Add(x, y, o); err != nil {
			t.Fatal(err)
		}
		ep, err := model.Condition(ds, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		next := prior.Condition(x, y, o)
		near(t, "mean", next.Mean(z), ep.Mean(z), 1e-12)
		near(t, "variance", next.Variance(z), ep.Variance(z), 1e-12)
		near(t, "evidence", next.Evidence(), ep.Evidence(), 1e-12)
	}
}

// TestConditionFixture: the worked example in 30-digit arithmetic (means, covariances and σ = 1),
// through the one-variable update.
func TestConditionFixture(t *testing.T) {
	mu := [4]float64{0.30, -0.20, 0.55, 0.10}
	cov := [4][4]float64{{1, 0.3, 0.6, -0.1}, {0.3, 0.8, 0.1, 0.4}, {0.6, 0.1, 0.9, 0.05}, {-0.1, 0.4, 0.05, 0.7}}
	d, v := mu[0]-mu[1], cov[0][0]+cov[1][1]-2*cov[0][1]
	win, lose := Cuts{0}.Interval(1, 1), Cuts{0}.Interval(-1, 1)
	c := func(i int) float64 { return cov[i][0] - cov[i][1] }
	up, down := win.Tilt(d, v, 1), lose.Tilt(d, v, 1)
	near(t, "P", win.Prob(d, v, 1), 0.63197921536696059, 1e-15)
	near(t, "E[f₊|1≻2]", mu[2]+up.Alpha*c(2), 0.75104353480391425, 1e-15)
	near(t, "E[f₋|2≻1]", mu[3]+down.Alpha*c(3), 0.4452395644084811, 1e-15)
	near(t, "Var[f₊|1≻2]", cov[2][2]-up.Beta*c(2)*c(2), 0.83673564088582979, 1e-15)
}

// TestAnswerRaisesItsWinner: at fixed hyper-parameters one more win raises the winner's chance.
func TestAnswerRaisesItsWinner(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 8))
		p, err := Model{}.Condition(randomDuels(rng, 10, 2, Answers{}, Cuts{0}), Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.4}, Outputscale: 5}, Cuts: Cuts{0}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, y := []float64{rng.Float64(), rng.Float64()}, []float64{rng.Float64(), rng.Float64()}
		if before, after := p.Prob(x, y, 1), p.Condition(x, y, 1).Prob(x, y, 1); after <= before {
			t.Errorf("seed %d: Pr(x ≻ y) went from %g to %g after x ≻ y", seed, before, after)
		}
	}
}

// TestAwaitIsExpectation: mean and covariance are those after each answer, averaged over the answers; on every scale, for
// a rater with a noise of their own.
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

// TestCavity: the short formula and that by the marginal are one, also beside level duels, and both are the posterior of the other answers as far as
// their sites do not know the one that is left out.
func TestCavity(t *testing.T) {
	m := Model{Noise: 1}.WithDefaults()
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.5}, Outputscale: 4}, Cuts: Cuts{0}}
	for _, level := range []bool{false, true} {
		all, rest := &Duels{Dim: 1}, &Duels{Dim: 1}
		for _, d := range []*Duels{all, rest} {
			for i, x := range []float64{0.9, 0.7, 0.6} {
				if level && i == 1 {
					if err := d.AddBelow([]float64{0.2}, 0); err != nil {
						t.Fatal(err)
					}
				}
				if err := d.Add([]float64{x}, []float64{x / 3}, 1); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := all.Add([]float64{0.8}, []float64{0.1}, 1); err != nil {
			t.Fatal(err)
		}
		p, err := m.Condition(all, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		i := all.Len() - 1
		mean, v := p.Cavity(all, i)
		mo := NewMoments(2)
		p.Moments(mo, []float64{0.8, 0.1})
		at, vrc := mo.Difference(0, 1)
		l, nu := p.sites.Lambda[i], p.sites.Nu[i]
		vc := vrc / (1 - l*vrc)
		if mc := at + vc*(l*at-nu); math.Abs(mean-mc) > 1e-9 || math.Abs(v-vc) > 1e-9 {
			t.Errorf("level duels %v: N(%g, %g) by R, N(%g, %g) by the marginal", level, mean, v, mc, vc)
		}
		q, err := m.Condition(rest, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Moments(mo, []float64{0.8, 0.1})
		if at, vrc = mo.Difference(0, 1); math.Abs(mean-at) > 0.1 || math.Abs(v-vrc) > 0.2 {
			t.Errorf("level duels %v: N(%g, %g) without the answer, N(%g, %g) never told it", level, mean, v, at, vrc)
		}
	}
}

// TestCavityOfMany: where inducing points or duels leave some of a difference open, leaving an answer out gives its probability within 0.006 of never having
// been told it; with the open part taken for learned they were 0.009 to 0.013 off, and 0.055 off after 1,000 answers.
func TestCavityOfMany(t *testing.T) {
	const n, d = 350, 6
	h := Hyper{Kernel: Kernel{Lengthscale: slices.Repeat([]float64{0.7}, d), Outputscale: 4}, Cuts: Cuts{0}}
	all := randomDuels(rand.New(rand.NewPCG(3, n)), n, d, Answers{}, h.Cuts)
	for _, inference := range []Inference{Sparse, Reduced} {
		m := Model{Inference: inference, Noise: 1}.WithDefaults()
		p, err := m.Condition(all, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		var off, open float64
		const some = 10
		for k := range some {
			i := k * n / some
			rest := all.some(slices.DeleteFunc(evenly(n, n), func(j int) bool { return j == i }))
			without, err := m.Condition(rest, h, nil)
			if err != nil {
				t.Fatal(err)
			}
			mean, v := p.Cavity(all, i)
			got := h.Cuts.Interval(all.Outcome[i], m.Noise).Prob(mean, v, m.Noise)
			off += math.Abs(got-without.Prob(all.A[i*d:(i+1)*d], all.B[i*d:(i+1)*d], all.Outcome[i])) / some
			open += p.resid[i] / v / some
		}
		if off > 0.006 || open < 0.08 {
			t.Errorf("%v: %.4f off, %.2f of the variance open", inference, off, open)
		}
	}
}
