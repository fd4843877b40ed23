package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// bulkPosteriors are posteriors of all kinds on D coordinates: on no duels, dense, with a trend, sparse.
func bulkPosteriors(t testing.TB) map[string]*Posterior {
	t.Helper()
	rng := rand.New(rand.NewPCG(41, 42))
	const d = 3
	point := func() []float64 { return []float64{rng.Float64(), rng.Float64(), rng.Float64()} }
	ds := &Duels{Dim: d}
	for range 37 {
		a, b := point(), point()
		o := Outcome(-1)
		if a[0]+a[1]*a[2] > b[0]+b[1]*b[2] {
			o = 1
		}
		if err := ds.Add(a, b, o); err != nil {
			t.Fatal(err)
		}
	}
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.5, 0.8, 0.3}, Outputscale: 5}, Cuts: Cuts{0}}
	short := h.clone()
	short.Kernel.Lengthscale[1] = 0.003
	trended := h.clone()
	trended.Kernel.Trend = 2
	polynomial := trended.clone()
	polynomial.Kernel.Effects = Polynomials
	out := map[string]*Posterior{}
	for name, c := range map[string]struct {
		m  Model
		ds *Duels
		h  Hyper
	}{
		"none":        {Model{}, &Duels{Dim: d}, h},
		"dense":       {Model{}, ds, h},
		"short":       {Model{}, ds, short},
		"trend":       {Model{Trend: Flat()}, ds, trended},
		"polynomials": {Model{Trend: Flat(), Effects: Polynomials}, ds, polynomial},
		"level":       {Model{Trend: Flat()}, levelDuels(rng, 40, d, Answers{}, Cuts{0}), trended},
		"sparse":      {Model{Inference: Sparse}, ds, h},
	} {
		p, err := c.m.Condition(c.ds, c.h, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		out[name] = p
	}
	return out
}

// TestBulk: moments of many points are those of Moments, and every number has the same bits whatever the
// workers and wherever in the list its point is.
func TestBulk(t *testing.T) {
	const n, few = 2*bulkRows + 5, 7
	for name, p := range bulkPosteriors(t) {
		d := p.Dim()
		rng := rand.New(rand.NewPCG(7, 8))
		x, y := make([]float64, n*d), make([]float64, few*d)
		for i := range x {
			x[i] = rng.Float64()
		}
		for i := range y {
			y[i] = rng.Float64()
		}
		mean, variance, cov := make([]float64, n), make([]float64, n), make([]float64, few*n)
		p.Means(mean, x, 1)
		p.Marginals(nil, variance, x, 1)
		p.CrossCovariance(cov, y, x, 1)
		both := make([]float64, n)
		p.Marginals(both, make([]float64, n), x, 2)
		m := NewMoments(2)
		for i := range n {
			if both[i] != mean[i] {
				t.Fatalf("%s: mean %g alone, %g with the variance", name, mean[i], both[i])
			}
			for j := range few {
				p.Moments(m, append(append([]float64(nil), x[i*d:(i+1)*d]...), y[j*d:(j+1)*d]...))
				for what, v := range map[string][2]float64{"mean": {mean[i], m.Mean[0]}, "variance": {variance[i], m.Cov[0]}, "covariance": {cov[j*n+i], m.Cov[1]}} {
					if math.Abs(v[0]-v[1]) > 1e-10 {
						t.Fatalf("%s: %s of point %d is %g, Moments says %g", name, what, i, v[0], v[1])
					}
				}
			}
		}
		same := func(what string, got, want float64) {
			t.Helper()
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%s: %s: %v, before %v", name, what, got, want)
			}
		}
		for _, cut := range []int{0, 1, 3, bulkRows - 1, bulkRows, n - 1} { // other blocks, other places in them
			for _, workers := range []int{1, 3} {
				k := n - cut
				m2, v2, c2 := make([]float64, k), make([]float64, k), make([]float64, few*k)
				p.Means(m2, x[cut*d:], workers)
				p.Marginals(nil, v2, x[cut*d:], workers)
				p.CrossCovariance(c2, y, x[cut*d:], workers)
				c1 := make([]float64, k)
				p.CrossCovariance(c1, y[2*d:3*d], x[cut*d:], workers)
				for i := range k {
					what := fmt.Sprintf("point %d of %d, %d workers", i, k, workers)
					same("mean of "+what, m2[i], mean[cut+i])
					same("variance of "+what, v2[i], variance[cut+i])
					same("covariance alone of "+what, c1[i], cov[2*n+cut+i])
					for j := range few {
						same("covariance of "+what, c2[j*k+i], cov[j*n+cut+i])
					}
				}
			}
		}
	}
}

// TestBulkManyLeft: more points on the left than a block holds.
func TestBulkManyLeft(t *testing.T) {
	p := bulkPosteriors(t)["trend"]
	const n, few = bulkRows + 9, 4
	rng := rand.New(rand.NewPCG(9, 9))
	x := make([]float64, n*p.Dim())
	for i := range x {
		x[i] = rng.Float64()
	}
	y := x[5*p.Dim() : (5+few)*p.Dim()]
	a, b := make([]float64, n*few), make([]float64, n*few)
	p.CrossCovariance(a, x, y, 1)
	p.CrossCovariance(b, y, x, 1)
	for i := range n {
		for j := range few {
			if math.Abs(a[i*few+j]-b[j*n+i]) > 1e-12 {
				t.Fatalf("covariance of %d and %d: %g one way, %g the other", i, j, a[i*few+j], b[j*n+i])
			}
		}
	}
}

// TestBulkMixture: the mean of a mixture is the weighted sum.
func TestBulkMixture(t *testing.T) {
	all := bulkPosteriors(t)
	x := NewMixture([]*Posterior{all["dense"], all["sparse"]}, []float64{3, 1})
	at := []float64{0.1, 0.2, 0.3, 0.9, 0.8, 0.7}
	got := make([]float64, 2)
	x.Means(got, at, 2)
	for i := range got {
		if want := x.Mean(at[3*i : 3*i+3]); math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("mean %g, want %g", got[i], want)
		}
	}
}

func BenchmarkBulk(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	ds := &Duels{Dim: 6}
	point := func() []float64 {
		x := make([]float64, 6)
		for j := range x {
			x[j] = rng.Float64()
		}
		return x
	}
	for range 100 {
		if err := ds.Add(point(), point(), 1); err != nil {
			b.Fatal(err)
		}
	}
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{1, 1, 1, 1, 1, 1}, Outputscale: 5}, Cuts: Cuts{0}}
	p, err := Model{}.Condition(ds, h, nil)
	if err != nil {
		b.Fatal(err)
	}
	const n = 10000
	var x []float64
	for range n {
		x = append(x, point()...)
	}
	dst, cross := make([]float64, n), make([]float64, 32*n)
	for name, f := range map[string]func(){
		"means":     func() { p.Means(dst, x, 1) },
		"variances": func() { p.Marginals(nil, dst, x, 1) },
		"cross32":   func() { p.CrossCovariance(cross, x[:32*6], x, 1) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/point")
		})
	}
}
