package linalg

import (
	"math"
	"testing"
)

func testSyrk(t *testing.T, trans bool, n, k, pad int, alpha, beta float64) {
	t.Helper()
	rng := newRand(uint64(n*1009 + k))
	a := randomMatrix(rng, n, k, pad)
	if trans {
		a = randomMatrix(rng, k, n, pad)
	}
	c := newMatrix(n, n, pad)
	want, size := product(trans, !trans, a, a), product(trans, !trans, a.abs(), a.abs())
	for i := range n {
		for j := range i + 1 {
			x := rng.NormFloat64()
			w, s := &want.a[i*want.ld+j], &size.a[i*size.ld+j]
			*w = alpha**w + beta*x
			*s = math.Abs(alpha)**s + math.Abs(beta*x)
			if beta == 0 {
				x = math.NaN()
			}
			c.a[i*c.ld+j] = x
		}
	}
	Syrk(trans, n, k, alpha, a.a, a.ld, beta, c.a, c.ld)
	c.check(t, lower)
	near(t, name("Syrk %v n=%d k=%d α=%g β=%g", trans, n, k, alpha, beta), c, want, size, float64(k+3), lower)
}

func TestSyrk(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, trans := range []bool{false, true} {
			for _, n := range sizes {
				testSyrk(t, trans, n, n, 0, 1, 0)
				testSyrk(t, trans, n, n, 3, -0.5, 1)
				testSyrk(t, trans, n, 5, 1, 2, -0.25)
			}
			for _, s := range [][2]int{{5, 0}, {40, 1}, {13, 700}, {65, 1000}, {401, 9}} {
				testSyrk(t, trans, s[0], s[1], 2, 1.5, 0)
				testSyrk(t, trans, s[0], s[1], 0, 0, 0.5)
			}
		}
	})
}

func TestSymmetrize(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range sizes {
			a := randomLower(newRand(uint64(n)), n, 2)
			want := a.clone()
			Symmetrize(n, a.a, a.ld)
			a.check(t, whole)
			for i := range n {
				for j := range n {
					if w := want.a[max(i, j)*a.ld+min(i, j)]; a.a[i*a.ld+j] != w {
						t.Fatalf("n=%d (%d, %d): got %v, want %v", n, i, j, a.a[i*a.ld+j], w)
					}
				}
			}
		}
	})
}
