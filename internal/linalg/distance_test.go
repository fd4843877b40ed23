package linalg

import (
	"math"
	"testing"
)

func TestDistances(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, d := range []int{0, 1, 2, 3, 6, 20} {
			for _, n := range lengths() {
				rng := newRand(uint64(100*n + d))
				x, z, w := vector(rng, d), randomMatrix(rng, d, n, 5), vector(rng, n)
				r2, ws, wd := newMatrix(1, n, 0), vector(rng, d), vector(rng, d)
				wantWS, wantWD := ws.clone(), wd.clone()
				SquaredDistances(r2.a, x.a, z.a, z.ld)
				WeightedSquares(ws.a, w.a, x.a, z.a, z.ld)
				WeightedDifferences(wd.a, w.a, x.a, z.a, z.ld)
				r2.check(t, whole)
				ws.check(t, whole)
				wd.check(t, whole)
				for i := range n {
					var s float64
					for j := range d {
						e := x.a[j] - z.a[j*z.ld+i]
						s += e * e
					}
					if !(math.Abs(r2.a[i]-s) <= float64(d+1)*eps*s) {
						t.Fatalf("d=%d n=%d: r²[%d] = %v, want %v", d, n, i, r2.a[i], s)
					}
				}
				for j := range d {
					s, size := wantWS.a[j], math.Abs(wantWS.a[j])
					v, vsize := wantWD.a[j], math.Abs(wantWD.a[j])
					for i := range n {
						e := x.a[j] - z.a[j*z.ld+i]
						s, size = s+w.a[i]*e*e, size+math.Abs(w.a[i]*e*e)
						v, vsize = v+w.a[i]*e, vsize+math.Abs(w.a[i]*e)
					}
					if !(math.Abs(ws.a[j]-s) <= float64(n+4)*eps*size) || !(math.Abs(wd.a[j]-v) <= float64(n+4)*eps*vsize) {
						t.Fatalf("d=%d n=%d coordinate %d: got %v and %v, want %v and %v", d, n, j, ws.a[j], wd.a[j], s, v)
					}
				}
			}
		}
	})
}

// TestDistancesInfinite has an infinite coordinate: the lanes beyond the last point must not turn it into NaN.
func TestDistancesInfinite(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for n := 1; n < 20; n++ {
			x, z, w := []float64{math.Inf(1)}, make([]float64, n), make([]float64, n)
			for i := range w {
				w[i] = 1
			}
			s, d, r2 := make([]float64, 1), make([]float64, 1), make([]float64, n)
			WeightedSquares(s, w, x, z, n)
			WeightedDifferences(d, w, x, z, n)
			SquaredDistances(r2, x, z, n)
			if !math.IsInf(s[0], 1) || !math.IsInf(d[0], 1) || !math.IsInf(r2[n-1], 1) {
				t.Errorf("n=%d: %v, %v and %v, want +Inf", n, s, d, r2)
			}
		}
	})
}

func TestDistancesPanic(t *testing.T) {
	x := make([]float64, 4)
	wantPanic(t, "short z", func() { SquaredDistances(x, x, x, 4) })
	wantPanic(t, "ldz", func() { SquaredDistances(x, x[:1], x, 3) })
	wantPanic(t, "dst", func() { WeightedSquares(x[:1], x, x[:2], x, 4) })
	wantPanic(t, "dst", func() { WeightedDifferences(x[:1], x, x[:2], x, 4) })
}
