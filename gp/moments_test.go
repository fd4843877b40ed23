package gp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// somePosteriors returns posteriors of every kind on the same duels, with and without a trend, and with levels among them.
func somePosteriors(t testing.TB) map[string]*Posterior {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 3))
	duels := randomDuels(rng, 20, 3, Answers{}, Cuts{0})
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.4, 0.7, 0.3}, Outputscale: 5}, Cuts: Cuts{0}}
	out := map[string]*Posterior{}
	for _, inf := range []Inference{EP, Variational, Laplace, Sparse} {
		p, err := Model{Inference: inf, SparseOptions: SparseOptions{Inducing: 30}}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		out[inf.String()] = p
		out[inf.String()+"+1"] = p.Condition([]float64{0.1, 0.2, 0.9}, []float64{0.5, 0.4, 0.3}, -1)
	}
	empty, err := Model{}.Fit(context.Background(), &Duels{Dim: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out["prior"] = empty
	out["awaiting"] = out[EP.String()].Await([]float64{0.1, 0.2, 0.9}, []float64{0.5, 0.4, 0.3})
	h.Kernel.Trend = 7
	for _, inf := range []Inference{EP, Variational, Laplace} {
		p, err := Model{Inference: inf, Trend: Flat()}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		out[inf.String()+" trend"] = p
		out[inf.String()+" trend+1"] = p.Condition([]float64{0.1, 0.2, 0.9}, []float64{0.5, 0.4, 0.3}, -1)
	}
	out["awaiting trend"] = out[EP.String()+" trend"].Await([]float64{0.1, 0.2, 0.9}, []float64{0.5, 0.4, 0.3})
	leveled := levelDuels(rng, 24, 3, Answers{}, Cuts{0})
	for name, kernel := range map[string]Kernel{" level": {Lengthscale: h.Kernel.Lengthscale, Outputscale: 5}, " level trend": h.Kernel} {
		for _, inf := range []Inference{EP, Laplace} {
			m := Model{Inference: inf}
			if kernel.Trend > 0 {
				m.Trend = Flat()
			}
			p, err := m.Condition(leveled, Hyper{Kernel: kernel, Cuts: h.Cuts}, nil)
			if err != nil {
				t.Fatal(err)
			}
			out[inf.String()+name] = p
			out[inf.String()+name+"+1"] = p.Condition([]float64{0.1, 0.2, 0.9}, []float64{0.5, 0.4, 0.3}, -1)
		}
	}
	out["awaiting level"] = out[EP.String()+" level"].Await([]float64{0.1, 0.2, 0.9}, []float64{0.5, 0.4, 0.3})
	h.Kernel.Trend, h.Kernel.Effects = 1, Polynomials // on average over the cube a variance of 6
	for _, inf := range []Inference{EP, Laplace} {
		p, err := Model{Inference: inf, Trend: Flat(), Effects: Polynomials}.Condition(duels, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		out[inf.String()+" polynomials"] = p
		out[inf.String()+" polynomials+1"] = p.Condition([]float64{0.1, 0.2, 0.9}, []float64{0.5, 0.4, 0.3}, -1)
	}
	out["awaiting polynomials"] = out[EP.String()+" polynomials"].Await([]float64{0.1, 0.2, 0.9}, []float64{0.5, 0.4, 0.3})
	if out["prior trend"], err = (Model{Trend: Gamma(2, 0.5)}).Fit(context.Background(), &Duels{Dim: 3}, nil); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestMomentsAgainstRegression compares with textbook Gaussian regression on the pseudo-observed
// differences ν/λ with noise 1/λ, done by gonum.
func TestMomentsAgainstRegression(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	duels := randomDuels(rng, 15, 2, Answers{Ties: true}, Cuts{0.4})
	h := Hyper{Kernel: Kernel{Lengthscale: []float64{0.3, 0.5}, Outputscale: 3}, Cuts: Cuts{0.4}}
	p, err := Model{Answers: Answers{Ties: true}}.Condition(duels, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	const q = 5
	x := make([]float64, q*2)
	for i := range x {
		x[i] = rng.Float64()
	}
	m := NewMoments(q)
	p.Moments(m, x)

	n := duels.Len()
	u := func(i int, z []float64) float64 {
		return h.Kernel.At(z, duels.A[2*i:2*i+2]) - h.Kernel.At(z, duels.B[2*i:2*i+2])
	}
	s := p.Sites()
	c := mat.NewDense(n, n, nil)
	y := mat.NewVecDense(n, nil)
	for i := range n {
		for j := range n {
			c.Set(i, j, u(i, duels.A[2*j:2*j+2])-u(i, duels.B[2*j:2*j+2]))
		}
		c.Set(i, i, c.At(i, i)+1/s.Lambda[i])
		y.SetVec(i, s.Nu[i]/s.Lambda[i])
	}
	ks := mat.NewDense(n, q, nil)
	for i := range n {
		for j := range q {
			ks.Set(i, j, u(i, x[2*j:2*j+2]))
		}
	}
	var sol mat.Dense
	if err := sol.Solve(c, ks); err != nil {
		t.Fatal(err)
	}
	var mean mat.VecDense
	mean.MulVec(sol.T(), y)
	var cov mat.Dense
	cov.Mul(ks.T(), &sol)
	for i := range q {
		near(t, "mean", m.Mean[i], mean.AtVec(i), 1e-10)
		near(t, "Mean", p.Mean(x[2*i:2*i+2]), mean.AtVec(i), 1e-10)
		for j := range q {
			near(t, "cov", m.Cov[i*q+j], h.Kernel.At(x[2*i:2*i+2], x[2*j:2*j+2])-cov.At(i, j), 1e-10)
		}
	}
}

// TestPullback checks the chain rule on a random function of the moments, for every kind of
// posterior, coincident points included.
func TestPullback(t *testing.T) {
	for name, p := range somePosteriors(t) {
		for _, q := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%s/q%d", name, q), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(11, uint64(q)))
				d := p.Dim()
				x := make([]float64, q*d)
				for i := range x {
					x[i] = rng.Float64()
				}
				if q == 4 {
					copy(x[2*d:3*d], x[:d])
				}
				dm, dc := make([]float64, q), make([]float64, q*q)
				for i := range dm {
					dm[i] = rng.NormFloat64()
				}
				for i := range dc {
					dc[i] = rng.NormFloat64() // not symmetric: both triangles count
				}
				m := NewMoments(q)
				value := func() float64 {
					p.Moments(m, x)
					var v float64
					for i := range dm {
						v += dm[i] * m.Mean[i]
					}
					for i := range dc {
						v += dc[i] * m.Cov[i]
					}
					return v
				}
				value()
				grad := make([]float64, q*d)
				m.Pullback(dm, dc, grad)
				for i := range x {
					at := x[i]
					fd := slope(func(h float64) float64 { x[i] = at + h; return value() }, 1e-5)
					x[i] = at
					near(t, fmt.Sprintf("∂/∂x[%d]", i), grad[i], fd, 1e-7)
				}
			})
		}
	}
}

func TestMeanGradient(t *testing.T) {
	for name, p := range somePosteriors(t) {
		m := NewMoments(1)
		x := []float64{0.3, 0.8, 0.45}
		g := make([]float64, 3)
		v := p.MeanGradient(m, x, g)
		near(t, name, v, p.Mean(x), 1e-14)
		for j := range x {
			at := x[j]
			fd := slope(func(h float64) float64 { x[j] = at + h; return p.MeanGradient(m, x, nil) }, 1e-5)
			x[j] = at
			near(t, name+" gradient", g[j], fd, 1e-8)
		}
	}
}

func TestMomentsAllocateNothing(t *testing.T) {
	for name, p := range somePosteriors(t) {
		m := NewMoments(4)
		x, g := make([]float64, 12), make([]float64, 12)
		dm, dc := make([]float64, 4), make([]float64, 16)
		p.Moments(m, x)
		if a := testing.AllocsPerRun(20, func() {
			p.Moments(m, x)
			m.Pullback(dm, dc, g)
			p.MeanGradient(m, x[:3], g[:3])
		}); a != 0 {
			t.Errorf("%s: %g allocations per evaluation", name, a)
		}
	}
}
