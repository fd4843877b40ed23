package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/linalg"
	"gonum.org/v1/gonum/mat"
)

// mixedScales are an amount, a category of three and an item of a list.
var mixedScales = []int{1, 0, 0, 0, -1}

// mixedDuels draws duels on mixedScales: the utility has a part for each.
func mixedDuels(rng *rand.Rand, n int, a Answers, cuts Cuts) *Duels {
	ds := &Duels{Dim: 5}
	taste, items := []float64{0, 1.5, -1}, []float64{2, -1, 0.5, 1, -2, 0}
	draw := func() ([]float64, float64) {
		x := make([]float64, 5)
		c, item := rng.IntN(3), rng.IntN(len(items))
		x[0], x[1+c], x[4] = rng.Float64(), 1, float64(item*item-3)
		return x, 4*x[0] + taste[c] + items[item]
	}
	for ds.Len() < n {
		x, fx := draw()
		y, fy := draw()
		g := fx - fy + rng.NormFloat64()
		for _, o := range a.Outcomes() {
			if iv := cuts.Interval(o, 1); g > iv.Lo && g <= iv.Hi {
				if err := ds.Add(x, y, o); err != nil {
					panic(err)
				}
			}
		}
	}
	return ds
}

// TestScalesGradient: with shared, own and fixed lengthscales every evidence and the prior have the gradient of
// their values.
func TestScalesGradient(t *testing.T) {
	checked := 0
	for _, inf := range allInferences {
		for kind, a := range answerKinds {
			t.Run(fmt.Sprintf("%v/%s", inf, kind), func(t *testing.T) {
				duels := mixedDuels(rand.New(rand.NewPCG(3, uint64(len(kind)))), 18, a, testCuts(a))
				m := Model{Inference: inf, Answers: a, Scales: mixedScales, SparseOptions: SparseOptions{Inducing: 15, Nodes: -1}}.WithDefaults()
				h := m.Start(5)
				h.Kernel.Lengthscale = []float64{0.4, 0.9, 0.9, 0.9, identityLengthscale}
				h.Cuts = testCuts(a)
				ev, err := m.evaluator(duels, h, nil)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := checkEvidenceGradient(t, m, ev, h), 2+1+a.free(); got != want {
					t.Errorf("theta has %d entries, want %d", got, want)
				}
				checked++
				theta := m.theta(h)
				if lo, hi := m.box(h); len(lo) != len(theta) || len(hi) != len(theta) {
					t.Errorf("%d and %d bounds for %d entries of theta", len(lo), len(hi), len(theta))
				}
				grad := make([]float64, len(theta))
				m.logPrior(h, grad)
				for i := range theta {
					fd := slope(func(step float64) float64 {
						th := append([]float64(nil), theta...)
						th[i] += step
						return m.logPrior(m.fromTheta(th, 5), nil)
					}, 1e-4)
					near(t, "prior", grad[i], fd, 1e-6)
				}
			})
		}
	}
	if checked != len(allInferences)*len(answerKinds) {
		t.Fatalf("%d gradients checked", checked)
	}
}

// settled runs EP on a prior covariance of the differences made by hand.
func settled(t *testing.T, kd []float64, iv []Interval) (*siteAlgebra, float64) {
	t.Helper()
	n := len(iv)
	g, sigma := newSiteAlgebra(kd, n), make([]float64, n)
	for i := range sigma {
		sigma[i] = 1
	}
	z, ok := newEP(n).solve(g, iv, sigma, 1e-12)
	if !ok {
		t.Fatal("EP did not settle")
	}
	return g, z
}

