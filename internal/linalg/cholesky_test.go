package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// spd returns the lower triangle of a positive definite matrix with guards above it.
func spd(n, pad int) matrix {
	l := randomLower(newRand(uint64(n)+7), n, 0).lowerDense()
	full := product(false, true, l, l)
	a := newMatrix(n, n, pad)
	for i := range n {
		copy(a.a[i*a.ld:i*a.ld+i+1], full.a[i*full.ld:])
	}
	return a
}

// TestCholesky checks the residual |LLᵀ − A| ≤ (n+2)ε|L||Lᵀ| (Higham, Accuracy and Stability of Numerical Algorithms,
// Theorem 10.3), and the factor itself against gonum.
func TestCholesky(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range sizes {
			for _, pad := range []int{0, 5} {
				a := spd(n, pad)
				l := a.clone()
				if !Cholesky(n, l.a, l.ld) {
					t.Fatalf("n=%d: not positive definite", n)
				}
				l.check(t, lower)
				dense := l.lowerDense()
				near(t, name("LLᵀ n=%d", n), product(false, true, dense, dense), a, product(false, true, dense.abs(), dense.abs()), float64(n+2), lower)
				if n == 0 {
					continue
				}
				sym := blas64.Symmetric{N: n, Stride: n, Data: a.general().Data, Uplo: blas.Lower}
				if _, ok := lapack64.Potrf(sym); !ok {
					t.Fatal("gonum failed")
				}
				for i := range n {
					for j := range i + 1 {
						if g, w := l.a[i*l.ld+j], sym.Data[i*n+j]; math.Abs(g-w) > 1e-12*math.Max(1, math.Abs(w)) {
							t.Fatalf("n=%d L(%d, %d) = %v, gonum has %v", n, i, j, g, w)
						}
					}
				}
			}
		}
	})
}

func TestCholeskyFails(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 7, 8, 9, 12, 23, 24, 25, 64, 65, 130} {
			for _, at := range []int{0, n / 3, n / 2, n - 1} {
				for _, bad := range []float64{-1, 0, math.NaN(), math.Inf(1), math.Inf(-1)} {
					a := spd(n, 1)
					a.a[at*a.ld+at] = bad
					if Cholesky(n, a.a, a.ld) {
						t.Errorf("n=%d: accepted %v at %d", n, bad, at)
					}
					a.check(t, lower)
				}
				if at > 0 {
					a := spd(n, 1)
					a.a[at*a.ld] = math.NaN()
					if Cholesky(n, a.a, a.ld) {
						t.Errorf("n=%d: accepted NaN at (%d, 0)", n, at)
					}
				}
			}
		}
	})
}
