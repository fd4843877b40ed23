package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

func column(m matrix) matrix { return matrix{full: m.full, a: m.a, m: m.n, n: 1, ld: 1} }

func TestGemv(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, m := range []int{0, 1, 3, 4, 5, 8, 11, 64, 65, 200} {
			for _, n := range []int{0, 1, 7, 8, 15, 31, 63, 64, 65, 200, 401} {
				for _, beta := range []float64{0, 1, -0.5} {
					rng := newRand(uint64(1000*m + n))
					a := randomMatrix(rng, m, n, 3)
					for _, trans := range []bool{false, true} {
						in, out := n, m
						if trans {
							in, out = m, n
						}
						const alpha = 1.25
						x, y := vector(rng, in), vector(rng, out)
						want, size := product(trans, false, a, column(x)), product(trans, false, a.abs(), column(x.abs()))
						for i := range out {
							want.a[i] = alpha*want.a[i] + beta*y.a[i]
							size.a[i] = alpha*size.a[i] + math.Abs(beta*y.a[i])
							if beta == 0 {
								y.a[i] = math.NaN()
							}
						}
						if trans {
							GemvT(m, n, alpha, a.a, a.ld, x.a, beta, y.a)
						} else {
							Gemv(m, n, alpha, a.a, a.ld, x.a, beta, y.a)
						}
						y.check(t, whole)
						near(t, name("trans=%v m=%d n=%d β=%g", trans, m, n, beta), column(y), want, size, float64(in+3), whole)
					}
				}
			}
		}
	})
}

// TestSolveLowerVec checks the residual as the solves of level 3 do, and gonum's solution to 1e-11.
func TestSolveLowerVec(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range sizes {
			for _, trans := range []bool{false, true} {
				rng := newRand(uint64(n))
				l, b := randomLower(rng, n, 3), vector(rng, n)
				x := b.clone()
				tr := blas.NoTrans
				if trans {
					tr = blas.Trans
					SolveLowerTVec(n, l.a, l.ld, x.a)
				} else {
					SolveLowerVec(n, l.a, l.ld, x.a)
				}
				x.check(t, whole)
				d := l.lowerDense()
				near(t, name("trans=%v n=%d", trans, n), product(trans, false, d, column(x)), column(b), product(trans, false, d.abs(), column(x.abs())), float64(n+2), whole)
				if n == 0 {
					continue
				}
				want := b.clone()
				blas64.Trsv(tr, gonumLower(n, d.a), blas64.Vector{N: n, Data: want.a, Inc: 1})
				for i, w := range want.a {
					if math.Abs(x.a[i]-w) > 1e-11*math.Max(1, math.Abs(w)) {
						t.Fatalf("n=%d: x[%d] = %v, gonum has %v", n, i, x.a[i], w)
					}
				}
			}
		}
	})
}

func TestLevel2Panics(t *testing.T) {
	x := make([]float64, 9)
	wantPanic(t, "Gemv", func() { Gemv(3, 3, 1, x, 3, x[:2], 0, x) })
	wantPanic(t, "GemvT", func() { GemvT(3, 3, 1, x, 3, x, 0, x[:2]) })
	wantPanic(t, "SolveLowerVec", func() { SolveLowerVec(3, x[:8], 3, x) })
	wantPanic(t, "SolveLowerTVec", func() { SolveLowerTVec(3, x, 3, x[:2]) })
}
