package linalg

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Benchmarks are called Benchmark<what>/n<size>/<path or reference>, so that one run prints the ratios.

var benchSizes = []int{64, 128, 200, 256}

// benchPaths runs f along every path and ref, if any, under its name. flops is the nominal count of one call. prepare,
// if not nil, runs before each call and outside of the clock.
//
// It reports the fastest batch of calls instead of the mean, and computes GFLOP/s from it:
// on a machine that others use too, that is the number to compare. gonum's product starts goroutines; -cpu 1 keeps the
// comparison to one core.
func benchPaths(b *testing.B, flops float64, prepare, f func(), reference string, ref func()) {
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			batch := 1
			if prepare == nil {
				const batchTime = 20 * time.Microsecond
				start := time.Now()
				f()
				batch += int(batchTime / (time.Since(start) + 1))
			}
			best := math.Inf(1)
			for b.Loop() {
				if prepare != nil {
					prepare()
				}
				start := time.Now()
				for range batch {
					f()
				}
				best = min(best, float64(time.Since(start).Nanoseconds())/float64(batch))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(best, "best-ns/op")
			if flops > 0 {
				b.ReportMetric(flops/best, "GFLOP/s")
			}
		})
	}
	if ref != nil {
		run(reference, ref)
	}
	for _, p := range Available() {
		restore, err := Force(p)
		if err != nil {
			b.Fatal(err)
		}
		run(p.String(), f)
		restore()
	}
}

func benchEach(b *testing.B, f func(b *testing.B, n int)) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n%d", n), func(b *testing.B) { f(b, n) })
	}
}

func dense(n, m int) []float64 { return randomMatrix(newRand(1), n, m, 0).a }

// benchLower returns a lower triangle with zeros above it.
func benchLower(n int) []float64 { return randomLower(newRand(1), n, 0).lowerDense().a }

func gonumGeneral(m, n int, a []float64) blas64.General {
	return blas64.General{Rows: m, Cols: n, Stride: n, Data: a}
}

func gonumLower(n int, a []float64) blas64.Triangular {
	return blas64.Triangular{N: n, Stride: n, Data: a, Uplo: blas.Lower, Diag: blas.NonUnit}
}

func BenchmarkGemm(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		x, y, z := dense(n, n), dense(n, n), dense(n, n)
		benchPaths(b, 2*float64(n*n*n), nil,
			func() { Gemm(false, false, n, n, n, 1, x, n, y, n, 0, z, n) },
			"gonum", func() {
				blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, gonumGeneral(n, n, x), gonumGeneral(n, n, y), 0, gonumGeneral(n, n, z))
			})
	})
}

// BenchmarkGemmThin is the product of the joint moments of a few points; packed is what it would cost with B packed.
func BenchmarkGemmThin(b *testing.B) {
	for _, s := range [][3]int{{2, 64, 64}, {2, 512, 512}, {2, 128, 128}, {3, 128, 128}, {4, 32, 32}, {4, 64, 64}, {4, 128, 128}, {4, 200, 200}, {4, 512, 512}, {8, 128, 128}} {
		m, n, k := s[0], s[1], s[2]
		x, y, z := dense(m, k), dense(k, n), dense(m, n)
		b.Run(fmt.Sprintf("%dx%dx%d", m, n, k), func(b *testing.B) {
			benchPaths(b, 2*float64(m*n*k), nil,
				func() { Gemm(false, false, m, n, k, 1, x, k, y, n, 0, z, n) },
				"gonum", func() {
					blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, gonumGeneral(m, k, x), gonumGeneral(k, n, y), 0, gonumGeneral(m, n, z))
				})
			b.Run("packed", func(b *testing.B) {
				benchPaths(b, 2*float64(m*n*k), nil, func() { gemmPacked(false, m, n, k, 1, x, k, 1, y, n, true, z, n) }, "", nil)
			})
		})
	}
}

