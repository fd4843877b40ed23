package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// entry is one acquisition of the conformance suite.
type entry struct {
	name string
	acq  Acquisition
	// swap is the order of the points in which the question's sides are exchanged, and swapTol how
	// far the value may move: rounding for formulas, sampling error for Monte Carlo. For batches it is
	// any permutation.
	swap    []int
	swapTol float64
}

// conformance lists every acquisition of the package. A new one is a line here.
func conformance() []entry {
	var all []entry
	add := func(name string, a Acquisition, swapTol float64, swap ...int) {
		all = append(all, entry{name, a, swap, swapTol})
	}
	const rounding = 1e-13
	for _, s := range []float64{1, 0.1} {
		for _, n := range outcomeCounts {
			a, c := scale(n)
			mirror := []int{1, 0}
			for i := n + 1; i >= 2; i-- {
				mirror = append(mirror, i)
			}
			kg := NewKG(a, c, s)
			name := fmt.Sprintf("%d outcomes, σ=%g", n, s)
			add("KG "+name, kg, rounding, mirror...)
			kg.Base = 0.7
			add("KG over a base, "+name, kg, rounding, mirror...)
			add("BALD "+name, NewBALD(a, c, s), 1e-11, 1, 0)
		}
	}
	add("KG without noise", KG{Edges: []float64{0}}, rounding, 1, 0, 3, 2)
	add("KG, lopsided edges", KG{Edges: []float64{-0.3, 0.1, 2}, Sigma: 0.5}, 0)
	add("BALD without noise", BALD{Edges: []float64{0}}, rounding, 1, 0)
	add("EUBO", EUBO{}, rounding, 1, 0)
	add("QEUBO 2", NewQEUBO(2, 0, 1), 0.02, 1, 0)
	add("QEUBO 3", NewQEUBO(3, 0, 2), 0.02, 2, 0, 1)
	add("QEUBO 4", NewQEUBO(4, 128, 3), 0.05, 3, 1, 0, 2)
	add("LogEI 1", NewLogEI(1, 0.2, 0, 4), 0, 0)
	add("LogEI 2", NewLogEI(2, 0.2, 0, 4), 0.05, 1, 0)
	add("LogEI 2, high incumbent", NewLogEI(2, 4, 0, 5), 0.5, 1, 0)
	add("LogEI 3", NewLogEI(3, 0.2, 128, 6), 0.1, 2, 0, 1)
	add("challenge", challenge{1}, 0)
	add("challenge, little noise", challenge{0.1}, 0)
	return all
}

var outcomeCounts = []int{2, 3, 5}

// scale returns a scheme of answers with n outcomes.
func scale(n int) (gp.Answers, gp.Cuts) {
	switch n {
	case 2:
		return gp.Answers{}, gp.Cuts{0}
	case 3:
		return gp.Answers{Ties: true}, gp.Cuts{0.4}
	case 5:
		return gp.Answers{Ties: true, Grades: 1}, gp.Cuts{0.4, 1.3}
	}
	panic("no such scheme")
}

func eachAcquisition(t *testing.T, f func(t *testing.T, e entry)) {
	t.Helper()
	all := conformance()
	if len(all) == 0 {
		t.Fatal("the list of acquisitions is empty")
	}
	for _, e := range all {
		t.Run(e.name, func(t *testing.T) { f(t, e) })
	}
}

// randomMoments draws means of deviation 1 and a covariance matrix of rank q.
func randomMoments(rng *rand.Rand, q int) *gp.Moments {
	m := gp.NewMoments(q)
	k := q + 1
	a := make([]float64, q*k)
	for i := range a {
		a[i] = rng.NormFloat64() / math.Sqrt(float64(k))
	}
	for i := range q {
		m.Mean[i] = rng.NormFloat64()
		for j := range q {
			for l := range k {
				m.Cov[i*q+j] += a[i*k+l] * a[j*k+l]
			}
		}
	}
	return m
}

// testPosterior fits a utility of two variables to a dozen duels.
func testPosterior(t testing.TB) *gp.Posterior {
	t.Helper()
	return testPosteriors(t)[0]
}

