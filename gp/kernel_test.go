package gp

import (
	"math/rand/v2"
	"testing"
)

func TestKernelReference(t *testing.T) {
	for _, c := range loadReference(t).Kernels.Cases {
		k := Kernel{Lengthscale: c.Lengthscale, Outputscale: c.Outputscale}
		na, nb := len(c.A), len(c.B)
		aa, ab := make([]float64, na*na), make([]float64, na*nb)
		k.Matrix(aa, flatten(c.A), flatten(c.A))
		k.Matrix(ab, flatten(c.A), flatten(c.B))
		for i := range c.A {
			for j := range c.A {
				near(t, "K_aa", aa[i*na+j], c.Kaa[i][j], 1e-12)
				near(t, "At", k.At(c.A[i], c.A[j]), c.Kaa[i][j], 1e-12)
			}
			for j := range c.B {
				near(t, "K_ab", ab[i*nb+j], c.Kab[i][j], 1e-12)
			}
		}
		near(t, "log prior", Model{}.WithDefaults().logPrior(Hyper{Kernel: k, Cuts: Cuts{0}}, nil), c.LogPrior, 1e-12)
	}
}

func TestKernelGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for trial := range 50 {
		d := 1 + trial%7
		k := Kernel{Lengthscale: make([]float64, d), Outputscale: 0.1 + 10*rng.Float64()}
		x, y := make([]float64, d), make([]float64, d)
		for j := range d {
			k.Lengthscale[j], x[j], y[j] = 0.05+rng.Float64(), rng.Float64(), rng.Float64()
		}
		if trial%2 == 1 {
			k.Trend = 10 * rng.Float64()
			k.Effects = allEffects[trial/2%2]
		}
		if trial%10 < 2 {
			copy(y, x) // the gradient is smooth at coincident points
		}
		dx, dl := make([]float64, d), make([]float64, d)
		v := k.Gradient(x, y, dx, dl)
		near(t, "value", v, k.At(x, y), 1e-15)
		for j := range d {
			near(t, "∂k/∂x", dx[j], slope(func(h float64) float64 {
				z := append([]float64(nil), x...)
				z[j] += h
				return k.At(z, y)
			}, 1e-5), 1e-6)
			near(t, "∂k/∂log ℓ", dl[j], slope(func(h float64) float64 {
				q := k.clone()
				q.Lengthscale[j] *= 1 + h
				return q.At(x, y)
			}, 1e-5), 1e-6)
		}
	}
}

// slope is the central difference of f at 0.
func slope(f func(float64) float64, h float64) float64 { return (f(h) - f(-h)) / (2 * h) }
