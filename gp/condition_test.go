package gp

import (
	"math/rand/v2"
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
