package gp

import (
	"fmt"
	"math"
)

// Hyper are the hyper-parameters of the model: the prior covariance of the utility and the cuts of
// the answers.
type Hyper struct {
	Kernel Kernel
	Cuts   Cuts
}

// Bounds of the search for hyper-parameters: wide enough never to matter on reasonable data in the
// unit cube, finite so that a flat evidence cannot run away.
const (
	minLengthscale, maxLengthscale = 0.01, 50
	minOutputscale, maxOutputscale = 1e-3, 1e5
	minTrend, maxTrend             = 1e-3, 1e5
	minGap, maxGap                 = 1e-3, 30
)

func (h Hyper) clone() Hyper {
	return Hyper{h.Kernel.clone(), append(Cuts(nil), h.Cuts...)}
}

func (h Hyper) validate(dim int, m Model) error {
	if h.Kernel.Dim() != dim {
		return fmt.Errorf("gp: %d lengthscales for points with %d coordinates", h.Kernel.Dim(), dim)
	}
	for j, l := range h.Kernel.Lengthscale {
		if !(l > 0) || math.IsInf(l, 0) {
			return fmt.Errorf("gp: lengthscale[%d] = %g, want a positive number", j, l)
		}
	}
	if s := h.Kernel.Outputscale; !(s > 0) || math.IsInf(s, 0) {
		return fmt.Errorf("gp: outputscale = %g, want a positive number", s)
	}
	switch t := h.Kernel.Trend; {
	case m.trended() && (!(t > 0) || math.IsInf(t, 0)):
		return fmt.Errorf("gp: trend = %g, want a positive number in a model with a trend", t)
	case !m.trended() && t != 0:
		return fmt.Errorf("gp: trend = %g, want 0 in a model without a trend", t)
	}
	return h.Cuts.validate(m.Answers)
}

// theta is the vector the search moves in: log ℓ_1 … log ℓ_D, log s, log T where there is a trend, then
// the logs of the free gaps between cuts.
func (h Hyper) theta(a Answers) []float64 {
	var t []float64
	for _, l := range h.Kernel.Lengthscale {
		t = append(t, math.Log(l))
	}
	t = append(t, math.Log(h.Kernel.Outputscale))
	if h.Kernel.Trend > 0 {
		t = append(t, math.Log(h.Kernel.Trend))
	}
	for _, g := range a.gaps(h.Cuts) {
		t = append(t, math.Log(g))
	}
	return t
}

// fromTheta is the inverse of theta in d dimensions. The length of t says whether there is a trend.
func fromTheta(t []float64, d int, a Answers) Hyper {
	v := make([]float64, len(t))
	for i := range t {
		v[i] = math.Exp(t[i])
	}
	k, gaps := Kernel{Lengthscale: v[:d:d], Outputscale: v[d]}, v[d+1:]
	if len(gaps) > a.free() {
		k.Trend, gaps = gaps[0], gaps[1:]
	}
	return Hyper{k, a.cuts(gaps)}
}

// box returns the bounds of theta.
func (m Model) box(d int) (lo, hi []float64) {
	add := func(n int, l, h float64) {
		for range n {
			lo, hi = append(lo, math.Log(l)), append(hi, math.Log(h))
		}
	}
	add(d, minLengthscale, maxLengthscale)
	add(1, minOutputscale, maxOutputscale)
	if m.trended() {
		add(1, minTrend, maxTrend)
	}
	add(m.Answers.free(), minGap, maxGap)
	return lo, hi
}

// logPrior returns the log prior density of h and adds its gradient in theta to grad (nil to skip).
func (m Model) logPrior(h Hyper, grad []float64) float64 {
	var sum float64
	at := 0
	add := func(p Prior, x float64) {
		v, d := p.LogDensity(x)
		sum += v
		if grad != nil {
			grad[at] += d
		}
		at++
	}
	for _, l := range h.Kernel.Lengthscale {
		add(m.Lengthscale, l)
	}
	add(m.Outputscale, h.Kernel.Outputscale)
	if m.trended() {
		add(m.Trend, h.Kernel.Trend)
	}
	for _, g := range m.Answers.gaps(h.Cuts) {
		add(m.Cut, g)
	}
	return sum
}