// testPosteriors are that posterior and one with a trend, under which the prior variance has a gradient.
func testPosteriors(t testing.TB) [2]*gp.Posterior {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 12))
	d := &gp.Duels{Dim: 2}
	for range 12 {
		a, b := []float64{rng.Float64(), rng.Float64()}, []float64{rng.Float64(), rng.Float64()}
		o := gp.Outcome(1)
		if a[0]*(1-a[0])+a[1] < b[0]*(1-b[0])+b[1] {
			o = -1
		}
		if err := d.Add(a, b, o); err != nil {
			t.Fatal(err)
		}
	}
	h := gp.Hyper{Kernel: gp.Kernel{Lengthscale: []float64{0.4, 0.7}, Outputscale: 4}, Cuts: gp.Cuts{0}}
	var posts [2]*gp.Posterior
	for i, m := range []gp.Model{{}, {Trend: gp.Flat()}} {
		h.Kernel.Trend = 3 * float64(i)
		var err error
		if posts[i], err = m.Condition(d, h, nil); err != nil {
			t.Fatal(err)
		}
	}
	return posts
}

// TestPartials: analytic partials against central differences, entry by entry of mean and covariance.
//
// One step of three must agree: LogEI bends within 1e-6, fatplus's temperature, where a draw meets
// the incumbent, and QEUBO at a point where two options tie in a draw; a step that straddles such a
// place says nothing. Rounding is 1e-16/1e-8 for the smallest.
func TestPartials(t *testing.T) {
	const tol = 2e-7
	steps := []float64{1e-6, 1e-7, 1e-8}
	eachAcquisition(t, func(t *testing.T, e entry) {
		q := e.acq.Points()
		g := NewPartials(q)
		for seed := range uint64(20) {
			m := randomMoments(rand.New(rand.NewPCG(seed, 1)), q)
			for i := range g.Mean { // what is there before must not matter
				g.Mean[i] = math.NaN()
			}
			for i := range g.Cov {
				g.Cov[i] = math.NaN()
			}
			agree(t, "value with and without partials", e.acq.Value(m, g), e.acq.Value(m, nil), 0)
			check := func(what string, got float64, places ...*float64) {
				t.Helper()
				var want float64
				for _, h := range steps {
					if want = slope(func() float64 { return e.acq.Value(m, nil) }, h, places...); math.Abs(got-want) <= tol {
						break
					}
				}
				agree(t, fmt.Sprintf("seed %d: %s", seed, what), got, want, tol)
			}
			for i := range q {
				check(fmt.Sprintf("∂mean[%d]", i), g.Mean[i], &m.Mean[i])
				check(fmt.Sprintf("∂cov[%d,%d]", i, i), g.Cov[i*q+i], &m.Cov[i*q+i])
				for j := range i {
					check(fmt.Sprintf("∂cov[%d,%d]", i, j), g.Cov[i*q+j]+g.Cov[j*q+i], &m.Cov[i*q+j], &m.Cov[j*q+i])
				}
			}
		}
	})
}

// slope returns the central difference of f as all places move together by h, and puts them back.
func slope(f func() float64, h float64, places ...*float64) float64 {
	old := make([]float64, len(places))
	move := func(by float64) float64 {
		for i, p := range places {
			*p = old[i] + by
		}
		return f()
	}
	for i, p := range places {
		old[i] = *p
	}
	d := (move(h) - move(-h)) / (2 * h)
	move(0)
	return d
}

// TestGradient: the gradient in the points, through Evaluator, on a fitted posterior.
func TestGradient(t *testing.T) {
	const h, tol = 1e-6, 1e-6
	posts := testPosteriors(t)
	eachAcquisition(t, func(t *testing.T, e entry) {
		for _, post := range posts {
			eval := NewEvaluator(post, e.acq)
			n := e.acq.Points() * post.Dim()
			x, grad := make([]float64, n), make([]float64, n)
			rng := rand.New(rand.NewPCG(21, 22))
			for range 10 {
				for i := range x {
					x[i] = rng.Float64()
				}
				eval.At(x, grad)
				for i := range x {
					want := slope(func() float64 { return eval.At(x, nil) }, h, &x[i])
					agree(t, fmt.Sprintf("∂x[%d] at %.3f", i, x), grad[i], want, tol)
				}
			}
		}
	})
}

func finite(t *testing.T, what string, value float64, g *Partials) {
	t.Helper()
	for _, v := range slices.Concat([]float64{value}, g.Mean, g.Cov) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%s: value %g, partials %g, %g", what, value, g.Mean, g.Cov)
		}
	}
}

