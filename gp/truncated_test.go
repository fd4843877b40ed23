package gp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/normal"
)

// SampleTruncated draws from a standard normal restricted to [a, b], a ≤ b; the ends may be infinite. It returns a if a = b, NaN if a > b or an end is NaN.
//
// The draw is exact, by rejection, up to the resolution of rng's own NormFloat64 and ExpFloat64. Nothing underflows: a = 40
// and a = 1e6 are drawn like a = 4. The acceptance rate is at least 0.49 for every interval.
func SampleTruncated(rng *rand.Rand, a, b float64) float64 {
	lo, hi, mirrored := a, b, a < -b // the half line that holds more of the interval is the right one
	if mirrored {
		lo, hi = -b, -a
	}
	var x float64
	switch {
	case !(lo <= hi):
		return math.NaN()
	case lo == hi:
		x = lo
	case lo < 0:
		x = sampleAcross(rng, lo, hi)
	default:
		x = lo + sampleExcess(rng, lo, hi)
	}
	// a + y with y ≤ b − a can round to the float64 above b; the draw belongs to [a, b].
	x = min(x, hi)
	if mirrored {
		return -x
	}
	return x
}

// sampleAcross draws from [a, b] with a < 0 < b, −a ≤ b: the normal itself if the interval is wide, else a uniform x
// accepted with probability e^{−x²/2}. The two rates agree, near ½, at the width √(2π).
func sampleAcross(rng *rand.Rand, a, b float64) float64 {
	if b-a >= math.Sqrt(2*math.Pi) {
		for {
			if x := rng.NormFloat64(); a <= x && x <= b {
				return x
			}
		}
	}
	for {
		x := a + (b-a)*rng.Float64()
		if rng.ExpFloat64() >= 0.5*x*x {
			return x
		}
	}
}

// sampleExcess draws y = x − a for x in [a, b], 0 ≤ a < b, whose density is proportional to e^{−ay−y²/2}.
//
// Over a drop T = log φ(a)/φ(b) ≤ 1 a uniform y is accepted with probability e^{−ay−y²/2} ≥ 1/e. Otherwise the proposal is
// exponential with rate α = (a+√(a²+4))/2, the rate (not the scale) that Robert (1995, Prop. 2.3) finds best for the half line,
// and the acceptance probability e^{−(y−(α−a))²/2}; note α − a = 1/α. Proposals beyond b are redrawn.
func sampleExcess(rng *rand.Rand, a, b float64) float64 {
	w := b - a
	if 0.5*w*(a+b) <= 1 {
		for {
			y := w * rng.Float64()
			if rng.ExpFloat64() >= y*(a+0.5*y) {
				return y
			}
		}
	}
	rate := 0.5 * (a + math.Sqrt(a*a+4))
	for {
		y := rng.ExpFloat64() / rate
		if d := y - 1/rate; y <= w && 2*rng.ExpFloat64() >= d*d {
			return y
		}
	}
}

func TestSampleTruncated(t *testing.T) {
	inf := math.Inf(1)
	for i, c := range [][2]float64{
		{-inf, inf}, {0, inf}, {-inf, 0}, {-3, inf}, {0.5, inf}, {3, inf}, {20, inf}, {40, inf}, {1e3, inf}, {1e6, inf},
		{-inf, -8}, {-inf, 2},
		{-1, 1}, {-0.1, 0.2}, {-2, 0.3}, {-0.001, 4}, {-5, 1}, {-1e-9, 1e-9},
		{0, 0.5}, {0, 2}, {1, 1.2}, {1, 3}, {2, 2.000001}, {4, 4.2}, {4, 4.4}, {4, 9},
		{20, 20.01}, {20, 20.1}, {40, 40.05}, {-40.05, -40}, {1e3, 1e3 + 1e-3}, {1e3, 1e3 + 2e-3}, {-1e6 - 1e-6, -1e6},
	} {
		a, b := c[0], c[1]
		rng := rand.New(rand.NewPCG(uint64(i), 77))
		x := make([]float64, 20000)
		for j := range x {
			x[j] = SampleTruncated(rng, a, b)
			if !(x[j] >= a && x[j] <= b) {
				t.Fatalf("(%v, %v): draw %v", a, b, x[j])
			}
		}
		// Pr(X ≤ x | a < X < b), for an interval in a tail relative to its inner end, since in logarithms of size a²/2
		// nothing would be left.
		cdf := func(v float64) float64 { return normal.Interval(a, v) / normal.Interval(a, b) }
		if a >= 1 {
			cdf = func(v float64) float64 { return part(a, v) / part(a, b) }
		} else if b <= -1 {
			cdf = func(v float64) float64 { return 1 - part(-b, -v)/part(-b, -a) }
		}
		slices.Sort(x)
		n, far := float64(len(x)), 0.0
		for i, v := range x {
			f := cdf(v)
			far = max(far, f-float64(i)/n, float64(i+1)/n-f)
		}
		if d := math.Sqrt(n) * far; d > 2.15 { // exceeded with probability 2e-4 by a correct sampler
			t.Errorf("(%v, %v): Kolmogorov–Smirnov statistic %.3f", a, b, d)
		}
	}
}

// part returns (Φ(b)−Φ(a))/φ(a) for 0 < a ≤ b.
func part(a, b float64) float64 {
	if a == b {
		return 0
	}
	return 1 / normal.Truncate(a, b).AtA
}

func TestSampleTruncatedLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, a := range []float64{0, 5, -1e300, math.Inf(1)} {
		if got := SampleTruncated(rng, a, a); got != a {
			t.Errorf("(%v, %v): %v", a, a, got)
		}
	}
	for _, c := range [][2]float64{{1, 0}, {math.NaN(), 1}, {0, math.NaN()}} {
		if got := SampleTruncated(rng, c[0], c[1]); !math.IsNaN(got) {
			t.Errorf("(%v, %v): %v, want NaN", c[0], c[1], got)
		}
	}
	// Ends at every scale, neighbouring floats included: the draw stays inside, and comes back at all.
	for range 20000 {
		a := math.Copysign(math.Exp(700*(2*rng.Float64()-1)), rng.Float64()-0.5)
		b := a
		switch rng.IntN(3) {
		case 0:
			b = math.Nextafter(a, math.Inf(1))
		case 1:
			b = a + math.Abs(a)*math.Exp(-30*rng.Float64())
		case 2:
			b = math.Exp(700 * (2*rng.Float64() - 1))
		}
		a, b = min(a, b), max(a, b)
		if x := SampleTruncated(rng, a, b); !(x >= a && x <= b) {
			t.Fatalf("(%v, %v): %v", a, b, x)
		}
	}
}

func TestSampleTruncatedIsDeterministic(t *testing.T) {
	p, q := rand.New(rand.NewPCG(5, 5)), rand.New(rand.NewPCG(5, 5))
	for range 100 {
		if x, y := SampleTruncated(p, 1, 3), SampleTruncated(q, 1, 3); x != y {
			t.Fatalf("%v != %v", x, y)
		}
	}
}

func BenchmarkSampleTruncated(b *testing.B) {
	inf, sum := math.Inf(1), 0.0
	for _, c := range []struct {
		name string
		a, b float64
	}{
		{"onesided", -0.7, inf}, {"farside", 6, inf}, {"tie", -1.2, 0.4}, {"narrow", 2, 2.01}, {"tail", 2, 4},
	} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			for b.Loop() {
				sum += SampleTruncated(rng, c.a, c.b)
			}
		})
	}
}
