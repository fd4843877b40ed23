package gp

import (
	"fmt"
	"math"
	"slices"

	"github.com/prefer-bo/prefer/internal/xslices"
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

// theta is the vector the search moves in, the logs of the variables.
func (m Model) theta(h Hyper) []float64 {
	return xslices.Map(m.variables(h), func(v variable) float64 { return math.Log(v.value) })
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

// variable is what the search moves, an entry of theta: its value, its prior and its bounds.
type variable struct {
	value  float64
	prior  Prior
	lo, hi float64
}

// variables lists those of h: ℓ of each scale, s, T where there is a trend, the odds of the kinship where there is one, τ where there is position bias,
// the free gaps between cuts, then σ_r of each rater.
func (m Model) variables(h Hyper) []variable {
	all := make([]variable, 0, m.scales(h.Kernel.Dim())+4+m.Answers.free()+len(h.Raters))
	add := func(prior Prior, lo, hi float64, values ...float64) {
		for _, v := range values {
			all = append(all, variable{v, prior, lo, hi})
		}
	}
	add(m.Lengthscale, minLengthscale, maxLengthscale, m.contract(h.Kernel.Lengthscale)...)
	add(m.Outputscale, minOutputscale, maxOutputscale, h.Kernel.Outputscale)
	if m.trended() {
		add(m.Trend, minTrend, maxTrend, h.Kernel.Trend)
	}
	if m.kin() {
		add(m.Kinship, minKinship, maxKinship, h.Kinship/(1-h.Kinship))
	}
	if m.positioned() && h.Position > 0 {
		add(m.Position, minPosition, maxPosition, h.Position)
	}
	gaps := m.gaps()
	for i, gap := range m.Answers.gaps(h.Cuts) {
		add(gaps[i].prior, gaps[i].lo, gaps[i].hi, gap)
	}
	add(m.RaterNoise, minRater, maxRater, h.Raters...)
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
	for i, v := range m.variables(h) {
		p, d := v.prior.LogDensity(v.value)
		sum += p
		if grad != nil {
			grad[i] += d
		}
	}
	return sum
}