// TestOneHotIsCategorical: one-hot coordinates with a shared lengthscale are the kernel in which a category
// differs or does not.
func TestOneHotIsCategorical(t *testing.T) {
	duels := mixedDuels(rand.New(rand.NewPCG(5, 5)), 20, Answers{}, Cuts{0})
	m := Model{Scales: mixedScales}
	h := m.Start(5)
	h.Kernel.Lengthscale = []float64{0.4, 0.9, 0.9, 0.9, identityLengthscale}
	h.Kernel.Outputscale = 3
	k := func(x, y []float64) float64 {
		if x[4] != y[4] {
			return 0
		}
		r2 := (x[0] - y[0]) * (x[0] - y[0]) / (0.4 * 0.4)
		for c := 1; c < 4; c++ {
			if x[c] == 1 && y[c] != 1 {
				r2 += 2 / (0.9 * 0.9)
			}
		}
		r := math.Sqrt(5 * r2)
		return 3 * (1 + r + 5*r2/3) * math.Exp(-r)
	}
	n := duels.Len()
	kd, iv := make([]float64, n*n), make([]Interval, n)
	at := func(i int) (a, b []float64) { return duels.A[5*i : 5*i+5], duels.B[5*i : 5*i+5] }
	for i := range n {
		iv[i] = h.Cuts.Interval(duels.Outcome[i], 1)
		ai, bi := at(i)
		for j := range n {
			aj, bj := at(j)
			kd[i*n+j] = k(ai, aj) - k(ai, bj) - k(bi, aj) + k(bi, bj)
		}
	}
	g, z := settled(t, kd, iv)
	p, err := m.Condition(duels, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "evidence", p.Evidence(), z, 1e-9)
	x := []float64{0.3, 0, 1, 0, 1}
	mean := 0.0
	for i, b := range g.b {
		ai, bi := at(i)
		mean += b * (k(x, ai) - k(x, bi))
	}
	near(t, "mean", p.Mean(x), mean, 1e-8)
}

// itemDuels are n duels of items of a list, under names.
func itemDuels(seed uint64, n int, names []float64) *Duels {
	rng := rand.New(rand.NewPCG(seed, 8))
	ds := &Duels{Dim: 1}
	for ds.Len() < n {
		i, j := rng.IntN(len(names)), rng.IntN(len(names))
		o := Outcome(1)
		if float64(i-j)+rng.NormFloat64() < 0 {
			o = -1
		}
		if i != j {
			if err := ds.Add(names[i:i+1], names[j:j+1], o); err != nil {
				panic(err)
			}
		}
	}
	return ds
}

