package gp

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPolynomialFeatures: under a uniform point the features have mean 0, variance 1/ℓ² and no correlation, by
// Gauss-Legendre with three nodes, which is exact up to degree 5; slopes and bends are differences of features.
func TestPolynomialFeatures(t *testing.T) {
	node, weight := []float64{0.5 - math.Sqrt(0.15), 0.5, 0.5 + math.Sqrt(0.15)}, []float64{5. / 18, 8. / 18, 5. / 18}
	k := Kernel{Lengthscale: []float64{0.4}, Effects: Polynomials}
	h, slopes := make([]float64, 2), make([]float64, 2)
	var mean [2]float64
	var cov [4]float64
	for i, x := range node {
		k.feature([]float64{x}, h, slopes)
		for a := range h {
			mean[a] += weight[i] * h[a]
			for b := range h {
				cov[2*a+b] += weight[i] * h[a] * h[b]
			}
		}
	}
	for a := range h {
		near(t, "mean", mean[a], 0, 1e-14)
		near(t, "variance", cov[3*a], 1/0.16, 1e-14)
	}
	near(t, "covariance", cov[1], 0, 1e-14)
	k.feature([]float64{1}, h, nil)
	near(t, "variance at a face", (h[0]*h[0]+h[1]*h[1])/2, 4/0.16, 1e-14)
	for _, k.Effects = range allEffects {
		at := func(x float64, m int, v []float64) float64 {
			k.feature([]float64{x}, h, slopes)
			return v[m]
		}
		for _, x := range []float64{0, 0.2, 0.9} {
			at(x, 0, h)
			bend := k.bend(0, 3, -2, h[0], h[1])
			near(t, "bend", bend, slope(func(e float64) float64 { return 3*at(x+e, 0, slopes) - 2*at(x+e, 1, slopes) }, 1e-5), 1e-7)
			for m := range 2 {
				near(t, "slope", at(x, m, slopes), slope(func(e float64) float64 { return at(x+e, m, h) }, 1e-5), 1e-7)
			}
		}
	}
}

// TestPolynomialsSize: the trend's variance averaged over the cube is T times the mean of 1/ℓ², and names have none.
func TestPolynomialsSize(t *testing.T) {
	node, weight := []float64{0.5 - math.Sqrt(0.15), 0.5, 0.5 + math.Sqrt(0.15)}, []float64{5. / 18, 8. / 18, 5. / 18}
	k := Kernel{Lengthscale: []float64{0.4, 2, identityLengthscale}, Outputscale: 3, Trend: 6, Effects: Polynomials}
	var average float64
	for i, x := range node {
		for j, y := range node {
			z := []float64{x, y, 7}
			average += weight[i] * weight[j] * (k.At(z, z) - 3)
		}
	}
	near(t, "average", average, 6*(1/0.16+1/4.)/3, 1e-13)
	if got, want := k.At([]float64{0.1, 0.2, -3}, []float64{0.1, 0.9, 12345}), k.At([]float64{0.1, 0.2, 1}, []float64{0.1, 0.9, 2}); got != want {
		t.Errorf("covariance %g of items under other names, %g before", got, want)
	}
}

// TestEffectsEvidenceGradient: with an amount, a category that shares a lengthscale, and names.
func TestEffectsEvidenceGradient(t *testing.T) {
	for i := range 9 {
		a := Answers{Ties: true}
		m := Model{Inference: []Inference{EP, Variational, Laplace}[i%3], Answers: a, Scales: mixedScales, Trend: Gamma(2, 0.15), Effects: allEffects[i/3]}.WithDefaults()
		h := m.Start(5)
		h.Kernel.Lengthscale = []float64{0.4, 0.9, 0.9, 0.9, identityLengthscale}
		h.Cuts = testCuts(a)
		duels := mixedDuels(rand.New(rand.NewPCG(61, 1)), 20, a, h.Cuts)
		if got, want := checkEvidenceGradient(t, m, newDense(m, duels, nil), h), 2+1+1+1; got != want {
			t.Errorf("%d derivatives, want %d", got, want)
		}
		fresh := newDense(m, duels, nil) // what one evaluation leaves behind must not show in the next
		used := newDense(m, duels, nil)
		other := h.clone()
		other.Kernel.Lengthscale[0], other.Kernel.Trend = 2, 1
		used.evaluate(other, 1e-10, nil)
		fresh.space.set(h.Kernel, true)
		used.space.set(h.Kernel, true)
		for i, v := range fresh.space.kd {
			if used.space.kd[i] != v {
				t.Fatalf("K_d[%d] = %g after other lengthscales, %g at once", i, used.space.kd[i], v)
			}
		}
	}
}

