package gp

import (
	"fmt"
	"math"
)

// Model.Scales says which lengthscale a coordinate uses. Three kinds of parameter need it.
//
// A categorical parameter with K choices is K one-hot coordinates that share one lengthscale: two different
// choices are then always √2/ℓ apart, whichever they are, and the kernel treats categories as categories.
//
// A circle, such as a hue or an hour of the day, is the two coordinates of a point on a circle of radius ½ round
// (½, ½), next to each other, that share a lengthscale with no third one; u is the part of the turn:
//
//	x = ((1 + cos 2πu)/2, (1 + sin 2πu)/2),   r = sin(π|u − u'|)/ℓ.
//
// Matérn on this chord is the plane's, restricted, and so positive definite; on the length of the arc it is not.
// Opposite points are at distance 1, as the ends of an amount are.
//
// The items of a list without features are the integers of an identity coordinate: they only name things. Its
// lengthscale is fixed at 1/256, so that different items are at least r = 256 apart, where Matérn-5/2 is
// 1.1e5·e^{−572} ≈ 1e-244 of its variance: nothing, also beside a prior variance of 1e5. A power of two keeps
// it exact: integers up to maxCoordinate divided by ℓ, their differences and the zero between equal ones have no rounding error.
const identityLengthscale = 1.0 / 256

// identity reports whether coordinate j only names things.
func (m Model) identity(j int) bool { return j < len(m.Scales) && m.Scales[j] < 0 }

// scales returns how many lengthscales in d dimensions are learned.
func (m Model) scales(d int) int {
	if m.Scales == nil {
		return d
	}
	count := 0
	for _, s := range m.Scales {
		count = max(count, s+1)
	}
	return count
}

// circles returns the first coordinate of every circle: of two neighbours that share a lengthscale with no third.
func (m Model) circles() []int {
	count := make(map[int]int, len(m.Scales))
	for _, s := range m.Scales {
		count[s]++
	}
	var out []int
	for j, s := range m.Scales {
		if s >= 0 && count[s] == 2 && j+1 < len(m.Scales) && m.Scales[j+1] == s {
			out = append(out, j)
		}
	}
	return out
}

// trendCircles returns the circles of the model's kernels: without a trend nobody needs to know them.
func (m Model) trendCircles() []int {
	if !m.trended() {
		return nil
	}
	return m.circles()
}

// plain reports whether every coordinate is an amount, with a lengthscale of its own.
func (m Model) plain() bool { return m.Scales == nil || m.scales(0) == len(m.Scales) }

// expand returns the lengthscale of each of d coordinates, given one per scale.
func (m Model) expand(scale []float64, d int) []float64 {
	if m.Scales == nil {
		return scale
	}
	l := make([]float64, d)
	for j, s := range m.Scales {
		if l[j] = identityLengthscale; s >= 0 {
			l[j] = scale[s]
		}
	}
	return l
}

// contract is the inverse of expand.
func (m Model) contract(lengthscale []float64) []float64 {
	scale := make([]float64, m.scales(len(lengthscale)))
	for j, l := range lengthscale {
		if m.Scales == nil {
			scale[j] = l
		} else if s := m.Scales[j]; s >= 0 {
			scale[s] = l
		}
	}
	return scale
}

// gather adds to grad, one entry per scale, the derivatives dlog in the log lengthscale of each coordinate: a
// shared one moves all its coordinates, an identity coordinate's is no variable.
func (m Model) gather(grad, dlog []float64) {
	for j, g := range dlog {
		if m.Scales == nil {
			grad[j] += g
		} else if s := m.Scales[j]; s >= 0 {
			grad[s] += g
		}
	}
}

// validateScales checks that the lengthscales are numbered without holes.
func (m Model) validateScales() error {
	if m.Scales == nil {
		return nil
	}
	if len(m.Scales) == 0 {
		return fmt.Errorf("gp: Model.Scales is empty, want one number per coordinate, or nil for a lengthscale each")
	}
	for j, s := range m.Scales {
		if s >= len(m.Scales) {
			return fmt.Errorf("gp: Model.Scales[%d] = %d, want at most %d: no more lengthscales than coordinates", j, s, len(m.Scales)-1)
		}
	}
	count := m.scales(0)
	used := make([]bool, count)
	for _, s := range m.Scales {
		if s >= 0 {
			used[s] = true
		}
	}
	for s, ok := range used {
		if !ok {
			return fmt.Errorf("gp: Model.Scales = %v has no coordinate with lengthscale %d, want the numbers 0 to %d without holes", m.Scales, s, count-1)
		}
	}
	return nil
}

// fits checks that the lengthscales are those the model's scales allow.
func (m Model) fits(lengthscale []float64) error {
	if m.Scales == nil {
		return nil
	}
	if len(m.Scales) != len(lengthscale) {
		return fmt.Errorf("gp: Model.Scales has %d numbers for points with %d coordinates", len(m.Scales), len(lengthscale))
	}
	scale := m.contract(lengthscale)
	for j, want := range m.expand(scale, len(lengthscale)) {
		if l := lengthscale[j]; l != want {
			if m.identity(j) {
				return fmt.Errorf("gp: lengthscale[%d] = %g, want %g: the coordinate only names things (Model.Scales)", j, l, want)
			}
			return fmt.Errorf("gp: lengthscale[%d] = %g, want %g: the coordinate shares lengthscale %d (Model.Scales)", j, l, want, m.Scales[j])
		}
	}
	return nil
}

// names checks that the row-major points x have integers where coordinates only name things.
func (m Model) names(what string, x []float64) error {
	d := len(m.Scales)
	for j := range m.Scales {
		if !m.identity(j) {
			continue
		}
		for i := j; i < len(x); i += d {
			if x[i] != math.Trunc(x[i]) {
				return fmt.Errorf("gp: %s: point %d has %g at coordinate %d, want an integer: the coordinate only names things (Model.Scales)", what, i/d, x[i], j)
			}
		}
	}
	return nil
}
