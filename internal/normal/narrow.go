package normal

import "math"

// narrow is the law of Y = X − a for a standard normal X restricted to (a, a+w), w finite: the unnormalised mass
//
//	mass = ∫₀ʷ e^{−ay−y²/2} dy = (Φ(a+w)−Φ(a))/φ(a)
//
// and mean, variance, third central moment of Y.
type narrow struct{ mass, mean, variance, third float64 }

// Where the rules below hold. With T = aw + w²/2, the drop of the exponent over the interval, the n-point
// Gauss–Legendre rule has (relative to the natural scales 1, w, w², w³) error at most
//
//	n = 8:   1e-17 for T ≤ ½, w ≤ ¾;  1e-15 for T ≤ ½, w ≤ 1 (the mass alone 2e-17)
//	n = 16:  1e-23 for T ≤ 3
//
// found by comparing rules in 40 digits. An interval across 0 with −a ≤ b has T ≤ w²/2.
const (
	narrow8Drop  = 0.5
	narrow8Width = 0.75
	narrow16Drop = 3
)

// restrictNarrow integrates by Gauss–Legendre. All terms are positive and the central moments are summed about the mean,
// so nothing cancels however small w is; differences of Φ, φ at the ends would lose w⁻³ in the third moment.
func restrictNarrow(a, w, drop float64) narrow {
	if drop <= narrow8Drop && w <= narrow8Width {
		return quadrature(legendre8[:], a, w)
	}
	return quadrature(legendre16[:], a, w)
}

func quadrature(rule [][2]float64, a, w float64) narrow {
	// Densities at the two nodes of each symmetric pair, times weight; y in units of w, so that w² and w³ cannot underflow inside the sums.
	var p [len(legendre16)][2]float64
	half := 0.5 * w
	var mass, first float64
	for i, r := range rule {
		x, weight := r[0], r[1]
		lo, hi := half*(1-x), half*(1+x)
		l := weight * math.Exp(-lo*(a+0.5*lo))
		h := weight * math.Exp(-hi*(a+0.5*hi))
		p[i] = [2]float64{l, h}
		mass += l + h
		first += x * (h - l)
	}
	centre := first / mass // mean in (−1, 1)
	var second, third float64
	for i, r := range rule {
		dl, dh := -r[0]-centre, r[0]-centre
		second += p[i][0]*dl*dl + p[i][1]*dh*dh
		third += p[i][0]*dl*dl*dl + p[i][1]*dh*dh*dh
	}
	return narrow{
		mass:     half * mass,
		mean:     half * (1 + centre),
		variance: half * half * (second / mass),
		third:    half * half * half * (third / mass),
	}
}

// narrowMass is restrictNarrow's mass alone, for |T| ≤ ½ and |w| ≤ 1. A negative w gives the integral from 0 down to w.
func narrowMass(a, w float64) float64 {
	half := 0.5 * w
	var mass float64
	for _, r := range legendre8 {
		lo, hi := half*(1-r[0]), half*(1+r[0])
		mass += r[1] * (math.Exp(-lo*(a+0.5*lo)) + math.Exp(-hi*(a+0.5*hi)))
	}
	return half * mass
}