// TestEffectsOfNames: other integers for the same items give the same posterior, with a trend too.
func TestEffectsOfNames(t *testing.T) {
	duels := mixedDuels(rand.New(rand.NewPCG(62, 1)), 40, Answers{}, Cuts{0})
	rename := func(x []float64) []float64 {
		y := append([]float64(nil), x...)
		for i := 4; i < len(y); i += 5 {
			y[i] = 900000 - 1000*y[i]
		}
		return y
	}
	renamed := &Duels{Dim: 5, A: rename(duels.A), B: rename(duels.B), Outcome: duels.Outcome}
	for _, effects := range allEffects {
		m := Model{Scales: mixedScales, Trend: LogNormal(1, 1), Effects: effects}
		p, q := fitOrFatal(t, m, duels, nil), fitOrFatal(t, m, renamed, nil)
		near(t, "evidence", q.Evidence(), p.Evidence(), 1e-9)
		for i := range 5 {
			x := duels.A[5*i : 5*i+5]
			near(t, "mean", q.Mean(rename(x)), p.Mean(x), 1e-9)
			near(t, "variance", q.Variance(rename(x)), p.Variance(x), 1e-9)
		}
	}
}

// TestPolynomialsAtBounds: finite in the corners of the search, and variances between 0 and those of the prior.
func TestPolynomialsAtBounds(t *testing.T) {
	m := Model{Trend: Flat(), Effects: Polynomials}.WithDefaults()
	duels := randomDuels(rand.New(rand.NewPCG(57, 1)), 10, 2, Answers{}, Cuts{0})
	for _, y := range [][]float64{{0.2, 0.9}, {0.8, 0.9}, {0.8, 0.1}} {
		if err := duels.Add([]float64{0.2, 0.9}, y, 1); err != nil {
			t.Fatal(err)
		}
	}
	x := []float64{0, 0, 1, 0.5}
	for corner := range 16 {
		pick := func(bit int, lo, hi float64) float64 { return []float64{lo, hi}[corner>>bit&1] }
		k := Kernel{Lengthscale: []float64{pick(0, minLengthscale, maxLengthscale), pick(1, minLengthscale, maxLengthscale)},
			Outputscale: pick(2, minOutputscale, maxOutputscale), Trend: pick(3, minTrend, maxTrend), Effects: Polynomials}
		h := Hyper{Kernel: k, Cuts: Cuts{0}}
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
				t.Fatalf("%+v: evidence %g, gradient %g, moments %g %g, function %g", k, z, grad, ms.Mean, ms.Cov, f)
			}
		}
		for i := range 2 {
			if v, prior := ms.Cov[3*i], k.At(x[2*i:2*i+2], x[2*i:2*i+2]); v < -1e-9*prior || v > prior*(1+1e-9) {
				t.Errorf("%+v: variance %g, prior %g", k, v, prior)
			}
		}
	}
}

