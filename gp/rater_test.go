package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/normal"
)

// raterModel tells raters apart and has a noise that is not 1.
func raterModel(inf Inference, a Answers) Model {
	return Model{Inference: inf, Answers: a, Noise: 1.3, RaterNoise: DefaultRaterNoise()}
}

// raterDuels are n duels answered in turn by raters with the given noises; a NaN answers by a coin.
func raterDuels(rng *rand.Rand, n int, a Answers, cuts Cuts, noise ...float64) *Duels {
	all := &Duels{Dim: 2}
	f := func(x []float64) float64 { return -12*sq(x, 0.4) + math.Sin(6*x[0]) }
	for all.Len() < n {
		r := all.Len() % len(noise)
		x, y := []float64{rng.Float64(), rng.Float64()}, []float64{rng.Float64(), rng.Float64()}
		g := f(x) - f(y) + noise[r]*rng.NormFloat64()
		if math.IsNaN(g) {
			g = rng.NormFloat64()
		}
		for _, o := range a.Outcomes() {
			if iv := cuts.Interval(o, 1); g > iv.Lo && g <= iv.Hi {
				if err := all.AddBy(x, y, o, r); err != nil {
					panic(err)
				}
			}
		}
	}
	return all
}

func TestRaterGradient(t *testing.T) {
	checked := 0
	for _, inf := range allInferences {
		for kind, a := range answerKinds {
			for _, inducing := range []int{10, 40} { // either side of the number of duels
				if inf != Sparse && inducing != 10 {
					continue
				}
				t.Run(fmt.Sprintf("%v/%s/%d", inf, kind, inducing), func(t *testing.T) {
					duels := raterDuels(rand.New(rand.NewPCG(1, uint64(len(kind)))), 20, a, testCuts(a), 0.5, 1, 3)
					m := raterModel(inf, a).WithDefaults()
					m.SparseOptions.Inducing, m.SparseOptions.Nodes = inducing, -1
					h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 5}, Cuts: testCuts(a), Raters: []float64{0.6, 1.1, 2.5}}
					ev, err := m.evaluator(duels, h, nil)
					if err != nil {
						t.Fatal(err)
					}
					if got, want := checkEvidenceGradient(t, m, ev, h), 2+1+a.free()+3; got != want {
						t.Errorf("theta has %d entries, want %d", got, want)
					}
					checked++
				})
			}
		}
	}
	if checked != 5*len(answerKinds) {
		t.Fatalf("%d gradients checked", checked)
	}
}

// TestSpread: the derivatives in log σ of the likelihood with its own derivatives, of its expectation and of
// the tilted normaliser.
func TestSpread(t *testing.T) {
	inf := math.Inf(1)
	for _, iv := range []Interval{{0, inf}, {-inf, 0}, {0.4, inf}, {-inf, -0.9}, {-0.5, 0.5}, {0.3, 2}, {4, 4.1}} {
		for _, d := range []float64{-3, -0.2, 0, 1, 5} {
			for _, sigma := range []float64{0.3, 1, 4} {
				in := func(f func(s float64) float64) float64 {
					return slope(func(step float64) float64 { return f(sigma * math.Exp(step)) }, 1e-5)
				}
				got := iv.logLikSpread(d, sigma)
				want := [3]float64{
					in(func(s float64) float64 { return iv.LogLik(d, s).Value }),
					in(func(s float64) float64 { return iv.LogLik(d, s).D1 }),
					in(func(s float64) float64 { return iv.LogLik(d, s).D2 }),
				}
				for k := range got {
					near(t, fmt.Sprintf("∂ℓ⁽%d⁾/∂log σ at %v, d %g, σ %g", k, iv, d, sigma), got[k], want[k], 1e-6*(1+math.Abs(want[k])))
				}
				for _, v := range []float64{0, 0.5, 6} {
					for _, rule := range []Rule{{}, {Nodes: 20}} {
						near(t, fmt.Sprintf("∂Q/∂log σ at %v, m %g, v %g, σ %g", iv, d, v, sigma), rule.Expect(iv, d, v, sigma).spread(iv, d, v),
							in(func(s float64) float64 { return rule.Expect(iv, d, v, s).Value }), 1e-6*(1+math.Abs(want[0])))
					}
					e := &ep{tilt: []Tilted{iv.Tilt(d, v, sigma)}}
					var dst [1]float64
					e.spread(nil, nil, []float64{sigma}, dst[:])
					slope := in(func(s float64) float64 { return iv.Tilt(d, v, s).LogZ })
					near(t, "∂log Z/∂log σ", dst[0], slope, 1e-6*(1+math.Abs(slope)))
				}
			}
		}
	}
}