// TestIdentityFit: a fit on an identity coordinate is the one of independent items, written out by hand: the
// outputscale is stationary, the sites are EP's fixed point for a diagonal prior, and the mean of an item
// follows from them by ordinary regression.
func TestIdentityFit(t *testing.T) {
	names := []float64{0, 1, 2, 3, 4, 5}
	duels := itemDuels(1, 30, names)
	m := Model{Scales: []int{-1}, Tolerance: 1e-4}
	p, err := m.Fit(context.Background(), duels, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := p.Hyper()
	if got := h.Kernel.Lengthscale[0]; got != identityLengthscale {
		t.Errorf("lengthscale %g, want %g", got, identityLengthscale)
	}
	n, s := duels.Len(), h.Kernel.Outputscale
	iv := make([]Interval, n)
	design := mat.NewDense(n, len(names), nil) // +1 for the first item of a duel, −1 for the second
	for i, o := range duels.Outcome {
		iv[i] = h.Cuts.Interval(o, 1)
		design.Set(i, int(duels.A[i]), 1)
		design.Set(i, int(duels.B[i]), -1)
	}
	covariance := func(s float64) *mat.Dense {
		var kd mat.Dense
		kd.Mul(design, design.T())
		kd.Scale(s, &kd)
		return &kd
	}
	objective := func(s float64) float64 {
		_, z := settled(t, covariance(s).RawMatrix().Data, iv)
		v, _ := m.WithDefaults().Outputscale.LogDensity(s)
		return z + v
	}
	near(t, "objective", p.Evidence()+p.LogPrior(), objective(s), 1e-9)
	near(t, "slope at the outputscale", slope(func(d float64) float64 { return objective(s * math.Exp(d)) }, 1e-4), 0, 1e-3)

	// Σ = K − K(K + Λ⁻¹)⁻¹K, cavities by subtraction of precisions, sites by matching moments.
	kd, sites := covariance(s), p.Sites()
	var noisy, gain, sigma mat.Dense
	noisy.CloneFrom(kd)
	target := mat.NewVecDense(n, nil)
	for i, l := range sites.Lambda {
		noisy.Set(i, i, noisy.At(i, i)+1/l)
		target.SetVec(i, sites.Nu[i]/l)
	}
	if err := gain.Solve(&noisy, kd); err != nil {
		t.Fatal(err)
	}
	sigma.Mul(kd, &gain)
	sigma.Sub(kd, &sigma)
	var weights, mean, items mat.VecDense
	if err := weights.SolveVec(&noisy, target); err != nil {
		t.Fatal(err)
	}
	mean.MulVec(kd, &weights)
	for i := range n {
		v := 1 / (1/sigma.At(i, i) - sites.Lambda[i])
		tilt := iv[i].Tilt(v*(mean.AtVec(i)/sigma.At(i, i)-sites.Nu[i]), v, 1)
		near(t, "λ", sites.Lambda[i], tilt.Lambda, 1e-8)
		near(t, "ν", sites.Nu[i], tilt.Nu, 1e-8)
	}
	items.MulVec(design.T(), &weights)
	for i, name := range names {
		near(t, "mean of an item", p.Mean([]float64{name}), s*items.AtVec(i), 1e-8)
	}
}

// TestNamesMeanNothing: other integers for the same items, also as far out as a coordinate may be, give the
// same posterior under every inference.
func TestNamesMeanNothing(t *testing.T) {
	a, b := []float64{0, 1, 2, 3, 4, 5}, []float64{3, -1e6, 999999, 1e6, 0, -7}
	for _, inf := range allInferences {
		m := Model{Inference: inf, Scales: []int{-1}}
		var posts [2]*Posterior
		for k, names := range [][]float64{a, b} {
			var err error
			if posts[k], err = m.Fit(context.Background(), itemDuels(2, 30, names), nil); err != nil {
				t.Fatal(err)
			}
		}
		near(t, "evidence", posts[1].Evidence(), posts[0].Evidence(), 1e-9)
		for i := range a {
			near(t, "mean", posts[1].Mean(b[i:i+1]), posts[0].Mean(a[i:i+1]), 1e-9)
			near(t, "variance", posts[1].Variance(b[i:i+1]), posts[0].Variance(a[i:i+1]), 1e-9)
		}
	}
}

// TestIdentityDistance: neighbouring integers are independent and equal ones the same, near zero and at the
// largest coordinates.
func TestIdentityDistance(t *testing.T) {
	k := Kernel{Lengthscale: []float64{identityLengthscale}, Outputscale: maxOutputscale}
	for _, x := range []float64{0, -3, 12345, maxCoordinate - 1, -maxCoordinate} {
		var row [3]float64
		k.Matrix(row[:], []float64{x}, []float64{x, x + 1, 0.5 * maxCoordinate})
		if row[0] != maxOutputscale || math.Abs(row[1]) > 1e-230 || row[2] != 0 {
			t.Errorf("covariances of %g with itself, its neighbour and another item: %v", x, row)
		}
	}
}

// TestScalesOwnIsNil: a number of its own for each coordinate is the default, to the last bit.
func TestScalesOwnIsNil(t *testing.T) {
	duels := lawData(4)
	for _, inf := range allInferences {
		var z [2]float64
		for i, scales := range [][]int{nil, {0, 1}} {
			m := lawModel(inf)
			m.Scales = scales
			p, err := m.Fit(context.Background(), duels, nil)
			if err != nil {
				t.Fatal(err)
			}
			z[i] = p.Evidence() + p.Mean([]float64{0.2, 0.9})
		}
		if z[0] != z[1] {
			t.Errorf("%v: %g with scales 0, 1 and %g without", inf, z[1], z[0])
		}
	}
}

// TestScalesEverywhere: fits, draws and mixtures keep shared lengthscales equal and fixed ones fixed, and can
// be conditioned again at what they report; drawn functions have the covariance of items.
func TestScalesEverywhere(t *testing.T) {
	duels := mixedDuels(rand.New(rand.NewPCG(7, 7)), 16, Answers{}, Cuts{0})
	for _, inf := range []Inference{EP, Sparse} {
		m := Model{Inference: inf, Scales: mixedScales}
		draws := drawsOrFatal(t, m, duels, 3, 1)
		for _, h := range []Hyper{draws[0].Hyper(), draws[2].Hyper(), NewMixture(draws, nil).Hyper()} {
			if _, err := m.Condition(duels, h, nil); err != nil {
				t.Error(err)
			}
		}
	}
	p, err := Model{Scales: []int{-1}}.Fit(context.Background(), itemDuels(3, 12, []float64{10, 20, 30}), nil)
	if err != nil {
		t.Fatal(err)
	}
	const count = 600
	at := []float64{10, 20, 40} // the last was never shown
	m, cov := NewMoments(3), make([]float64, 9)
	p.Moments(m, at)
	work := NewMoments(1)
	for _, f := range p.Functions(rand.New(rand.NewPCG(2, 2)), count) {
		var off [3]float64
		for i := range at {
			off[i] = f.At(work, at[i:i+1], nil) - m.Mean[i]
		}
		for i := range cov {
			cov[i] += off[i/3] * off[i%3] / count
		}
	}
	for i, c := range cov {
		scale := math.Sqrt(m.Cov[i/3*4] * m.Cov[i%3*4])
		near(t, "covariance of drawn functions", c/scale, m.Cov[i]/scale, 0.2)
	}
}

// TestScalesInducing: inducing points are options that were shown, or none.
func TestScalesInducing(t *testing.T) {
	m := Model{Inference: Sparse, Scales: mixedScales}.WithDefaults()
	for _, n := range []int{0, 1, 25} {
		duels := mixedDuels(rand.New(rand.NewPCG(9, 9)), n, Answers{}, Cuts{0})
		shown := map[string]bool{}
		for i := 0; i < len(duels.A); i += 5 {
			shown[fmt.Sprint(duels.A[i:i+5])], shown[fmt.Sprint(duels.B[i:i+5])] = true, true
		}
		s, err := newSparse(m, duels, m.Start(5), nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.m != len(shown) {
			t.Errorf("%d inducing points for %d options", s.m, len(shown))
		}
		for i := 0; i < len(s.z); i += 5 {
			if !shown[fmt.Sprint(s.z[i:i+5])] {
				t.Errorf("inducing point %v was never shown", s.z[i:i+5])
			}
		}
		p, err := m.Fit(context.Background(), duels, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v := p.Variance([]float64{0.5, 0, 0, 1, 77}); !(v > 0) {
			t.Errorf("variance %g of an item never shown", v)
		}
	}
}

func TestScalesErrors(t *testing.T) {
	good := mixedDuels(rand.New(rand.NewPCG(1, 1)), 3, Answers{}, Cuts{0})
	between := &Duels{Dim: 1, A: []float64{1}, B: []float64{2.5}, Outcome: []Outcome{1}}
	fit := func(m Model, ds *Duels) error {
		_, err := m.Fit(context.Background(), ds, nil)
		return err
	}
	given := func(l ...float64) error {
		_, err := Model{Scales: mixedScales}.Condition(good, Hyper{Kernel: Kernel{Lengthscale: l, Outputscale: 1}, Cuts: Cuts{0}}, nil)
		return err
	}
	for want, err := range map[string]error{
		"no coordinate with lengthscale 1":        Model{Scales: []int{0, 2, 2}}.Validate(),
		"Scales[1] = 9223372036854775807":         Model{Scales: []int{0, math.MaxInt}}.Validate(),
		"is empty":                                Model{Scales: []int{}}.Validate(),
		"2 numbers for points with 5 coordinates": fit(Model{Scales: []int{0, 1}}, good),
		"point 0 has 2.5 at coordinate 0":         fit(Model{Scales: []int{-1}}, between),
		"want an integer":                         fit(Model{Inference: Sparse, Scales: mixedScales, SparseOptions: SparseOptions{Points: []float64{0, 1, 0, 0, 0.5}}}, good),
		"lengthscale[2] = 2, want 1":              given(1, 1, 2, 1, identityLengthscale),
		"lengthscale[4] = 1, want 0.0039":         given(1, 1, 1, 1, 1),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if err := (Model{Scales: []int{1, 0}, Trend: Flat()}).Validate(); err != nil {
		t.Errorf("a trend of amounts numbered another way: %v", err)
	}
}

// onCircle returns the coordinates of the turns u, two each.
func onCircle(u ...float64) (x []float64) {
	for _, v := range u {
		s, c := math.Sincos(2 * math.Pi * v)
		x = append(x, (1+c)/2, (1+s)/2)
	}
	return x
}

// TestCircle: two coordinates that share a lengthscale are a circle. Its Matérn is that of the chord sin(π|Δu|), wherever
// on the circle, across the seam too; opposite points are at distance 1; and a Gram matrix has a root, which that of
// the arc 2|Δu| scaled alike has not.
func TestCircle(t *testing.T) {
	const l, s = 0.4, 2.0
	k, line := Kernel{Lengthscale: []float64{l, l}, Outputscale: s}, Kernel{Lengthscale: []float64{l}, Outputscale: s}
	checked := 0
	for _, gap := range []float64{0, 0.01, 0.2, 0.37, 0.5} {
		want := line.At([]float64{0}, []float64{math.Sin(math.Pi * gap)})
		for _, u := range []float64{0, 0.13, 0.5, 0.77, 0.995} {
			near(t, "covariance", k.At(onCircle(u), onCircle(u+gap)), want, 1e-14)
			near(t, "covariance", k.At(onCircle(u), onCircle(u-gap)), want, 1e-14)
			checked++
		}
	}
	if checked != 25 {
		t.Errorf("%d pairs checked", checked)
	}
	const n = 12
	smooth := Kernel{Lengthscale: []float64{1}, Outputscale: 1}
	chord, arc := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			gap := math.Abs(float64(i-j)) / n
			gap = min(gap, 1-gap)
			chord[i*n+j] = smooth.At([]float64{0}, []float64{math.Sin(math.Pi * gap)})
			arc[i*n+j] = smooth.At([]float64{0}, []float64{2 * gap})
		}
	}
	if !linalg.Cholesky(n, chord, n) || linalg.Cholesky(n, arc, n) {
		t.Error("want a root of the chords' matrix and none of the arcs'")
	}
	for _, c := range []struct{ scales, want []int }{
		{nil, nil}, {[]int{0, 0}, []int{0}}, {[]int{0, 0, 0}, nil}, {[]int{1, 0, 0, 2, 2}, []int{1, 3}}, {[]int{0, 1, 0}, nil}, {[]int{-1, -1}, nil},
	} {
		if got := (Model{Scales: c.scales}).circles(); !slices.Equal(got, c.want) {
			t.Errorf("circles of %v are at %v, want %v", c.scales, got, c.want)
		}
	}
}

// TestCircleTurned: a study whose options are all turned by the same angle has the same evidence and, at the options
// turned, the same posterior, with main effects and without.
func TestCircleTurned(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	var a, b []float64
	for range 30 {
		a, b = append(a, rng.Float64()), append(b, rng.Float64())
	}
	duels := func(turn float64) *Duels {
		ds := &Duels{Dim: 2}
		for i := range a {
			o := Outcome(1)
			if math.Cos(2*math.Pi*(a[i]-0.95)) < math.Cos(2*math.Pi*(b[i]-0.95)) {
				o = -1
			}
			if err := ds.Add(onCircle(a[i]+turn), onCircle(b[i]+turn), o); err != nil {
				t.Fatal(err)
			}
		}
		return ds
	}
	for _, m := range []Model{{}, {Trend: Gamma(2, 0.15)}, {Trend: LogNormal(0, 2), Effects: Polynomials}, {Inference: Sparse}} {
		m.Scales, m.Tolerance = []int{0, 0}, 1e-6
		p, q := fitOrFatal(t, m, duels(0), nil), fitOrFatal(t, m, duels(0.3), nil)
		near(t, "evidence", q.Evidence(), p.Evidence(), 1e-6)
		for _, u := range []float64{0, 0.2, 0.45, 0.71, 0.999} {
			near(t, "mean", q.Mean(onCircle(u+0.3)), p.Mean(onCircle(u)), 1e-5)
			near(t, "variance", q.Variance(onCircle(u+0.3)), p.Variance(onCircle(u)), 1e-5)
		}
		if p.Mean(onCircle(0.95)) < p.Mean(onCircle(0.45))+1 {
			t.Error("nothing was learned")
		}
	}
}
