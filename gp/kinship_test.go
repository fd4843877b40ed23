package gp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/linalg"
	"gonum.org/v1/gonum/mat"
)

// kinHyper returns hyper-parameters of a model of several tastes.
func kinHyper(rho float64, e Effects) Hyper {
	h := trendHyper(2, Answers{Ties: true})
	h.Kinship, h.Kernel.Effects = rho, e
	return h
}

func kinModel(e Effects) Model {
	return Model{Answers: Answers{Ties: true}, Trend: Flat(), Effects: e, Kinship: LogNormal(0, 1.5)}
}

// TestKinshipGradient checks the gradient of the evidence of every inference in every hyper-parameter, level duels included.
func TestKinshipGradient(t *testing.T) {
	for _, inf := range []Inference{EP, Variational, Laplace} {
		for _, e := range allEffects {
			t.Run(fmt.Sprintf("%v/%v", inf, e), func(t *testing.T) {
				m := kinModel(e)
				m.Inference = inf
				m = m.WithDefaults()
				h := kinHyper(0.6, e)
				duels := levelDuels(rand.New(rand.NewPCG(3, 1)), 20, 2, m.Answers, h.Cuts)
				checkEvidenceGradient(t, m, newDense(m, duels, nil), h)
			})
		}
	}
}

// people is the joint prior covariance, term by term, of f_r(x) for every rater r of three and every x, rater by rater.
func people(k Kernel, rho float64, x []float64) *mat.Dense {
	d := k.Dim()
	n := len(x) / d
	out := mat.NewDense(3*n, 3*n, nil)
	for i := range 3 * n {
		for j := range 3 * n {
			c := plainCov(k, x[i%n*d:(i%n+1)*d], x[j%n*d:(j%n+1)*d])
			if i/n != j/n {
				c *= rho
			}
			out.Set(i, j, c)
		}
	}
	return out
}

// TestKinshipPosterior compares what is said of every person, of a newcomer and of what all have in common with conditioning of the
// joint Gaussian of all of them on the sites, by another library.
func TestKinshipPosterior(t *testing.T) {
	const n, rho = 14, 0.35
	for _, e := range allEffects {
		m, h := kinModel(e), kinHyper(rho, e)
		rng := rand.New(rand.NewPCG(5, uint64(e)))
		duels := randomDuels(rng, n, 2, m.Answers, h.Cuts)
		for range n {
			duels.Rater = append(duels.Rater, rng.IntN(2)) // rater 2 never answers
		}
		p, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{0.1, 0.9, 0.5, 0.45, 0.8, 0.2}
		points := append(append(append([]float64(nil), x...), duels.A...), duels.B...)
		all := len(points) / 2
		prior := people(h.Kernel, rho, points)
		side := mat.NewDense(n, 3*all, nil)
		for i := range n {
			side.Set(i, duels.Rater[i]*all+3+i, 1)
			side.Set(i, duels.Rater[i]*all+3+n+i, -1)
		}
		mean, cov := regress(prior, side, p.Sites())
		for r := range 3 {
			q := p.For(r)
			for i := range 3 {
				a := x[i*2 : i*2+2]
				near(t, fmt.Sprintf("%v: mean of rater %d at %d", e, r, i), q.Mean(a), mean.AtVec(r*all+i), 1e-9)
				for j := range 3 {
					near(t, fmt.Sprintf("%v: covariance of rater %d", e, r), q.Covariance(a, x[j*2:j*2+2]), cov.At(r*all+i, r*all+j), 1e-9)
				}
			}
			got, gotCov := p.People(append(append([]float64(nil), x[:2]...), x[2:4]...), []int{r, 1})
			near(t, "mean of people", got[0], mean.AtVec(r*all), 1e-9)
			near(t, "mean of people", got[1], mean.AtVec(all+1), 1e-9)
			near(t, "covariance of people", gotCov[1], cov.At(r*all, all+1), 1e-9)
		}
		near(t, "a newcomer is who has not answered", p.Mean(x[:2]), p.For(2).Mean(x[:2]), 1e-12)

		// g has covariance ρk, also with every f_r.
		common := prior.RawMatrix()
		for i := range 3 * all {
			for j := range 3 * all {
				if i/all == 2 || j/all == 2 {
					common.Data[i*3*all+j] = rho * plainCov(h.Kernel, points[i%all*2:i%all*2+2], points[j%all*2:j%all*2+2])
				}
			}
		}
		mean, cov = regress(prior, side, p.Sites())
		g := p.Common()
		for i := range 3 {
			a := x[i*2 : i*2+2]
			near(t, fmt.Sprintf("%v: mean of g", e), g.Mean(a), mean.AtVec(2*all+i), 1e-9)
			near(t, fmt.Sprintf("%v: variance of g", e), g.Variance(a), cov.At(2*all+i, 2*all+i), 1e-9)
		}
	}
}