// TestCommonRaterNoise: raters who are all c times as noisy are a study with c times the noise and its cuts
// where they were.
func TestCommonRaterNoise(t *testing.T) {
	const c = 1.7
	a := Answers{Ties: true, Grades: 1}
	duels := raterDuels(rand.New(rand.NewPCG(2, 2)), 24, a, Cuts{0.4, 1.1}, 1, 1, 1)
	for _, inf := range allInferences {
		m := raterModel(inf, a)
		h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 5}, Cuts: Cuts{0.4, 1.1}, Raters: []float64{c, c, c}}
		p, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Noise *= c
		h.Raters, h.Cuts = nil, Cuts{0.4 / c, 1.1 / c}
		q, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, inf.String()+" evidence", p.Evidence(), q.Evidence(), 1e-9)
		for _, x := range [][]float64{{0, 0}, {0.3, 0.8}, {1, 0.5}} {
			near(t, inf.String()+" mean", p.Mean(x), q.Mean(x), 1e-9)
			near(t, inf.String()+" variance", p.Variance(x), q.Variance(x), 1e-9)
		}
		near(t, "noise", p.RaterNoise(1), q.Noise(), 1e-12)
		near(t, "noise of a stranger", p.RaterNoise(3), p.Noise(), 0)
		near(t, "noise of nobody", p.RaterNoise(-1), p.Noise(), 0)
	}
}

// TestCarelessRater: one of two raters answers by a coin, 60 answers each, and is found out.
func TestCarelessRater(t *testing.T) {
	for seed := range uint64(5) {
		for _, inf := range []Inference{EP, Sparse} {
			duels := raterDuels(rand.New(rand.NewPCG(seed, 3)), 120, Answers{}, Cuts{0}, 1, math.NaN())
			p, err := Model{Inference: inf, RaterNoise: DefaultRaterNoise()}.Fit(context.Background(), duels, nil)
			if err != nil {
				t.Fatal(err)
			}
			careful, careless := p.RaterNoise(0), p.RaterNoise(1)
			t.Logf("%v, seed %d: careful %.2f, careless %.2f", inf, seed, careful, careless)
			if careless < 2*careful || len(p.Warnings()) > 0 {
				t.Errorf("%v, seed %d: noise %.3g of a careful and %.3g of a careless rater (%v)", inf, seed, careful, careless, p.Warnings())
			}
		}
	}
}

// TestSilentRater: of a rater whose answers say nothing, between an option and itself, the fit believes what it
// believes of strangers.
func TestSilentRater(t *testing.T) {
	duels := raterDuels(rand.New(rand.NewPCG(4, 4)), 20, Answers{}, Cuts{0}, 1, 1)
	for range 5 {
		if err := duels.AddBy([]float64{0.5, 0.5}, []float64{0.5, 0.5}, 1, 2); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Model{RaterNoise: DefaultRaterNoise(), Tolerance: 1e-5}.Fit(context.Background(), duels, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "noise", p.RaterNoise(2), p.Noise(), 1e-5)
}

// TestRatersAgainstExact: EP at given noises of raters against the sampler, which knows them too; without them
// it would be elsewhere.
func TestRatersAgainstExact(t *testing.T) {
	duels := raterDuels(rand.New(rand.NewPCG(6, 6)), 16, Answers{}, Cuts{0}, 0.3, 4)
	m := Model{RaterNoise: DefaultRaterNoise()}
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.5, 0.5}, Outputscale: 6}, Cuts: Cuts{0}, Raters: []float64{0.3, 4}}
	rng := rand.New(rand.NewPCG(7, 7))
	const pairs = 30
	x, y := make([]float64, 2*pairs), make([]float64, 2*pairs)
	for i := range x {
		x[i], y[i] = rng.Float64(), rng.Float64()
	}
	e, err := m.SkewSampler(duels, h, rng)
	if err != nil {
		t.Fatal(err)
	}
	truth, se := e.WinProbabilities(x, y, 500, 30000)
	if own := rms(se); own > 0.003 {
		t.Errorf("the sampler's own error is %.2g", own)
	}
	off := func(h Hyper) float64 {
		p, err := m.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		o := make([]float64, pairs)
		for i := range o {
			o[i] = p.Prob(x[2*i:2*i+2], y[2*i:2*i+2], 1) - truth[i]
		}
		return rms(o)
	}
	told := off(h)
	h.Raters = nil
	untold := off(h)
	t.Logf("rms %.4f, %.4f without rater noise (sampler ±%.4f)", told, untold, rms(se))
	if told > 0.006 || untold < 10*told {
		t.Errorf("rms error %.4f, and %.4f without rater noise", told, untold)
	}
}

