package normal

import (
	"math"
	"math/rand/v2"
	"testing"
)

// As w → 0 the law is a uniform tilted by e^{−ay}: the cumulants of the uniform, each moved by −a times the next.
func TestNarrowLimit(t *testing.T) {
	w := track(t, "narrow limit", 1e-6)
	for _, a := range []float64{0, 1, -0.3e-4, 30, 1e3} {
		width := 1e-4 / (1 + a)
		n := restrictNarrow(a, width, a*width)
		w.rel(n.mass, width*(1-a*width/2+a*a*width*width/6), a)
		w.rel(n.mean, width/2-a*width*width/12, a)
		w.rel(n.variance, width*width/12, a)
		// The next cumulant of the uniform is −w⁴/120; the centre of the interval is a + w/2.
		w.rel(n.third, (a+width/2)*math.Pow(width, 4)/120, a)
	}
}

// Where both rules are claimed, they agree.
func TestNarrowRulesAgree(t *testing.T) {
	mass, mean := track(t, "8 vs 16: mass", 1e-15), track(t, "8 vs 16: mean", 1e-15)
	variance, third := track(t, "8 vs 16: variance", 4e-15), track(t, "8 vs 16: third", 1e-14)
	rng := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		a := math.Exp(8*rng.Float64() - 4)
		w := 2 * narrow8Drop / (a + math.Sqrt(a*a+2*narrow8Drop)) * rng.Float64()
		if rng.IntN(4) == 0 {
			w = narrow8Width * rng.Float64()
			a = -w * rng.Float64() / 2
		}
		if w > narrow8Width {
			continue
		}
		p, q := quadrature(legendre8[:], a, w), quadrature(legendre16[:], a, w)
		mass.rel(p.mass, q.mass, a, w)
		mass.rel(narrowMass(a, w), q.mass, a, w)
		mean.rel(p.mean, q.mean, a, w)
		variance.rel(p.variance, q.variance, a, w)
		third.check(p.third, q.third, math.Pow(q.variance, 1.5), a, w)
	}
}

// An integral taken backwards changes sign: ∫₀ʷ and ∫ from a+w back to a, the density being scaled by φ(a+w)/φ(a).
func TestNarrowMassBackwards(t *testing.T) {
	b := track(t, "narrowMass backwards", 2e-15)
	for _, a := range []float64{0.1, -0.2, 3, -3, 20} {
		for _, w := range []float64{1e-9, 1e-3, 0.02} {
			forward := narrowMass(a, w)
			// Evaluated at a+w rounded: the error a·ulp(a) of the exponent, and of the width, belongs to the test.
			end := a + w
			b.check(-narrowMass(end, a-end)*math.Exp(-w*(a+0.5*w)), forward, forward*(1+(1+a*a)+math.Abs(a)/w), a, w)
		}
	}
}
