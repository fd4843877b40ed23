package gp

import (
	"fmt"
	"math"
	"slices"
)

// Effects names the two functions of one coordinate that the trend is made of.
//
// Cosines are flat at the faces, so a trend alone never pushes the best option against one, and their variance in a corner is twice the average; that of the
// polynomials is (3 + 5)/2 = four times, most of the doubt sits in the corners, and a search for it runs into them. Polynomials are for effects that are
// monotone, mostly linear, and much stronger in some parameters than in others: one weight says "more is better" where cosines need two, and the relevance
// 1/ℓ_j, of which the Matérn part learns too, says which parameters matter. Lines are for the plainest taste there is, "more is better, or less is": beside a
// small Matérn part they are the model of a ridge regression.
type Effects int

const (
	// Cosines are h_m(x) = √2 cos mπx, m = 1, 2: mean 0 and variance 1 under a uniform x, alike in all coordinates.
	Cosines Effects = iota
	// Polynomials are those of Legendre of degree 1 and 2, times the relevance of the coordinate:
	//
	//	h_j1(x) = √12 (x_j − ½)/ℓ_j,   h_j2(x) = (√5/2)(3(2x_j − 1)² − 1)/ℓ_j,
	//
	// of mean 0, uncorrelated, and of variance 1/ℓ_j² under a uniform x.
	Polynomials
	// Lines are h_j1(x) = √24 (x_j − ½), of mean 0 and variance 2 under a uniform x, and h_j2 = 0: one weight per coordinate, alike in all.
	Lines
)

// A circle (scales.go) has another pair in place of either: with u the part of the turn and r = 1, or the relevance with polynomials,
//
//	r √2 (2x_j − 1) = r √2 cos 2πu,   r √2 (2x_{j+1} − 1) = r √2 sin 2πu,
//
// of mean 0, uncorrelated and of variance r² under a uniform u, as those of an amount. Their covariance is
// 2τ²r² cos 2π(u − u'): the seam is a place like any other. The second features of both coordinates are 0; squares of
// coordinates, of which cos 4πu is made, without their product, of which sin 4πu is, would have places of their own.

var effectNames = [...]string{"cosines", "polynomials", "lines"}

func (e Effects) String() string {
	if e < 0 || int(e) >= len(effectNames) {
		return fmt.Sprintf("effects(%d)", int(e))
	}
	return effectNames[e]
}

// ParseEffects is the inverse of String.
func ParseEffects(name string) (Effects, error) {
	if i := slices.Index(effectNames[:], name); i >= 0 {
		return Effects(i), nil
	}
	return 0, fmt.Errorf("gp: unknown effects %q, want cosines, polynomials or lines", name)
}

// MarshalText writes the name.
func (e Effects) MarshalText() ([]byte, error) {
	if _, err := ParseEffects(e.String()); err != nil {
		return nil, err
	}
	return []byte(e.String()), nil
}

// UnmarshalText reads a name.
func (e *Effects) UnmarshalText(text []byte) error {
	v, err := ParseEffects(string(text))
	if err == nil {
		*e = v
	}
	return err
}

// effects returns the effects of the model's kernels: without a trend they have none, and say cosines.
func (m Model) effects() Effects {
	if !m.trended() {
		return Cosines
	}
	return m.Effects
}

// relevance returns the factor of the features of coordinate j: 1/ℓ_j of polynomials, else 1. It is 0 on an identity coordinate (Model.Scales): that one name
// is greater than another means nothing, so names have no effect. They are told by their lengthscale, which is below what a fit may choose.
func (k Kernel) relevance(j int) float64 {
	switch {
	case k.Lengthscale[j] == identityLengthscale:
		return 0
	case k.Effects == Polynomials:
		return 1 / k.Lengthscale[j]
	}
	return 1
}

// feature writes h(x), the D first features, then the D second ones, and, unless slope is nil, the derivative of each in its own coordinate.
func (k Kernel) feature(x, h, slope []float64) {
	d := len(x)
	for j, v := range x {
		h1, h2, slope1, slope2 := k.effect(j, v)
		h[j], h[d+j] = h1, h2
		if slope != nil {
			slope[j], slope[d+j] = slope1, slope2
		}
	}
}

// effect returns the two features of coordinate j at v, and their derivatives.
func (k *Kernel) effect(j int, v float64) (h1, h2, slope1, slope2 float64) {
	r := k.relevance(j)
	switch {
	case k.Circles != nil && k.onCircle(j):
		return math.Sqrt2 * (2*v - 1) * r, 0, 2 * math.Sqrt2 * r, 0
	case k.Effects == Polynomials: // with t = 2x − 1: √3 t/ℓ and √5 (3t² − 1)/2ℓ
		t := 2*v - 1
		return sqrt3 * t * r, sqrt5 / 2 * (3*t*t - 1) * r, 2 * sqrt3 * r, 6 * sqrt5 * t * r
	case k.Effects == Lines: // √6 (2x − 1)
		r *= sqrt6
		return r * (2*v - 1), 0, 2 * r, 0
	}
	r *= math.Sqrt2 // one sine and cosine serve all: cos 2a = 2cos²a − 1, sin 2a = 2 sin a cos a
	s, c := math.Sincos(math.Pi * v)
	return r * c, r * (2*c*c - 1), -r * math.Pi * s, -4 * r * math.Pi * s * c
}

// onCircle reports whether coordinate j is one of a circle.
func (k Kernel) onCircle(j int) bool {
	return slices.ContainsFunc(k.Circles, func(c int) bool { return j == c || j == c+1 })
}

const (
	sqrt3 = 1.73205080756887729352744634150587236694280525381038
	sqrt5 = 2.23606797749978969640917366873127623544061835961152
	sqrt6 = 2.44948974278317809819728407470589139196594748065667
)

// bend returns the second derivative of w₁h_j1 + w₂h_j2 in its coordinate, given the features there: cosines have
// h_m″ = −m²π² h_m, polynomials 0 and 12√5/ℓ_j, lines and circles 0.
func (k Kernel) bend(j int, w1, w2, h1, h2 float64) float64 {
	switch {
	case k.Effects == Lines || k.onCircle(j):
		return 0
	case k.Effects == Polynomials:
		return 12 * sqrt5 * k.relevance(j) * w2
	}
	return -(math.Pi * math.Pi * (w1*h1 + 4*w2*h2))
}