// TestPolynomialsAreLearned: of linear effects, some strong and most none, polynomials are the better model, by
// the evidence and on unseen pairs. A fit may start from a posterior of other effects and ends where it would anyway.
func TestPolynomialsAreLearned(t *testing.T) {
	const d = 6
	rng := rand.New(rand.NewPCG(63, 1))
	pair := func() (x, y []float64, gain float64) {
		x, y = make([]float64, d), make([]float64, d)
		for j := range x {
			x[j], y[j] = rng.Float64(), rng.Float64()
		}
		return x, y, 6*(x[0]-y[0]) - 4*(x[1]-y[1])
	}
	duels := &Duels{Dim: d}
	for range 60 {
		x, y, gain := pair()
		o := Outcome(1)
		if gain+rng.NormFloat64() < 0 {
			o = -1
		}
		if err := duels.Add(x, y, o); err != nil {
			t.Fatal(err)
		}
	}
	fit := func(e Effects, from *Posterior) *Posterior {
		return fitOrFatal(t, Model{Trend: LogNormal(0, 1.5), Effects: e, Tolerance: 1e-4}, duels, from)
	}
	p, cos := fit(Polynomials, nil), fit(Cosines, nil)
	var loss, lossCos float64
	for range 200 {
		x, y, gain := pair()
		if gain < 0 {
			x, y = y, x
		}
		loss -= math.Log(p.Prob(x, y, 1)) / 200
		lossCos -= math.Log(cos.Prob(x, y, 1)) / 200
	}
	t.Logf("evidence %.2f and %.2f, log loss %.3f and %.3f of polynomials and cosines", p.Evidence(), cos.Evidence(), loss, lossCos)
	if p.Evidence() < cos.Evidence() || loss > lossCos {
		t.Errorf("evidence %.2f and %.2f, log loss %.3f and %.3f of polynomials and cosines", p.Evidence(), cos.Evidence(), loss, lossCos)
	}
	for what, v := range map[string][2]*Posterior{"from cosines": {fit(Polynomials, cos), p}, "from polynomials": {fit(Cosines, p), cos}} {
		near(t, "objective of a fit "+what, v[0].Evidence()+v[0].LogPrior(), v[1].Evidence()+v[1].LogPrior(), 1e-6)
		if got, want := v[0].Hyper().Kernel.Effects, v[1].Hyper().Kernel.Effects; got != want {
			t.Errorf("a fit %s has %v, want %v", what, got, want)
		}
	}
	draws, err := Model{Trend: LogNormal(0, 1.5), Effects: Polynomials}.Draws(context.Background(), duels, p, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if e := NewMixture(draws, nil).Hyper().Kernel.Effects; e != Polynomials {
		t.Errorf("typical effects of a mixture are %v, want polynomials", e)
	}
	if k := NewMixture([]*Posterior{p, cos}, nil).Hyper().Kernel; k.Trend != 0 || k.Effects != Cosines {
		t.Errorf("posteriors with different effects have together %v, %g", k.Effects, k.Trend)
	}
}

// TestEffectsJSON: the name, nothing for cosines, and cosines for nothing.
func TestEffectsJSON(t *testing.T) {
	for _, e := range allEffects {
		if got, err := ParseEffects(e.String()); err != nil || got != e {
			t.Errorf("%v is parsed as %v, %v", e, got, err)
		}
		m, k := Model{Trend: Flat(), Effects: e}, Kernel{Lengthscale: []float64{1}, Outputscale: 2, Trend: 3, Effects: e}
		var backM Model
		var backK Kernel
		for _, c := range []struct{ v, back any }{{m, &backM}, {k, &backK}} {
			b, err := json.Marshal(c.v)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(b), `"effects":"polynomials"`) != (e == Polynomials) || strings.Contains(string(b), "cosines") {
				t.Errorf("%v are written as %s", e, b)
			}
			if err := json.Unmarshal(b, c.back); err != nil {
				t.Fatal(err)
			}
		}
		if backM.Effects != e || backK.Effects != e {
			t.Errorf("%v are read as %v and %v", e, backM.Effects, backK.Effects)
		}
	}
	old := `{"lengthscale":[1],"outputscale":2,"trend":3}`
	var k Kernel
	if err := json.Unmarshal([]byte(old), &k); err != nil || k.Effects != Cosines {
		t.Errorf("an old kernel is read as %+v, %v", k, err)
	}
	if b, err := json.Marshal(k); err != nil || string(b) != old {
		t.Errorf("%s is written back as %s, %v", old, b, err)
	}
	if err := json.Unmarshal([]byte(`{"effects":"splines"}`), &k); err == nil || !strings.Contains(err.Error(), `"splines"`) {
		t.Errorf("effects of splines: %v", err)
	}
	if _, err := json.Marshal(Model{Effects: 7}); err == nil {
		t.Error("effects 7 were written")
	}
}

