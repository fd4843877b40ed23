package linalg

import (
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Solutions are checked by their residual, |LX − B| ≤ (n+2)ε|L||X| (Higham, Theorem 8.5, and one rounding for the
// reciprocal), and against gonum to 1e-11 relative to the largest element.

type shape struct{ n, m int }

func solveShapes() []shape {
	var s []shape
	for _, n := range sizes {
		s = append(s, shape{n, n}, shape{n, 1}, shape{n, 10})
	}
	return append(s, shape{5, 300}, shape{64, 37}, shape{33, 0}, shape{100, 12}, shape{100, 25})
}

// againstGonum compares x with gonum's solution of op(L)X = B.
func againstGonum(t *testing.T, trans blas.Transpose, l, b, x matrix) {
	t.Helper()
	if b.m == 0 || b.n == 0 {
		return
	}
	want := b.general()
	tri := blas64.Triangular{N: l.n, Stride: l.n, Data: l.general().Data, Uplo: blas.Lower, Diag: blas.NonUnit}
	blas64.Trsm(blas.Left, trans, 1, tri, want)
	scale := newMatrix(b.m, b.n, 0)
	var largest float64
	for _, v := range want.Data {
		largest = max(largest, v, -v)
	}
	for i := range scale.a {
		scale.a[i] = largest
	}
	near(t, "against gonum", x, matrix{a: want.Data, m: b.m, n: b.n, ld: want.Stride}, scale, 1e-11/eps, whole)
}

func TestSolveLowerT(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, s := range solveShapes() {
			for _, pad := range []int{0, 3} {
				rng := newRand(uint64(s.n*1009 + s.m))
				l, b := randomLower(rng, s.n, pad), randomMatrix(rng, s.n, s.m, pad)
				x := b.clone()
				SolveLowerT(s.n, s.m, l.a, l.ld, x.a, x.ld)
				x.check(t, whole)
				d := l.lowerDense()
				near(t, name("LᵀX n=%d m=%d", s.n, s.m), product(true, false, d, x), b, product(true, false, d.abs(), x.abs()), float64(s.n+2), whole)
				againstGonum(t, blas.Trans, d, b, x)
			}
		}
	})
}

func TestSolveLowerRight(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, s := range solveShapes() {
			for _, pad := range []int{0, 3} {
				rng := newRand(uint64(s.n*1009 + s.m))
				l, b := randomLower(rng, s.n, pad), randomMatrix(rng, s.m, s.n, pad)
				x := b.clone()
				SolveLowerRight(s.m, s.n, l.a, l.ld, x.a, x.ld)
				x.check(t, whole)
				d := l.lowerDense()
				near(t, name("XLᵀ n=%d m=%d", s.n, s.m), product(false, true, x, d), b, product(false, true, x.abs(), d.abs()), float64(s.n+2), whole)
			}
		}
	})
}

func TestSolvePanics(t *testing.T) {
	x := make([]float64, 9)
	wantPanic(t, "ld", func() { SolveLowerT(3, 3, x, 2, x, 3) })
	wantPanic(t, "short", func() { SolveLowerT(3, 4, x, 3, x, 4) })
	wantPanic(t, "negative", func() { SolveLowerRight(-1, 3, x, 3, x, 3) })
}