func BenchmarkGemmTransB(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		x, y, z := dense(n, n), dense(n, n), dense(n, n)
		benchPaths(b, 2*float64(n*n*n), nil,
			func() { Gemm(false, true, n, n, n, 1, x, n, y, n, 0, z, n) },
			"gonum", func() {
				blas64.Gemm(blas.NoTrans, blas.Trans, 1, gonumGeneral(n, n, x), gonumGeneral(n, n, y), 0, gonumGeneral(n, n, z))
			})
	})
}

func BenchmarkSyrk(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		x, z := dense(n, n), dense(n, n)
		benchPaths(b, float64(n*n*n), nil,
			func() { Syrk(false, n, n, 1, x, n, 0, z, n) },
			"gonum", func() {
				blas64.Syrk(blas.NoTrans, 1, gonumGeneral(n, n, x), 0, blas64.Symmetric{N: n, Stride: n, Data: z, Uplo: blas.Lower})
			})
	})
}

func BenchmarkSyrkTall(b *testing.B) {
	const n, k = 200, 10000
	x, z := dense(k, n), dense(n, n)
	benchPaths(b, float64(n*n*k), nil, func() { Syrk(true, n, k, 1, x, n, 0, z, n) },
		"gonum", func() {
			blas64.Syrk(blas.Trans, 1, gonumGeneral(k, n, x), 0, blas64.Symmetric{N: n, Stride: n, Data: z, Uplo: blas.Lower})
		})
}

func BenchmarkCholesky(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		a := spd(n, 0).lowerDense().a
		x := make([]float64, n*n)
		benchPaths(b, float64(n*n*n)/3, func() { copy(x, a) },
			func() { Cholesky(n, x, n) },
			"gonum", func() {
				lapack64.Potrf(blas64.Symmetric{N: n, Stride: n, Data: x, Uplo: blas.Lower})
			})
	})
}

func BenchmarkSolveLowerT(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		l, x, y := benchLower(n), dense(n, n), dense(n, n)
		benchPaths(b, float64(n*n*n), func() { copy(y, x) },
			func() { SolveLowerT(n, n, l, n, y, n) },
			"gonum", func() { blas64.Trsm(blas.Left, blas.Trans, 1, gonumLower(n, l), gonumGeneral(n, n, y)) })
	})
}

func BenchmarkSolveLowerRight(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		l, x, y := benchLower(n), dense(n, n), dense(n, n)
		benchPaths(b, float64(n*n*n), func() { copy(y, x) },
			func() { SolveLowerRight(n, n, l, n, y, n) },
			"gonum", func() { blas64.Trsm(blas.Right, blas.Trans, 1, gonumLower(n, l), gonumGeneral(n, n, y)) })
	})
}

func BenchmarkSolveLowerRightTall(b *testing.B) {
	const n, m = 200, 10000
	l, x, y := benchLower(n), dense(m, n), dense(m, n)
	benchPaths(b, float64(m*n*n), func() { copy(y, x) },
		func() { SolveLowerRight(m, n, l, n, y, n) },
		"gonum", func() { blas64.Trsm(blas.Right, blas.Trans, 1, gonumLower(n, l), gonumGeneral(m, n, y)) })
}

func BenchmarkInvertLower(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		l, x := benchLower(n), make([]float64, n*n)
		benchPaths(b, float64(n*n*n)/3, func() { copy(x, l) },
			func() { InvertLower(n, x, n) },
			"gonum", func() { lapack64.Trtri(gonumLower(n, x)) })
	})
}

func BenchmarkGramLower(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		l, x := benchLower(n), make([]float64, n*n)
		benchPaths(b, float64(n*n*n)/3, func() { copy(x, l) },
			func() { GramLower(n, l, n, x, n) },
			"gonum", func() { gonum.Implementation{}.Dlauum(blas.Lower, n, x, n) })
	})
}

func BenchmarkSymmetrize(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		x := dense(n, n)
		benchPaths(b, 0, nil, func() { Symmetrize(n, x, n) }, "", nil)
	})
}