// Common returns the posterior of g, what all raters have in common; p where they have one utility. O(D).
func (p *Posterior) Common() *Posterior {
	if p.joint == nil {
		return p
	}
	q := *p
	q.b, q.r, q.joint = p.joint.b, p.joint.r, nil
	k := q.hyper.Kernel.clone()
	k.Outputscale *= p.hyper.Kinship
	k.Trend *= p.hyper.Kinship
	q.hyper.Kernel = k
	if q.trended() {
		q.cw = make([]float64, len(p.cw))
		linalg.Axpy(p.hyper.Kinship, p.cw, q.cw)
		q.setWeights()
	}
	return &q
}

// regress conditions a Gaussian of mean 0 on the sites of its differences: λ_i observes them with precision, ν_i = λ_i times what it saw.
func regress(prior, side *mat.Dense, s Sites) (*mat.VecDense, *mat.Dense) {
	n, _ := side.Dims()
	var cross, kd, gain, drop, cov mat.Dense
	cross.Mul(prior, side.T())
	kd.Mul(side, &cross)
	seen := mat.NewVecDense(n, nil)
	for i := range n {
		kd.Set(i, i, kd.At(i, i)+1/s.Lambda[i])
		seen.SetVec(i, s.Nu[i]/s.Lambda[i])
	}
	var inverse mat.Dense
	if err := inverse.Inverse(&kd); err != nil {
		panic(err)
	}
	gain.Mul(&cross, &inverse)
	var mean mat.VecDense
	mean.MulVec(&gain, seen)
	drop.Mul(&gain, cross.T())
	cov.Sub(prior, &drop)
	return &mean, &cov
}

// TestKinshipEnds: of strangers everybody has what their own answers say, and nearly one taste is what all answers say together.
func TestKinshipEnds(t *testing.T) {
	m, h := kinModel(Cosines), kinHyper(0, Cosines)
	rng := rand.New(rand.NewPCG(9, 9))
	all := randomDuels(rng, 24, 2, m.Answers, h.Cuts)
	own := &Duels{Dim: 2}
	for i := range 24 {
		all.Rater = append(all.Rater, i%3)
		if i%3 == 1 {
			if err := own.Add(all.A[i*2:i*2+2], all.B[i*2:i*2+2], all.Outcome[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	alone := m
	alone.Kinship = None()
	fit := func(m Model, d *Duels, rho float64) *Posterior {
		h := h
		h.Kinship = rho
		p, err := m.Condition(d, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	alike, one := fit(alone, own, 0), fit(alone, all, 0)
	for _, x := range [][]float64{{0.2, 0.7}, {0.9, 0.1}} {
		near(t, "a stranger's mean", fit(m, all, 1e-9).For(1).Mean(x), alike.Mean(x), 1e-6)
		near(t, "a stranger's variance", fit(m, all, 1e-9).For(1).Variance(x), alike.Variance(x), 1e-6)
		near(t, "mean of one taste", fit(m, all, 1-1e-9).For(1).Mean(x), one.Mean(x), 1e-6)
		near(t, "variance of one taste", fit(m, all, 1-1e-9).For(1).Variance(x), one.Variance(x), 1e-6)
		near(t, "what one taste has in common", fit(m, all, 1-1e-9).Common().Mean(x), one.Mean(x), 1e-6)
	}
}

// TestKinshipLearned: people who answer by one utility are found to be alike, people who answer by opposite ones strangers.
func TestKinshipLearned(t *testing.T) {
	m := Model{Kinship: LogNormal(2.25, 1.5)}
	rho := func(turn bool) float64 {
		d := randomDuels(rand.New(rand.NewPCG(2, 2)), 120, 2, Answers{}, Cuts{0})
		for i := range d.Outcome {
			d.Rater = append(d.Rater, i%4)
			if turn && i%2 == 1 {
				d.Outcome[i] *= -1
			}
		}
		p, err := m.Fit(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := m.Restore(d, throughJSON(t, p.State()))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "restored", back.For(2).Mean([]float64{0.3, 0.3}), p.For(2).Mean([]float64{0.3, 0.3}), 0)
		return p.Hyper().Kinship
	}
	if same, opposite := rho(false), rho(true); same < 0.8 || opposite > 0.2 {
		t.Errorf("kinship of people alike %.3f, of opposites %.3f", same, opposite)
	}
}

func throughJSON(t *testing.T, s State) (out State) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestKinshipRefused(t *testing.T) {
	d := randomDuels(rand.New(rand.NewPCG(2, 2)), 3, 2, Answers{}, Cuts{0})
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{1, 1}, Outputscale: 1}, Cuts: Cuts{0}}
	for want, try := range map[string]func() (Model, Hyper){
		"sparse":                        func() (Model, Hyper) { return Model{Inference: Sparse, Kinship: Flat()}, h },
		"kinship = 0, want a number":    func() (Model, Hyper) { return Model{Kinship: Flat()}, h },
		"kinship = 1, want a number":    func() (Model, Hyper) { h := h; h.Kinship = 1; return Model{Kinship: Flat()}, h },
		"kinship = 0.5, want 0":         func() (Model, Hyper) { h := h; h.Kinship = 0.5; return Model{}, h },
		"Model.Kinship = gamma(-1,2), ": func() (Model, Hyper) { return Model{Kinship: Gamma(-1, 2)}, h },
	} {
		m, h := try()
		if _, err := m.Condition(d, h, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, have %v", want, err)
		}
	}
}