func TestEffectsRefuse(t *testing.T) {
	ds, a := lawData(1), Answers{Ties: true}
	with, without := trendHyper(2, a), trendHyper(2, a)
	without.Kernel.Trend = 0
	polynomials := with.clone()
	polynomials.Kernel.Effects = Polynomials
	idle := without.clone()
	idle.Kernel.Effects = Polynomials
	for want, c := range map[string]struct {
		m Model
		h Hyper
	}{
		"Model.Effects = effects(3) is unknown":       {Model{Answers: a, Effects: 3}, without},
		"Model.Effects = effects(-1) is unknown":      {Model{Answers: a, Effects: -1}, without},
		"effects = cosines, want polynomials":         {Model{Answers: a, Trend: Flat(), Effects: Polynomials}, with},
		"effects = polynomials, want cosines":         {Model{Answers: a, Trend: Flat()}, polynomials},
		"effects = polynomials, want cosines, the mo": {Model{Answers: a, Effects: Polynomials}, idle},
	} {
		if _, err := c.m.Condition(ds, c.h, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	for _, inf := range allInferences { // without a trend effects say nothing
		m := Model{Inference: inf, Answers: a, Effects: Polynomials}
		if got, want := fitOrFatal(t, m, ds, nil).Evidence(), fitOrFatal(t, Model{Inference: inf, Answers: a}, ds, nil).Evidence(); got != want {
			t.Errorf("%v: evidence %g with idle effects, %g without", inf, got, want)
		}
	}
	for _, scales := range [][]int{{0, 0}, {0, -1}} {
		for _, e := range allEffects {
			if err := (Model{Scales: scales, Trend: Flat(), Effects: e}).Validate(); err != nil {
				t.Errorf("%v on scales %v: %v", e, scales, err)
			}
		}
	}
	if got := fmt.Sprint(Effects(9)); got != "effects(9)" {
		t.Errorf("effects 9 are called %q", got)
	}
}

// TestEffectsOfCircle: the main effect of a circle is a sine curve whose phase nobody prefers. Its covariance is
// T/D cos 2πΔu, times 1/ℓ² with polynomials; its variance averaged with an amount's is T, or what averageVariance says;
// and evidence and Hessian have the right derivatives.
func TestEffectsOfCircle(t *testing.T) {
	const trend = 6.0
	ls := []float64{0.5, 0.8, 0.8}
	for _, effects := range []Effects{Cosines, Polynomials} {
		k := Kernel{Lengthscale: ls, Outputscale: 1e-9, Trend: trend, Effects: effects, Circles: []int{1}}
		scale := trend / 2
		if effects == Polynomials {
			scale /= 0.64
		}
		at := func(x, u float64) []float64 { return append([]float64{x}, onCircle(u)...) }
		own := k.At(at(0.3, 0), at(0.3, 0.25)) // a quarter turn: the amount's part alone
		average := 0.0
		for i := range 40 {
			u := float64(i) / 40
			for _, gap := range []float64{0, 0.1, 0.5, 0.8} {
				near(t, "covariance", k.At(at(0.3, u), at(0.3, u+gap)), own+scale*math.Cos(2*math.Pi*gap), 1e-8)
			}
			for j := range 1000 {
				x := (float64(j) + 0.5) / 1000
				average += k.At(at(x, u), at(x, u)) / 40e3
			}
		}
		near(t, "average variance", average, k.averageVariance(), 1e-4)

		m := Model{Scales: []int{0, 1, 1}, Trend: Gamma(2, 0.15), Effects: effects}.WithDefaults()
		h := m.Start(3)
		h.Kernel.Lengthscale = ls
		rng := rand.New(rand.NewPCG(63, 1))
		ds := &Duels{Dim: 3}
		for range 15 {
			u, v, x, y := rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64()
			o := Outcome(1)
			if x+math.Sin(2*math.Pi*u) < y+math.Sin(2*math.Pi*v) {
				o = -1
			}
			if err := ds.Add(at(x, u), at(y, v), o); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := checkEvidenceGradient(t, m, newDense(m, ds, nil), h), 2+1+1; got != want {
			t.Errorf("%d derivatives, want %d", got, want)
		}
		p, err := m.Condition(ds, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		const step = 1e-5
		hessian, up, down, w := make([]float64, 9), make([]float64, 3), make([]float64, 3), NewMoments(1)
		x := at(0.4, 0.9)
		p.MeanHessian(w, x, hessian)
		for j := range x {
			y, z := slices.Clone(x), slices.Clone(x)
			y[j] += step
			z[j] -= step
			p.MeanGradient(w, y, up)
			p.MeanGradient(w, z, down)
			for i := range x {
				near(t, "Hessian", hessian[j*3+i], (up[i]-down[i])/(2*step), 1e-6)
			}
		}
		h.Kernel.Circles = nil
		if _, err := m.Condition(ds, h, nil); err == nil || !strings.Contains(err.Error(), "circles = [], want [1]") {
			t.Errorf("%v, want an error about circles", err)
		}
	}
}
