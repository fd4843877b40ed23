package gp

import (
	"fmt"
	"math"
	"slices"
)

// Hyper are the hyper-parameters of the model: the prior covariance of the utility, the cuts of the
// answers and, where the model has rater noise, how noisy each rater is.
type Hyper struct {
	Kernel Kernel `json:"kernel"`
	Cuts   Cuts   `json:"cuts"`
	// Kinship is ρ, the correlation of two people's utilities (kinship.go); 0 in a model of one taste.
	Kinship float64 `json:"kinship,omitzero"`
	// Position is τ, the standard deviation of raters' position bias in units of Model.Noise (position.go); 0 where there is none.
	Position float64   `json:"position,omitzero"`
	Raters   []float64 `json:"raters,omitempty"` // σ_r in units of Model.Noise; a rater beyond its end has 1. Nil below two raters
}

// Bounds of the search for hyper-parameters: wide enough never to matter on reasonable data in the unit cube, finite so that a flat evidence cannot run away.
// Those of the raters are 5.1 and 4.1 standard deviations of DefaultRaterNoise from its middle: beside an ordinary rater one who flips coins is fitted at 2.0
// and 2.9 after 20 and 60 answers each, one without noise at 0.84 and 0.61, and of two who answer against each other one at 4.1 and the other at 0.38.
const (
	minLengthscale, maxLengthscale = 0.01, 50
	minOutputscale, maxOutputscale = 1e-3, 1e5
	minTrend, maxTrend             = 1e-3, 1e5
	minGap, maxGap                 = 1e-3, 30
	minRater, maxRater             = 0.1, 10
)

func (h Hyper) clone() Hyper {
	return Hyper{Kernel: h.Kernel.clone(), Cuts: append(Cuts(nil), h.Cuts...), Kinship: h.Kinship, Position: h.Position, Raters: append([]float64(nil), h.Raters...)}
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
	if err := m.fits(h.Kernel.Lengthscale); err != nil {
		return err
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
	if e := h.Kernel.Effects; e != m.effects() {
		return fmt.Errorf("gp: effects = %v, want %v, the model's (cosines without a trend)", e, m.effects())
	}
	if c := h.Kernel.Circles; !slices.Equal(c, m.trendCircles()) {
		return fmt.Errorf("gp: circles = %v, want %v, the model's (none without a trend)", c, m.trendCircles())
	}
	if err := h.validateKinship(m); err != nil {
		return err
	}
	if err := h.validatePosition(m); err != nil {
		return err
	}
	if len(h.Raters) > 0 && !m.rated() {
		return fmt.Errorf("gp: noise of %d raters in a model without rater noise, want none", len(h.Raters))
	}
	for r, s := range h.Raters {
		if !(s > 0) || math.IsInf(s, 0) {
			return fmt.Errorf("gp: noise of rater %d = %g, want a positive number", r, s)
		}
	}
	return h.Cuts.validate(m.Answers)
}

// values lists what the search moves: ℓ of each scale, s, T where there is a trend, the odds of the kinship where there is one, τ where there is
// position bias, the free gaps between cuts, then σ_r of each rater.
func (m Model) values(h Hyper) []float64 {
	v := append(m.contract(h.Kernel.Lengthscale), h.Kernel.Outputscale)
	if m.trended() {
		v = append(v, h.Kernel.Trend)
	}
	if m.kin() {
		v = append(v, h.odds())
	}
	if m.positioned() && h.Position > 0 {
		v = append(v, h.Position)
	}
	v = append(v, m.Answers.gaps(h.Cuts)...)
	return append(v, h.Raters...)
}

// theta is the vector the search moves in, the logs of values.
func (m Model) theta(h Hyper) []float64 {
	t := m.values(h)
	for i, v := range t {
		t[i] = math.Log(v)
	}
	return t
}

// fromTheta is the inverse of theta in d dimensions.
func (m Model) fromTheta(t []float64, d int) Hyper {
	v := make([]float64, len(t))
	for i := range t {
		v[i] = math.Exp(t[i])
	}
	n := m.scales(d)
	k, rest := Kernel{Lengthscale: m.expand(v[:n:n], d), Outputscale: v[n], Effects: m.effects(), Circles: m.trendCircles()}, v[n+1:]
	if m.trended() {
		k.Trend, rest = rest[0], rest[1:]
	}
	h := Hyper{Kernel: k}
	if m.kin() {
		h.Kinship, rest = rest[0]/(1+rest[0]), rest[1:]
	}
	if m.positioned() {
		h.Position, rest = rest[0], rest[1:]
	}
	h.Cuts = m.Answers.cuts(rest[:m.Answers.free()])
	if raters := rest[m.Answers.free():]; len(raters) > 0 {
		h.Raters = raters
	}
	return h
}

// variable is one entry of theta: its prior and its bounds.
type variable struct {
	prior  Prior
	lo, hi float64
}

// variables lists the entries of the theta of h.
func (m Model) variables(h Hyper) []variable {
	scales := m.scales(h.Kernel.Dim())
	all := make([]variable, 0, scales+4+m.Answers.free()+len(h.Raters))
	add := func(n int, v variable) {
		for range n {
			all = append(all, v)
		}
	}
	add(scales, variable{m.Lengthscale, minLengthscale, maxLengthscale})
	add(1, variable{m.Outputscale, minOutputscale, maxOutputscale})
	if m.trended() {
		add(1, variable{m.Trend, minTrend, maxTrend})
	}
	if m.kin() {
		add(1, variable{m.Kinship, minKinship, maxKinship})
	}
	if m.positioned() && h.Position > 0 {
		add(1, variable{m.Position, minPosition, maxPosition})
	}
	all = append(all, m.gaps()...)
	add(len(h.Raters), variable{m.RaterNoise, minRater, maxRater})
	return all
}

// box returns the bounds of the theta of h.
func (m Model) box(h Hyper) (lo, hi []float64) {
	for _, v := range m.variables(h) {
		lo, hi = append(lo, math.Log(v.lo)), append(hi, math.Log(v.hi))
	}
	return lo, hi
}

// logPrior returns the log prior density of h and adds its gradient in theta to grad (nil to skip).
func (m Model) logPrior(h Hyper, grad []float64) float64 {
	var sum float64
	values := m.values(h)
	for i, v := range m.variables(h) {
		p, d := v.prior.LogDensity(values[i])
		sum += p
		if grad != nil {
			grad[i] += d
		}
	}
	return sum
}
