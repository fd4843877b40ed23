package gp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// trendHyper are hyper-parameters with a trend in one to three dimensions.
func trendHyper(d int, a Answers) Hyper {
	return Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7, 0.3}[:d], Outputscale: 3, Trend: 6}, Cuts: testCuts(a)}
}

// allEffects are what a trend can be made of.
var allEffects = []Effects{Cosines, Polynomials, Lines}

// plainCov is k(x, y) as the comments of Kernel and Effects write it, term by term.
func plainCov(k Kernel, x, y []float64) float64 {
	var r2, trend float64
	for j, l := range k.Lengthscale {
		r2 += (x[j] - y[j]) * (x[j] - y[j]) / (l * l)
		if k.Effects == Polynomials {
			second := func(v float64) float64 { return math.Sqrt(5) / 2 * (3*math.Pow(2*v-1, 2) - 1) / l }
			trend += (12*(x[j]-0.5)*(y[j]-0.5)/(l*l) + second(x[j])*second(y[j])) / 2
			continue
		}
		if k.Effects == Lines {
			trend += 12 * (x[j] - 0.5) * (y[j] - 0.5)
			continue
		}
		trend += math.Cos(math.Pi*x[j])*math.Cos(math.Pi*y[j]) + math.Cos(2*math.Pi*x[j])*math.Cos(2*math.Pi*y[j])
	}
	r := math.Sqrt(5 * r2)
	return k.Outputscale*(1+r+r*r/3)*math.Exp(-r) + k.Trend/float64(k.Dim())*trend
}

func TestTrendKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	const d, n = 3, 4
	k := trendHyper(d, Answers{}).Kernel
	x, y := make([]float64, n*d), make([]float64, n*d)
	for i := range x {
		x[i], y[i] = rng.Float64(), rng.Float64()
	}
	c := make([]float64, n*n)
	for _, k.Effects = range allEffects {
		k.Matrix(c, x, y)
		for i := range n {
			for j := range n {
				want := plainCov(k, x[i*d:(i+1)*d], y[j*d:(j+1)*d])
				near(t, "At", k.At(x[i*d:(i+1)*d], y[j*d:(j+1)*d]), want, 1e-13)
				near(t, "Matrix", c[i*n+j], want, 1e-13)
			}
		}
	}
}

// TestTrendFeatures: under a uniform point the features have mean 0, variance 1 and no correlation, by the
// midpoint rule, which is exact for cosines; at the faces they are flat.
func TestTrendFeatures(t *testing.T) {
	const n = 64
	var mean [2]float64
	var cov [4]float64
	h, slope := make([]float64, 2), make([]float64, 2)
	for i := range n {
		Kernel{Lengthscale: []float64{1}}.feature([]float64{(float64(i) + 0.5) / n}, h, slope)
		for a := range h {
			mean[a] += h[a] / n
			for b := range h {
				cov[2*a+b] += h[a] * h[b] / n
			}
		}
	}
	for a := range h {
		near(t, "mean", mean[a], 0, 1e-14)
		near(t, "variance", cov[3*a], 1, 1e-14)
	}
	near(t, "covariance", cov[1], 0, 1e-14)
	for _, face := range []float64{0, 1} {
		Kernel{Lengthscale: []float64{1}}.feature([]float64{face}, h, slope)
		near(t, "slope of the first at a face", slope[0], 0, 1e-14)
		near(t, "slope of the second at a face", slope[1], 0, 1e-14)
		near(t, "variance at a face", (h[0]*h[0]+h[1]*h[1])/2, 2, 1e-14)
	}
}

