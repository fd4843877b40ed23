package gp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFunctionMoments: the mean and covariance over many draws are those of the posterior.
func TestFunctionMoments(t *testing.T) {
	posteriors := somePosteriors(t)
	for _, name := range []string{"ep", "ep+1", "sparse", "prior", "ep trend", "ep trend+1", "prior trend", "ep level", "ep level trend+1", "ep polynomials", "ep polynomials+1"} {
		p := posteriors[name]
		const q = 3
		count := 200
		if testing.Short() {
			count = 100
		}
		root := math.Sqrt(float64(count))
		x := []float64{0.2, 0.3, 0.4, 0.25, 0.3, 0.5, 0.9, 0.1, 0.7}
		m := NewMoments(q)
		p.Moments(m, x)
		fs := p.Functions(rand.New(rand.NewPCG(6, 6)), count)
		var mean [q]float64
		var second [q][q]float64
		for _, f := range fs {
			var v [q]float64
			for i := range q {
				v[i] = f.At(m, x[3*i:3*i+3], nil)
				mean[i] += v[i] / float64(count)
			}
			for i := range q {
				for j := range q {
					second[i][j] += v[i] * v[j] / float64(count)
				}
			}
		}
		p.Moments(m, x)
		for i := range q {
			sd := math.Sqrt(m.Cov[i*q+i])
			near(t, name+" mean", (mean[i]-m.Mean[i])/sd, 0, 4/root)
			for j := range q {
				sj := math.Sqrt(m.Cov[j*q+j])
				near(t, name+" covariance", (second[i][j]-mean[i]*mean[j]-m.Cov[i*q+j])/(sd*sj), 0, 6/root)
			}
		}
	}
}

func TestFunctionIsAFunction(t *testing.T) {
	for _, name := range []string{"ep", "ep trend", "ep level", "ep polynomials"} {
		p := somePosteriors(t)[name]
		f := p.Functions(rand.New(rand.NewPCG(8, 8)), 1)[0]
		m, other := NewMoments(1), NewMoments(4)
		x, g := []float64{0.3, 0.4, 0.5}, make([]float64, 3)
		v := f.At(m, x, g)
		if again := f.At(other, x, nil); again != v {
			t.Errorf("%s: f(x) = %g, then %g", name, v, again)
		}
		for j := range x {
			at := x[j]
			fd := slope(func(h float64) float64 { x[j] = at + h; return f.At(m, x, nil) }, 1e-5)
			x[j] = at
			near(t, name+" gradient", g[j], fd, 1e-6)
		}
	}
}
