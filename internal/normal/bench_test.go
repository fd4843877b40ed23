package normal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/internal/linalg"
)

// sink keeps the compiler from discarding what a benchmark computes.
var sink float64

// spread is 1024 abscissae from N(0, 3²), a mix of signs that a branch predictor cannot learn.
func spread() []float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 1024)
	for i := range x {
		x[i] = 3 * rng.NormFloat64()
	}
	return x
}

func BenchmarkScalar(b *testing.B) {
	for _, c := range []struct {
		name string
		f    func(float64) float64
	}{
		{"CDF", CDF}, {"LogCDF", LogCDF}, {"Mills", Mills}, {"MillsPrime", MillsPrime},
		{"Quantile", func(x float64) float64 { return Quantile(0.5 + x/64) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			x := spread()
			i := 0
			for b.Loop() {
				sink += c.f(x[i&1023])
				i++
			}
		})
	}
}

// One run compares the paths; generic is the scalar loop. Short slices pay for a whole vector.
func BenchmarkLogCDFMills(b *testing.B) {
	for _, n := range []int{4, 24, 1024} {
		x := spread()[:n]
		logcdf, mills := make([]float64, n), make([]float64, n)
		for _, p := range linalg.Available() {
			b.Run(fmt.Sprintf("n%d/%v", n, p), func(b *testing.B) {
				restore, err := linalg.Force(p)
				if err != nil {
					b.Fatal(err)
				}
				defer restore()
				b.ReportAllocs()
				for b.Loop() {
					LogCDFMills(logcdf, mills, x)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
			})
		}
	}
}

func BenchmarkTruncate(b *testing.B) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		a, b float64
	}{
		{"onesided", -0.7, inf}, {"farside", 6, inf}, {"tie", -1.2, 0.4}, {"smalltie", -0.2, 0.1}, {"narrow", 2, 2.01},
		{"tail", 2, 4}, {"finitetail", 2, 6},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				sink += Truncate(c.a, c.b).Third
			}
		})
	}
}

func BenchmarkInterval(b *testing.B) {
	for _, c := range []struct {
		name string
		a, b float64
	}{
		{"tie", -1.2, 0.4}, {"smalltie", -0.2, 0.1}, {"tail", 2, 4},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				sink += LogInterval(c.a, c.b)
			}
		})
	}
}
