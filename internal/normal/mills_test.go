package normal

import (
	"math"
	"testing"
)

func TestMills(t *testing.T) {
	mills, prime := track(t, "Mills", sharp), track(t, "MillsPrime", sharp)
	for _, r := range golden(t, "scalar.json") {
		x := r["x"]
		mills.rel(Mills(x), r["mills"], x)
		prime.rel(MillsPrime(x), r["millsprime"], x)
	}
}

// h' is the slope of h, and h the slope of log Φ: central differences with step s, whose own error is s²/6·h‴ plus
// rounding/s.
func TestMillsPrimeIsSlope(t *testing.T) {
	const s = 1e-5
	slope, log := track(t, "h' by differences", 1e-9), track(t, "h by differences", 1e-8)
	for i := -400; i <= 200; i++ {
		x := float64(i) / 20
		slope.check((Mills(x+s)-Mills(x-s))/(2*s), MillsPrime(x), math.Max(math.Abs(MillsPrime(x)), math.Abs(x)*1e-2), x)
		log.check((LogCDF(x+s)-LogCDF(x-s))/(2*s), Mills(x), math.Max(1, math.Abs(x)), x)
	}
}

// h' as a continued identity: −h' = h(h+x) wherever that form does not cancel.
func TestMillsPrimeIdentity(t *testing.T) {
	id := track(t, "h' = -h(h+x)", 1e-13)
	for i := -100; i <= 600; i++ {
		x := float64(i) / 20
		h := Mills(x)
		id.check(MillsPrime(x), -h*(h+x), math.Abs(MillsPrime(x))*math.Max(1, x*x), x)
	}
}