// TestOneRater: a single rater, and raters whom the model does not tell apart, change no bit.
func TestOneRater(t *testing.T) {
	duels := lawData(6)
	for _, inf := range allInferences {
		m := lawModel(inf)
		want, err := m.Fit(context.Background(), duels, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			prior Prior
			rater func(int) int
		}{
			"one":     {DefaultRaterNoise(), func(int) int { return 0 }},
			"none":    {None(), func(i int) int { return i % 3 }},
			"default": {Prior{}, func(i int) int { return i % 3 }},
		} {
			by := *duels
			for i := range by.Len() {
				by.Rater = append(by.Rater, c.rater(i))
			}
			m.RaterNoise = c.prior
			p, err := m.Fit(context.Background(), &by, nil)
			if err != nil {
				t.Fatal(err)
			}
			x := []float64{0.2, 0.9}
			if p.Evidence() != want.Evidence() || p.Mean(x) != want.Mean(x) || p.Hyper().Raters != nil {
				t.Errorf("%v/%s: evidence %g, raters %v, want %g and none", inf, name, p.Evidence(), p.Hyper().Raters, want.Evidence())
			}
		}
	}
}

// TestConditionAt: on a posterior without duels one answer at a rater's noise is EP with that duel, and the
// probabilities of all answers add to one.
func TestConditionAt(t *testing.T) {
	a := Answers{Ties: true, Grades: 1}
	m := raterModel(EP, a)
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 5}, Cuts: Cuts{0.4, 1.1}, Raters: []float64{1, 2.2}}
	empty, err := m.Condition(&Duels{Dim: 2}, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, y := []float64{0.2, 0.3}, []float64{0.9, 0.1}
	sigma := empty.RaterNoise(1)
	near(t, "noise", sigma, 1.3*2.2, 1e-12)
	mix := NewMixture([]*Posterior{empty, empty}, nil)
	near(t, "noise in a mixture", mix.RaterNoise(1), sigma, 1e-12)
	var sum float64
	for _, o := range a.Outcomes() {
		one := &Duels{Dim: 2}
		if err := one.AddBy(x, y, o, 1); err != nil {
			t.Fatal(err)
		}
		want, err := m.Condition(one, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := empty.ConditionAt(x, y, o, sigma)
		near(t, "evidence", got.Evidence(), want.Evidence(), 1e-9)
		near(t, "mean", got.Mean(x), want.Mean(x), 1e-9)
		near(t, "covariance", got.Covariance(x, y), want.Covariance(x, y), 1e-9)
		near(t, "probability", math.Log(empty.ProbAt(x, y, o, sigma)), want.Evidence(), 1e-9)
		near(t, "mean in a mixture", mix.ConditionAt(x, y, o, sigma).Mean(x), want.Mean(x), 1e-9)
		sum += mix.ProbAt(x, y, o, sigma)
	}
	near(t, "sum of probabilities", sum, 1, 1e-12)
	mean, v := 0.0, 2*(5-h.Kernel.At(x, y))
	near(t, "a tie", empty.ProbAt(x, y, 0, sigma), normal.Interval((-0.52-mean)/math.Sqrt(v+sigma*sigma), (0.52-mean)/math.Sqrt(v+sigma*sigma)), 1e-12)
}

// TestRatersComeAndGo: a fit starts from a posterior with fewer raters, or with and without rater noise, and draws
// have all of them.
func TestRatersComeAndGo(t *testing.T) {
	duels := raterDuels(rand.New(rand.NewPCG(8, 8)), 30, Answers{}, Cuts{0}, 0.5, 1, 2)
	rated, alike := Model{RaterNoise: DefaultRaterNoise()}, Model{}
	fit := func(m Model, ds *Duels, from *Posterior) *Posterior {
		p, err := m.Fit(context.Background(), ds, from)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	head := &Duels{Dim: 2, A: duels.A[:4], B: duels.B[:4], Outcome: duels.Outcome[:2], Rater: duels.Rater[:2]}
	two := fit(rated, head, nil)
	if n := len(two.Hyper().Raters); n != 2 {
		t.Errorf("%d raters of 2", n)
	}
	if _, err := rated.Condition(duels, two.Hyper(), two); err != nil {
		t.Errorf("the third rater is new: %v", err)
	}
	three := fit(rated, duels, two)
	cold := fit(rated, duels, nil)
	near(t, "warm and cold", three.Evidence()+three.LogPrior(), cold.Evidence()+cold.LogPrior(), 1e-3)
	if n := len(fit(alike, duels, three).Hyper().Raters); n != 0 {
		t.Errorf("%d raters in a model without", n)
	}
	if n := len(fit(rated, duels, fit(alike, duels, nil)).Hyper().Raters); n != 3 {
		t.Errorf("%d raters of 3", n)
	}
	for _, inf := range []Inference{EP, Sparse} {
		m := rated
		m.Inference = inf
		draws := drawsOrFatal(t, m, duels, 3, 4)
		if a, b := draws[0].RaterNoise(2), draws[2].RaterNoise(2); a == b || len(draws[1].Hyper().Raters) != 3 {
			t.Errorf("draws of the third rater's noise: %g and %g", a, b)
		}
		if n := len(NewMixture(draws, nil).Hyper().Raters); n != 3 {
			t.Errorf("%d raters in a mixture", n)
		}
	}
}

func TestRaterErrors(t *testing.T) {
	good := raterDuels(rand.New(rand.NewPCG(9, 9)), 4, Answers{}, Cuts{0}, 1, 1)
	short, negative := *good, *good
	short.Rater, negative.Rater = []int{0, 1, 0}, []int{0, 1, 0, -1}
	at := func(m Model, ds *Duels, raters ...float64) error {
		_, err := m.Condition(ds, Hyper{Kernel: Kernel{Lengthscale: []float64{1, 1}, Outputscale: 1}, Cuts: Cuts{0}, Raters: raters}, nil)
		return err
	}
	rated := Model{RaterNoise: DefaultRaterNoise()}
	for want, err := range map[string]error{
		"Rater has 3 entries for 4 duels": at(Model{}, &short),
		"duel 3: rater -1, want 0 to":     at(Model{}, &negative),
		"without rater noise":             at(Model{}, good, 1, 2),
		"noise of rater 1 = 0":            at(rated, good, 1, 0),
		"Rater has 1 entries for 0":       (&Duels{Dim: 1, Rater: []int{0}}).AddBy([]float64{0}, []float64{1}, 1, 0),
		"rater 100000":                    (&Duels{Dim: 1}).AddBy([]float64{0}, []float64{1}, 1, maxRaters),
		"Model.RaterNoise":                Model{RaterNoise: LogNormal(0, -1)}.Validate(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	ds := lawData(1)
	if err := ds.AddBy([]float64{0, 0}, []float64{1, 1}, 1, 2); err != nil || ds.by(0) != 0 || ds.by(20) != 2 {
		t.Errorf("raters %v after the first duel with one (%v)", ds.Rater, err)
	}
	if err := ds.Add([]float64{0, 0}, []float64{1, 1}, 1); err != nil || ds.by(21) != 0 {
		t.Errorf("raters %v after a duel without (%v)", ds.Rater, err)
	}
}

// BenchmarkFitRaters is a cold fit of 120 duels by 1 to 20 raters, and the same duels with raters not told
// apart (R0).
func BenchmarkFitRaters(b *testing.B) {
	for _, raters := range []int{0, 1, 2, 5, 10, 20} {
		b.Run(fmt.Sprintf("n120/d6/R%d", raters), func(b *testing.B) {
			ds := benchDuels(120, 6)
			m := Model{}
			if raters > 0 {
				m.RaterNoise = DefaultRaterNoise()
				for i := range ds.Len() {
					ds.Rater = append(ds.Rater, i%raters)
				}
			}
			var p *Posterior
			for b.Loop() {
				p = fitOrFatal(b, m, ds, nil)
			}
			b.ReportMetric(float64(p.Evaluations()), "evals")
		})
	}
}

// RaterNoise returns a typical noise of rater r, the weighted geometric mean; Noise for one of whom nothing is known.
func (x *Mixture) RaterNoise(r int) float64 { return x.Noise() * x.Hyper().rater(r) }