// TestTrendEvidenceGradient: in every hyper-parameter, log T and the gaps after it included.
func TestTrendEvidenceGradient(t *testing.T) {
	for _, inf := range []Inference{EP, Variational, Laplace} {
		for i := range 2 * len(answerKinds) {
			kind := slices.Sorted(maps.Keys(answerKinds))[i/2]
			a, effects := answerKinds[kind], allEffects[i%2]
			t.Run(fmt.Sprintf("%v/%s/%v", inf, kind, effects), func(t *testing.T) {
				h := trendHyper(3, a)
				h.Kernel.Effects = effects
				duels := randomDuels(rand.New(rand.NewPCG(7, uint64(len(kind)))), 18, 3, a, h.Cuts)
				m := Model{Inference: inf, Answers: a, Trend: Gamma(2, 0.15), Effects: effects}.WithDefaults()
				if got, want := checkEvidenceGradient(t, m, newDense(m, duels, nil), h), 3+1+1+a.free(); got != want {
					t.Errorf("%d derivatives, want %d", got, want)
				}
				theta := m.theta(h)
				if lo, hi := m.box(m.Start(3)); len(lo) != len(theta) || len(hi) != len(theta) {
					t.Errorf("%d and %d bounds for %d hyper-parameters", len(lo), len(hi), len(theta))
				}
				grad := make([]float64, len(theta))
				m.logPrior(h, grad)
				for i := range theta {
					fd := slope(func(step float64) float64 {
						th := append([]float64(nil), theta...)
						th[i] += step
						return m.logPrior(m.fromTheta(th, 3), nil)
					}, 1e-5)
					near(t, fmt.Sprintf("∂log prior/∂θ[%d]", i), grad[i], fd, 1e-8)
				}
			})
		}
	}
}

// TestTrendAgainstRegression: at its sites the posterior is Gaussian regression with kernel k on all 2n
// utilities, which knows nothing of differences, features or weights; done by gonum.
func TestTrendAgainstRegression(t *testing.T) {
	const d, n, q = 2, 15, 5
	for i := range 6 {
		inf, effects := []Inference{EP, Variational, Laplace}[i/2], allEffects[i%2]
		a := Answers{Ties: true}
		h := trendHyper(d, a)
		h.Kernel.Effects = effects
		rng := rand.New(rand.NewPCG(52, 1))
		duels := randomDuels(rng, n, d, a, h.Cuts)
		p, err := Model{Inference: inf, Answers: a, Trend: Flat(), Effects: effects}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, q*d)
		for i := range x {
			x[i] = rng.Float64()
		}
		m := NewMoments(q)
		p.Moments(m, x)

		pts := append(append(append([]float64(nil), duels.A...), duels.B...), x...)
		all := mat.NewDense(2*n+q, 2*n+q, nil)
		for i := range 2*n + q {
			for j := range 2*n + q {
				all.Set(i, j, plainCov(h.Kernel, pts[i*d:(i+1)*d], pts[j*d:(j+1)*d]))
			}
		}
		side := mat.NewDense(n, 2*n, nil) // d = side · f
		s := p.Sites()
		y := mat.NewVecDense(n, nil)
		for i := range n {
			side.Set(i, i, 1)
			side.Set(i, n+i, -1)
			y.SetVec(i, s.Nu[i]/s.Lambda[i])
		}
		var kf, c, cross, sol, cov mat.Dense
		kf.Mul(side, all.Slice(0, 2*n, 0, 2*n))
		c.Mul(&kf, side.T())
		for i := range n {
			c.Set(i, i, c.At(i, i)+1/s.Lambda[i])
		}
		cross.Mul(side, all.Slice(0, 2*n, 2*n, 2*n+q))
		if err := sol.Solve(&c, &cross); err != nil {
			t.Fatal(err)
		}
		var mean mat.VecDense
		mean.MulVec(sol.T(), y)
		cov.Mul(cross.T(), &sol)
		for i := range q {
			near(t, inf.String()+" mean", m.Mean[i], mean.AtVec(i), 1e-9)
			near(t, inf.String()+" Mean", p.Mean(x[i*d:(i+1)*d]), mean.AtVec(i), 1e-9)
			for j := range q {
				near(t, inf.String()+" cov", m.Cov[i*q+j], all.At(2*n+i, 2*n+j)-cov.At(i, j), 1e-9)
			}
		}
	}
}

// TestTrendCondition: Lemma 3.1 on the moments before, and on the prior the same as EP on one duel.
func TestTrendCondition(t *testing.T) {
	for _, effects := range allEffects {
		t.Run(effects.String(), func(t *testing.T) { testTrendCondition(t, effects) })
	}
}

