package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// lengths covers every remainder of every unrolled loop, and a few long ones.
func lengths() []int {
	var n []int
	for i := range 70 {
		n = append(n, i)
	}
	return append(n, 200, 401, 1000)
}

func vector(rng *rand.Rand, n int) matrix { return randomMatrix(rng, 1, n, 0) }

func TestDot(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range lengths() {
			rng := newRand(uint64(n))
			x, y := vector(rng, n), vector(rng, n)
			var size float64
			for i := range n {
				size += math.Abs(x.a[i] * y.a[i])
			}
			if got, want := Dot(x.a, y.a), floats.Dot(x.a, y.a); !(math.Abs(got-want) <= float64(n)*eps*size) {
				t.Fatalf("n=%d: got %v, want %v", n, got, want)
			}
		}
	})
}

func TestMaxLift(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range lengths() {
			rng := newRand(uint64(n))
			r, x, y := vector(rng, n), vector(rng, n), vector(rng, n)
			for _, w := range []float64{0.7, -0.3} {
				for shift := -4.0; shift <= 2; shift += 3 { // below, about and above 0
					want, size := 0.0, 0.0
					for i := range n {
						r.a[i] = shift + math.Mod(r.a[i], 1)
						want = math.Max(want, 1.3*r.a[i]+w*(x.a[i]-y.a[i]))
						size = math.Max(size, math.Abs(1.3*r.a[i])+math.Abs(w)*(math.Abs(x.a[i])+math.Abs(y.a[i])))
					}
					if got := MaxLift(1.3, r.a, w, x.a, y.a); !(math.Abs(got-want) <= 3*eps*size) {
						t.Fatalf("n=%d w=%v: got %v, want %v", n, w, got, want)
					}
				}
			}
			if n > 1 {
				was := r.a[n-1]
				r.a[n-1] = 1e3
				r.a[0] = math.NaN()
				if got := MaxLift(1, r.a, 0, x.a, y.a); got != 1e3 {
					t.Fatalf("n=%d: got %v beside a NaN, want 1000", n, got)
				}
				r.a[n-1] = was
			}
		}
	})
}

// TestElementwise compares with the definition: one rounding less than it, if the path has a fused multiply-add.
func TestElementwise(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range lengths() {
			rng := newRand(uint64(n))
			const alpha = -1.75
			a, b, c, d := vector(rng, n), vector(rng, n), vector(rng, n), vector(rng, n)
			compare := func(what string, got matrix, want, size func(i int) float64) {
				t.Helper()
				got.check(t, whole)
				for i := range n {
					if g, w := got.a[i], want(i); !(math.Abs(g-w) <= 2*eps*size(i)) {
						t.Fatalf("%s n=%d: element %d is %v, want %v", what, n, i, g, w)
					}
				}
			}
			abs := math.Abs
			y := b.clone()
			Axpy(alpha, a.a, y.a)
			compare("Axpy", y, func(i int) float64 { return b.a[i] + alpha*a.a[i] }, func(i int) float64 { return abs(b.a[i]) + abs(alpha*a.a[i]) })
			y = b.clone()
			AddSquares(y.a, a.a)
			compare("AddSquares", y, func(i int) float64 { return b.a[i] + a.a[i]*a.a[i] }, func(i int) float64 { return abs(b.a[i]) + a.a[i]*a.a[i] })
			y = newMatrix(1, n, 0)
			MulTo(y.a, alpha, a.a, b.a)
			compare("MulTo", y, func(i int) float64 { return alpha * a.a[i] * b.a[i] }, func(i int) float64 { return abs(a.a[i] * b.a[i]) })
			y = a.clone()
			MulTo(y.a, alpha, y.a, b.a)
			compare("MulTo in place", y, func(i int) float64 { return alpha * a.a[i] * b.a[i] }, func(i int) float64 { return abs(a.a[i] * b.a[i]) })
			y = newMatrix(1, n, 0)
			Difference4(y.a, a.a, b.a, c.a, d.a)
			compare("Difference4", y, func(i int) float64 { return (a.a[i] - b.a[i]) - (c.a[i] - d.a[i]) }, func(i int) float64 { return 0 })
		}
	})
}

func TestLevel1Panics(t *testing.T) {
	x, y := make([]float64, 3), make([]float64, 4)
	wantPanic(t, "Dot", func() { Dot(x, y) })
	wantPanic(t, "Axpy", func() { Axpy(1, x, y) })
	wantPanic(t, "AddSquares", func() { AddSquares(x, y) })
	wantPanic(t, "MulTo", func() { MulTo(x, 1, x, y) })
	wantPanic(t, "Difference4", func() { Difference4(x, x, x, x, y) })
}
