package linalg

import (
	"math"
	"testing"
)

func testGemm(t *testing.T, transA, transB bool, m, n, k, pad int, alpha, beta float64) {
	t.Helper()
	rng := newRand(uint64(m*1000003 + n*1009 + k))
	a, b := randomMatrix(rng, m, k, pad), randomMatrix(rng, k, n, pad)
	if transA {
		a = randomMatrix(rng, k, m, pad)
	}
	if transB {
		b = randomMatrix(rng, n, k, pad)
	}
	c := randomMatrix(rng, m, n, pad)
	want, size := product(transA, transB, a, b), product(transA, transB, a.abs(), b.abs())
	for i := range m {
		for j := range n {
			w, s, x := &want.a[i*want.ld+j], &size.a[i*size.ld+j], c.a[i*c.ld+j]
			*w = alpha**w + beta*x
			*s = math.Abs(alpha)**s + math.Abs(beta*x)
			if beta == 0 {
				c.a[i*c.ld+j] = math.NaN()
			}
		}
	}
	Gemm(transA, transB, m, n, k, alpha, a.a, a.ld, b.a, b.ld, beta, c.a, c.ld)
	c.check(t, whole)
	near(t, name("Gemm %v %v m=%d n=%d k=%d α=%g β=%g", transA, transB, m, n, k, alpha, beta), c, want, size, float64(k+3), whole)
}

func TestGemm(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, transA := range []bool{false, true} {
			for _, transB := range []bool{false, true} {
				for _, n := range sizes {
					testGemm(t, transA, transB, n, n, n, 0, 1, 0)
					testGemm(t, transA, transB, n, n, n, 3, -0.5, 1)
				}
				for _, s := range [][3]int{{3, 5, 7}, {1, 40, 30}, {2, 24, 9}, {30, 1, 20}, {17, 33, 1}, {17, 33, 0}, {9, 400, 300}, {300, 7, 520}, {65, 13, 257}} {
					testGemm(t, transA, transB, s[0], s[1], s[2], 5, 1.5, -2)
					testGemm(t, transA, transB, s[0], s[1], s[2], 0, 0, 0.5)
				}
			}
		}
	})
}

// TestGemmShapes takes random shapes, strides and transpositions.
func TestGemmShapes(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for seed := range uint64(150) {
			rng := newRand(seed)
			pick := func(n int) int { return rng.IntN(n) }
			testGemm(t, pick(2) == 0, pick(2) == 0, pick(60), pick(80), pick(90), pick(4), float64(pick(3)-1), float64(pick(3)-1))
		}
	})
}

// TestGemmThin takes every number of rows around the change to packed panels, and every remainder of columns.
func TestGemmThin(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for m := 1; m <= thinRows+2; m++ {
			for n := 1; n <= 2*maxPanel+3; n++ {
				testGemm(t, n%4 == 1, false, m, n, 1+(7*n+m)%40, n%3, 1, float64(n%2))
			}
			for _, s := range [][2]int{{128, 128}, {33, 520}, {500, 31}} {
				testGemm(t, false, false, m, s[0], s[1], 1, -0.5, 0)
				testGemm(t, true, false, m, s[0], s[1], 0, 2, -1.5)
			}
		}
	})
}

func TestGemmNaN(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		const n = 19
		rng := newRand(1)
		a, b, c := randomMatrix(rng, n, n, 0), randomMatrix(rng, n, n, 0), randomMatrix(rng, n, n, 0)
		a.a[3*n+4], b.a[7*n+18] = math.NaN(), math.Inf(1)
		Gemm(false, false, n, n, n, 1, a.a, n, b.a, n, 0, c.a, n)
		for i := range n {
			for j := range n {
				finite := i != 3 && j != 18
				if v := c.a[i*n+j]; finite == (math.IsNaN(v) || math.IsInf(v, 0)) {
					t.Errorf("(%d, %d) = %v", i, j, v)
				}
			}
		}
	})
}

func TestGemmPanics(t *testing.T) {
	x := make([]float64, 11)
	wantPanic(t, "negative", func() { Gemm(false, false, 1, 1, -1, 1, x, 1, x, 1, 0, x, 1) })
	wantPanic(t, "short A", func() { Gemm(false, false, 3, 1, 4, 1, x, 4, x, 1, 0, x, 1) })
	wantPanic(t, "ld", func() { Gemm(false, false, 2, 2, 2, 1, x, 1, x, 2, 0, x, 2) })
}