func testTrendCondition(t *testing.T, effects Effects) {
	a := Answers{Ties: true}
	h, model := trendHyper(2, a), Model{Answers: a, Trend: Flat(), Effects: effects}
	h.Kernel.Effects = effects
	p, err := model.Condition(randomDuels(rand.New(rand.NewPCG(53, 1)), 12, 2, a, h.Cuts), h, nil)
	if err != nil {
		t.Fatal(err)
	}
	prior, err := model.Condition(&Duels{Dim: 2}, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	pts := []float64{0.2, 0.3, 0.7, 0.6, 0.1, 0.9} // x, y, then another
	x, y, z := pts[:2], pts[2:4], pts[4:]
	m, after := NewMoments(3), NewMoments(3)
	for _, o := range a.Outcomes() {
		p.Moments(m, pts)
		d, v := m.Difference(0, 1)
		tl := h.Cuts.Interval(o, 1).Tilt(d, v, 1)
		next := p.Condition(x, y, o)
		next.Moments(after, pts)
		for i := range 3 {
			ci := m.Cov[i*3] - m.Cov[i*3+1]
			near(t, "mean", after.Mean[i], m.Mean[i]+tl.Alpha*ci, 1e-12)
			near(t, "Mean", next.Mean(pts[2*i:2*i+2]), after.Mean[i], 1e-12)
			for j := range 3 {
				cj := m.Cov[j*3] - m.Cov[j*3+1]
				near(t, "cov", after.Cov[i*3+j], m.Cov[i*3+j]-tl.Beta*ci*cj, 1e-12)
			}
		}
		one := &Duels{Dim: 2}
		if err := one.Add(x, y, o); err != nil {
			t.Fatal(err)
		}
		ep, err := model.Condition(one, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		next = prior.Condition(x, y, o)
		near(t, "mean after one duel", next.Mean(z), ep.Mean(z), 1e-12)
		near(t, "variance after one duel", next.Variance(z), ep.Variance(z), 1e-12)
	}
}

// TestTrendAgainstExact: win probabilities of EP against the sampler, whose own error is a fifth of the limit.
func TestTrendAgainstExact(t *testing.T) {
	const d, pairs = 2, 50
	h, model := trendHyper(d, Answers{}), Model{Trend: Flat()}
	rng := rand.New(rand.NewPCG(54, 1))
	duels := randomDuels(rng, 15, d, Answers{}, h.Cuts)
	p, err := model.Condition(duels, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := model.SkewSampler(duels, h, rng)
	if err != nil {
		t.Fatal(err)
	}
	x, y := make([]float64, pairs*d), make([]float64, pairs*d)
	for i := range x {
		x[i], y[i] = rng.Float64(), rng.Float64()
	}
	truth, se := e.WinProbabilities(x, y, 1000, 200000)
	off := make([]float64, pairs)
	for i := range off {
		off[i] = p.Prob(x[i*d:(i+1)*d], y[i*d:(i+1)*d], 1) - truth[i]
	}
	t.Logf("rms %.4f (sampler ±%.4f)", rms(off), rms(se))
	if rms(off) > 0.005 || rms(se) > 0.001 {
		t.Errorf("win probabilities of EP are off by %.4f, of the sampler by %.4f", rms(off), rms(se))
	}
	// With one duel the sampler's prior variance of a difference is all there is: Pr(g' > 0 | g > 0) for two
	// noisy looks at it is an orthant probability, ½ + asin(ρ)/π with ρ = v/(v + 1).
	one := &Duels{Dim: d, A: x[:d], B: y[:d], Outcome: []Outcome{1}}
	if e, err = model.SkewSampler(one, h, rng); err != nil {
		t.Fatal(err)
	}
	got, _ := e.WinProbabilities(x[:d], y[:d], 100, 30000)
	v := plainCov(h.Kernel, x[:d], x[:d]) + plainCov(h.Kernel, y[:d], y[:d]) - 2*plainCov(h.Kernel, x[:d], y[:d])
	near(t, "one duel", got[0], 0.5+math.Asin(v/(v+1))/math.Pi, 2e-3)
}

// TestTrendAtBounds: evidence, gradient and posterior are finite in the corners of the search, with a duel of an
// option with itself and duels with its mirror images, whose second cosines are the same.
func TestTrendAtBounds(t *testing.T) {
	m := Model{Trend: Flat()}.WithDefaults()
	duels := randomDuels(rand.New(rand.NewPCG(57, 1)), 10, 2, Answers{}, Cuts{0})
	for _, y := range [][]float64{{0.2, 0.9}, {0.8, 0.9}, {0.8, 0.1}} {
		if err := duels.Add([]float64{0.2, 0.9}, y, 1); err != nil {
			t.Fatal(err)
		}
	}
	x := []float64{0, 0, 1, 0.5}
	for _, l := range []float64{minLengthscale, maxLengthscale} {
		for _, s := range []float64{minOutputscale, maxOutputscale} {
			for _, trend := range []float64{minTrend, maxTrend} {
				h := Hyper{Kernel: Kernel{Lengthscale: []float64{l, l}, Outputscale: s, Trend: trend}, Cuts: Cuts{0}}
				grad := make([]float64, 4)
				z, _ := newDense(m, duels, nil).evaluate(h, 1e-10, grad)
				p, err := m.Condition(duels, h, nil)
				if err != nil {
					t.Fatal(err)
				}
				ms := NewMoments(2)
				p.Moments(ms, x)
				f := p.Functions(rand.New(rand.NewPCG(1, 1)), 1)[0].At(ms, x[:2], nil)
				for _, v := range append(append(append(grad, z, f), ms.Mean...), ms.Cov...) {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("lengthscale %g, outputscale %g, trend %g: evidence %g, gradient %g, moments %g %g, function %g",
							l, s, trend, z, grad, ms.Mean, ms.Cov, f)
					}
				}
				for i := range 2 {
					if v := ms.Cov[3*i]; v < -1e-9*(s+trend) || v > s+2*trend*(1+1e-9) {
						t.Errorf("variance %g, prior at most %g", v, s+2*trend)
					}
				}
			}
		}
	}
}

// TestTrendVanishes: as T goes to 0, everything is as without a trend.
func TestTrendVanishes(t *testing.T) {
	h := trendHyper(2, Answers{})
	duels := randomDuels(rand.New(rand.NewPCG(55, 1)), 15, 2, Answers{}, h.Cuts)
	h.Kernel.Trend = 1e-9
	p, err := Model{Trend: Flat()}.Condition(duels, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.Kernel.Trend = 0
	want, err := Model{Trend: None()}.Condition(duels, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0.2, 0.3, 0.7, 0.6}
	m, mw := NewMoments(2), NewMoments(2)
	p.Moments(m, x)
	want.Moments(mw, x)
	dm, dc, g, gw := []float64{1, -2}, []float64{1, 2, 3, 4}, make([]float64, 4), make([]float64, 4)
	m.Pullback(dm, dc, g)
	mw.Pullback(dm, dc, gw)
	near(t, "evidence", p.Evidence(), want.Evidence(), 1e-6)
	for i := range g {
		near(t, "cov", m.Cov[i], mw.Cov[i], 1e-6)
		near(t, "gradient", g[i], gw[i], 1e-6)
	}
	f := p.Functions(rand.New(rand.NewPCG(1, 1)), 1)[0]
	fw := want.Functions(rand.New(rand.NewPCG(1, 1)), 1)[0]
	f.weight, f.trend = fw.weight, make([]float64, 4) // the draws differ in the weights' random numbers alone
	near(t, "function", f.At(m, x[:2], nil), fw.At(mw, x[:2], nil), 1e-6)
	m = NewMoments(2) // a workspace moves between posteriors with and without a trend
	for range 2 {
		want.Moments(m, x)
		near(t, "mean without", m.Mean[1], mw.Mean[1], 0)
		p.Moments(m, x)
		near(t, "mean with", m.Mean[1], mw.Mean[1], 1e-6)
	}
}

// TestTrendIsLearned: answers by main effects alone raise T and what the model makes of unseen pairs; a fit
// may start from a posterior of a model with or without a trend, and ends where it would anyway.
func TestTrendIsLearned(t *testing.T) {
	const d = 6
	utility := func(x []float64) float64 {
		return 6*x[0] - 3*x[1] - 20*(x[2]-0.3)*(x[2]-0.3) - 20*(x[3]-0.6)*(x[3]-0.6) + 4*x[4]
	}
	rng := rand.New(rand.NewPCG(56, 1))
	duels := &Duels{Dim: d}
	point := func() []float64 {
		x := make([]float64, d)
		for j := range x {
			x[j] = rng.Float64()
		}
		return x
	}
	for range 80 {
		x, y := point(), point()
		o := Outcome(1)
		if utility(x)-utility(y)+rng.NormFloat64() < 0 {
			o = -1
		}
		if err := duels.Add(x, y, o); err != nil {
			t.Fatal(err)
		}
	}
	fit := func(m Model, from *Posterior) *Posterior {
		m.Tolerance = 1e-4
		p, err := m.Fit(t.Context(), duels, from)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	with := Model{Trend: Gamma(2, 0.15)}
	p, plain := fit(with, nil), fit(Model{}, nil)
	t.Logf("T = %.2f, evidence %.2f with and %.2f without a trend", p.Hyper().Kernel.Trend, p.Evidence(), plain.Evidence())
	if p.Hyper().Kernel.Trend < 1 || p.Evidence() < plain.Evidence()+2 {
		t.Errorf("T = %g, evidence %g, without a trend %g", p.Hyper().Kernel.Trend, p.Evidence(), plain.Evidence())
	}
	var loss, lossPlain float64 // −log probability of what a rater without noise would answer
	for range 200 {
		x, y := point(), point()
		if utility(x) < utility(y) {
			x, y = y, x
		}
		loss -= math.Log(p.Prob(x, y, 1)) / 200
		lossPlain -= math.Log(plain.Prob(x, y, 1)) / 200
	}
	t.Logf("log loss %.3f with and %.3f without", loss, lossPlain)
	if loss > lossPlain {
		t.Errorf("log loss %.3f with a trend, %.3f without", loss, lossPlain)
	}
	near(t, "objective of a fit from one without a trend", fit(with, plain).Evidence()+fit(with, plain).LogPrior(), p.Evidence()+p.LogPrior(), 1e-6)
	near(t, "objective of a fit from one with a trend", fit(Model{}, p).Evidence()+fit(Model{}, p).LogPrior(), plain.Evidence()+plain.LogPrior(), 1e-6)
}

// TestTrendDraws: without duels the draws of T follow its prior and those of the gap after it its own; with
// duels each draw is the posterior at its hyper-parameters, and a mixture's typical T is the geometric mean.
func TestTrendDraws(t *testing.T) {
	m := Model{Answers: Answers{Ties: true}, Trend: LogNormal(1, 0.5)}
	mean, sd := []float64{1, math.Log(0.3)}, []float64{0.5, 0.7} // of log T and log δ
	const count = 4000
	var sum, square [2]float64
	for _, p := range drawsOrFatal(t, m, &Duels{Dim: 1}, count, 1) {
		for i, v := range m.theta(p.Hyper())[2:] {
			z := (v - mean[i]) / sd[i]
			sum[i] += z / count
			square[i] += z * z / count
		}
	}
	for i := range mean { // a draw in two or three is independent: ten per cent are four standard errors
		near(t, "mean", sum[i], 0, 0.1)
		near(t, "variance", square[i], 1, 0.15)
	}
	var middle float64 // a flat prior is flat in log T, though that of the gap is not
	flat := Model{Answers: m.Answers, Trend: Flat()}
	lo, hi := flat.box(flat.Start(1))
	for _, p := range drawsOrFatal(t, flat, &Duels{Dim: 1}, count, 1) {
		middle += (math.Log(p.Hyper().Kernel.Trend) - lo[2]) / (hi[2] - lo[2]) / count
	}
	near(t, "mean of a flat prior", middle, 0.5, 0.1)
	ds := lawData(5)
	draws := drawsOrFatal(t, m, ds, 2, 3)
	x := []float64{0.3, 0.9}
	for _, p := range draws {
		fresh, err := m.Condition(ds, p.Hyper(), nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "mean", p.Mean(x), fresh.Mean(x), 1e-6)
		near(t, "log prior", p.LogPrior(), fresh.LogPrior(), 1e-12)
	}
	mix := NewMixture(draws, nil)
	a, b := draws[0].Hyper(), draws[1].Hyper()
	near(t, "typical T", mix.Hyper().Kernel.Trend, math.Sqrt(a.Kernel.Trend*b.Kernel.Trend), 1e-12)
	near(t, "typical δ", mix.Hyper().Cuts[0], math.Sqrt(a.Cuts[0]*b.Cuts[0]), 1e-12)
	plain, err := Model{Answers: m.Answers}.Fit(t.Context(), ds, nil)
	if err != nil {
		t.Fatal(err)
	}
	both := NewMixture([]*Posterior{draws[0], plain}, nil)
	if got := both.Hyper().Kernel.Trend; got != 0 {
		t.Errorf("posteriors with and without a trend have together %g", got)
	}
	at := []float64{0.2, 0.6, 0.4, 0.7}[:ds.Dim]
	near(t, "mean of both", both.Mean(at), (draws[0].Mean(at)+plain.Mean(at))/2, 1e-12)
}

func TestTrendJSON(t *testing.T) {
	for text, p := range map[string]Prior{"": {}, `"trend":"none"`: None(), `"trend":"gamma(2,0.15)"`: Gamma(2, 0.15), `"trend":"flat"`: Flat()} {
		m := Model{Trend: p}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if text == "" && strings.Contains(string(b), "trend") || !strings.Contains(string(b), text) {
			t.Errorf("%v is written as %s", p, b)
		}
		var back Model
		if err := json.Unmarshal(b, &back); err != nil || back.Trend != p {
			t.Errorf("%s is read as %v, %v", b, back.Trend, err)
		}
		if got := m.WithDefaults().Trend; got != p {
			t.Errorf("WithDefaults turns %v into %v", p, got)
		}
		if got, err := ParsePrior(p.String()); err != nil || got != p {
			t.Errorf("%v is parsed as %v, %v", p, got, err)
		}
	}
	if None().or(Flat()) != None() || (Prior{}).or(None()) != None() {
		t.Error("none is taken for the zero value")
	}
}

func TestTrendRefuses(t *testing.T) {
	ds := lawData(1)
	two, with := Answers{Ties: true}, trendHyper(2, Answers{Ties: true})
	without, negative := with.clone(), with.clone()
	without.Kernel.Trend, negative.Kernel.Trend = 0, -1
	for want, c := range map[string]struct {
		m Model
		h Hyper
	}{
		"Model.Trend = gamma(-1,1)":        {Model{Answers: two, Trend: Gamma(-1, 1)}, with},
		"Model.Trend has unknown family 9": {Model{Answers: two, Trend: Prior{Family: 9}}, with},
		"Model.Lengthscale = none":         {Model{Answers: two, Lengthscale: None()}, without},
		"trend = 6, want 0":                {Model{Answers: two, Trend: None()}, with},
		"trend = 0, want a positive":       {Model{Answers: two, Trend: Flat()}, without},
		"trend = -1, want a positive":      {Model{Answers: two, Trend: Flat()}, negative},
		"trend = -1, want 0":               {Model{Answers: two}, negative},
	} {
		if _, err := c.m.Condition(ds, c.h, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

// BenchmarkTrend is BenchmarkMoments without a trend and with one of either kind, and the fit.
func BenchmarkTrend(b *testing.B) {
	const n, d, q = 128, 6, 4
	ds := benchDuels(n, d)
	for i, name := range []string{"without", "cosines", "polynomials"} {
		m := []Model{{}, {Trend: LogNormal(0, 1.5)}, {Trend: LogNormal(0, 1.5), Effects: Polynomials}}[i]
		p, err := m.Condition(ds, m.Start(d), nil)
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		x, g := make([]float64, q*d), make([]float64, q*d)
		dm, dc := make([]float64, q), make([]float64, q*q)
		for i := range x {
			x[i] = rng.Float64()
		}
		for i := range dc {
			dc[i] = rng.NormFloat64()
		}
		ms := NewMoments(q)
		b.Run("moments/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Moments(ms, x)
				ms.Pullback(dm, dc, g)
			}
		})
		b.Run("mean/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.MeanGradient(ms, x[:d], g[:d])
			}
		})
		b.Run("fit/"+name, func(b *testing.B) {
			for b.Loop() {
				p = fitOrFatal(b, m, ds, nil)
			}
			b.ReportMetric(float64(p.Evaluations()), "evals")
		})
	}
}
