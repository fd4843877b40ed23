package gp

import (
	"fmt"
	"testing"
)

func TestCovJacobian(t *testing.T) {
	for name, p := range somePosteriors(t) {
		const q = 3
		d := p.Dim()
		x := []float64{0.2, 0.3, 0.4, 0.7, 0.1, 0.9, 0.5, 0.6, 0.2}
		m := NewMoments(q)
		p.Moments(m, x)
		jac := make([]float64, q*d)
		m.CovJacobian(1, jac)
		for j := range q {
			if j == 1 {
				continue // tested through the variance below
			}
			for c := range d {
				at := x[d+c]
				fd := slope(func(h float64) float64 {
					x[d+c] = at + h
					p.Moments(m, x)
					return m.Cov[q+j]
				}, 1e-5)
				x[d+c] = at
				near(t, fmt.Sprintf("%s ∂C/∂x", name), jac[j*d+c], fd, 1e-8)
			}
		}
		for c := range d {
			at := x[d+c]
			fd := slope(func(h float64) float64 {
				x[d+c] = at + h
				return p.Variance(x[d : 2*d])
			}, 1e-5)
			x[d+c] = at
			near(t, name+" variance moves with both arguments", 2*jac[d+c], fd, 1e-8)
		}
	}
}

func TestMeanHessian(t *testing.T) {
	for name, p := range somePosteriors(t) {
		d := p.Dim()
		x := []float64{0.2, 0.35, 0.8}
		m := NewMoments(1)
		h := make([]float64, d*d)
		p.MeanHessian(m, x, h)
		g := make([]float64, d)
		for s := range d {
			for c := range d {
				at := x[c]
				fd := slope(func(step float64) float64 {
					x[c] = at + step
					p.MeanGradient(m, x, g)
					return g[s]
				}, 1e-5)
				x[c] = at
				near(t, fmt.Sprintf("%s H[%d,%d]", name, s, c), h[s*d+c], fd, 1e-6)
			}
		}
	}
}