// TestCoincident: the same point twice, or everywhere, is a point like others.
func TestCoincident(t *testing.T) {
	post := testPosterior(t)
	eachAcquisition(t, func(t *testing.T, e entry) {
		eval := NewEvaluator(post, e.acq)
		q, d := e.acq.Points(), post.Dim()
		rng := rand.New(rand.NewPCG(31, 32))
		x, grad := make([]float64, q*d), make([]float64, q*d)
		for _, same := range []int{2, q, 1} {
			for range 20 {
				for i := range x {
					x[i] = rng.Float64()
				}
				for i := range min(same, q) {
					copy(x[i*d:(i+1)*d], x[:d])
				}
				if v := eval.At(x, grad); math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("value %g at %.3f", v, x)
				}
				finite(t, fmt.Sprintf("at %.3f", x), grad[0], &Partials{Mean: grad})
				for i := range x { // and a rounding error away from it
					x[i] += 1e-16 * rng.NormFloat64()
				}
				v := eval.At(x, grad)
				finite(t, fmt.Sprintf("near %.3f", x), v, &Partials{Mean: grad})
			}
		}
		m, g := gp.NewMoments(q), NewPartials(q) // a known utility, equal everywhere
		finite(t, "zero moments", e.acq.Value(m, g), g)
	})
}

// TestTails: no NaN and no infinity from means a thousand deviations apart, and from variances far
// below and far above the noise.
func TestTails(t *testing.T) {
	eachAcquisition(t, func(t *testing.T, e entry) {
		q := e.acq.Points()
		g := NewPartials(q)
		rng := rand.New(rand.NewPCG(41, 42))
		for _, scale := range []float64{1e-100, 1e-12, 1e-6, 1, 1e6, 1e12, 1e100} {
			for _, far := range []float64{0, 10, 37, 40, 1e3, 1e6, 1e12} {
				for range 20 {
					m := randomMoments(rng, q)
					for i := range m.Cov {
						m.Cov[i] *= scale * scale
					}
					for i := range m.Mean {
						m.Mean[i] = scale * far * rng.NormFloat64()
					}
					finite(t, fmt.Sprintf("scale %g, means %g", scale, m.Mean), e.acq.Value(m, g), g)
				}
			}
		}
	})
}

// TestSwap: it does not matter which option is shown first, to acquisitions that have a swap.
func TestSwap(t *testing.T) {
	eachAcquisition(t, func(t *testing.T, e entry) {
		if e.swap == nil {
			return
		}
		q := e.acq.Points()
		for seed := range uint64(20) {
			m := randomMoments(rand.New(rand.NewPCG(seed, 51)), q)
			w := gp.NewMoments(q)
			for i, a := range e.swap {
				w.Mean[i] = m.Mean[a]
				for j, b := range e.swap {
					w.Cov[i*q+j] = m.Cov[a*q+b]
				}
			}
			agree(t, fmt.Sprintf("seed %d: swapped", seed), e.acq.Value(w, nil), e.acq.Value(m, nil), e.swapTol)
		}
	})
}

// TestNoAllocation: neither the formula nor the chain rule allocates.
func TestNoAllocation(t *testing.T) {
	posts := testPosteriors(t)
	eachAcquisition(t, func(t *testing.T, e entry) {
		q := e.acq.Points()
		m, g := randomMoments(rand.New(rand.NewPCG(1, 61)), q), NewPartials(q)
		if n := testing.AllocsPerRun(20, func() { e.acq.Value(m, nil) }); n != 0 {
			t.Errorf("Value allocates %g times", n)
		}
		if n := testing.AllocsPerRun(20, func() { e.acq.Value(m, g) }); n != 0 {
			t.Errorf("Value with partials allocates %g times", n)
		}
		for _, post := range posts {
			eval := NewEvaluator(post, e.acq)
			x := make([]float64, q*post.Dim())
			grad := make([]float64, len(x))
			eval.At(x, grad)
			if n := testing.AllocsPerRun(20, func() { eval.At(x, grad) }); n != 0 {
				t.Errorf("Evaluator.At allocates %g times", n)
			}
		}
	})
}

// TestWrongPoints: moments of another number of points are a programmer's error, and are told.
func TestWrongPoints(t *testing.T) {
	eachAcquisition(t, func(t *testing.T, e entry) {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		e.acq.Value(gp.NewMoments(e.acq.Points()+1), nil)
	})
}