func BenchmarkGemv(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		a, x, y := dense(n, n), dense(1, n), dense(1, n)
		benchPaths(b, 2*float64(n*n), nil, func() { Gemv(n, n, 1, a, n, x, 0, y) },
			"gonum", func() {
				blas64.Gemv(blas.NoTrans, 1, gonumGeneral(n, n, a), blas64.Vector{N: n, Data: x, Inc: 1}, 0, blas64.Vector{N: n, Data: y, Inc: 1})
			})
	})
}

func BenchmarkGemvT(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		a, x, y := dense(n, n), dense(1, n), dense(1, n)
		benchPaths(b, 2*float64(n*n), nil, func() { GemvT(n, n, 1, a, n, x, 0, y) },
			"gonum", func() {
				blas64.Gemv(blas.Trans, 1, gonumGeneral(n, n, a), blas64.Vector{N: n, Data: x, Inc: 1}, 0, blas64.Vector{N: n, Data: y, Inc: 1})
			})
	})
}

func BenchmarkSolveLowerVec(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		l, x, y := benchLower(n), dense(1, n), dense(1, n)
		benchPaths(b, float64(n*n), func() { copy(y, x) }, func() { SolveLowerVec(n, l, n, y) },
			"gonum", func() { blas64.Trsv(blas.NoTrans, gonumLower(n, l), blas64.Vector{N: n, Data: y, Inc: 1}) })
	})
}

func BenchmarkSolveLowerTVec(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		l, x, y := benchLower(n), dense(1, n), dense(1, n)
		benchPaths(b, float64(n*n), func() { copy(y, x) }, func() { SolveLowerTVec(n, l, n, y) },
			"gonum", func() { blas64.Trsv(blas.Trans, gonumLower(n, l), blas64.Vector{N: n, Data: y, Inc: 1}) })
	})
}

func BenchmarkDot(b *testing.B) {
	benchEach(b, func(b *testing.B, n int) {
		x, y := dense(1, n), dense(1, n)
		benchPaths(b, 2*float64(n), nil, func() { Dot(x, y) },
			"gonum", func() { blas64.Dot(blas64.Vector{N: n, Data: x, Inc: 1}, blas64.Vector{N: n, Data: y, Inc: 1}) })
	})
}

func BenchmarkExp(b *testing.B) {
	const n = 1000
	x, y := make([]float64, n), make([]float64, n)
	rng := newRand(1)
	for i := range x {
		x[i] = -20 * rng.Float64()
	}
	b.Run(fmt.Sprintf("n%d", n), func(b *testing.B) {
		benchPaths(b, 0, nil, func() { Exp(y, x) }, "math", func() {
			for i, v := range x {
				y[i] = math.Exp(v)
			}
		})
	})
}

func BenchmarkMatern52(b *testing.B) {
	const n = 1000
	x, k, f := make([]float64, n), make([]float64, n), make([]float64, n)
	rng := newRand(1)
	for i := range x {
		x[i] = 20 * rng.Float64()
	}
	b.Run(fmt.Sprintf("n%d", n), func(b *testing.B) { benchPaths(b, 0, nil, func() { Matern52(k, f, x, 1.5) }, "", nil) })
	b.Run(fmt.Sprintf("valueOnly/n%d", n), func(b *testing.B) { benchPaths(b, 0, nil, func() { Matern52(k, nil, x, 1.5) }, "", nil) })
}

func BenchmarkDistances(b *testing.B) {
	for _, d := range []int{2, 6, 20} {
		const n = 200
		x, z, r, s := dense(1, d), dense(d, n), dense(1, n), dense(1, d)
		b.Run(fmt.Sprintf("squared/d%d", d), func(b *testing.B) {
			benchPaths(b, 3*float64(d*n), nil, func() { SquaredDistances(r, x, z, n) }, "", nil)
		})
		b.Run(fmt.Sprintf("weightedSquares/d%d", d), func(b *testing.B) {
			benchPaths(b, 4*float64(d*n), nil, func() { WeightedSquares(s, r, x, z, n) }, "", nil)
		})
		b.Run(fmt.Sprintf("weightedDifferences/d%d", d), func(b *testing.B) {
			benchPaths(b, 3*float64(d*n), nil, func() { WeightedDifferences(s, r, x, z, n) }, "", nil)
		})
	}
}
