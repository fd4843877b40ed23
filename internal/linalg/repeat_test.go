package linalg

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// everything runs each routine once on inputs of odd size and returns all results, one after the other.
func everything(n int) []float64 {
	rng := newRand(uint64(n))
	a, b, l := randomMatrix(rng, n, n, 1), randomMatrix(rng, n, n, 1), randomLower(rng, n, 1)
	ld := n + 1
	var out []float64
	keep := func(m matrix) {
		for _, v := range m.a {
			if !math.IsNaN(v) {
				out = append(out, v)
			}
		}
	}
	run := func(m matrix, f func(m matrix)) { c := m.clone(); f(c); keep(c) }
	run(b, func(c matrix) { Gemm(false, true, n, n, n, 1.1, a.a, ld, b.clone().a, ld, 0.3, c.a, ld) })
	run(b, func(c matrix) { Gemm(true, false, n, n, n, 1.1, a.a, ld, b.clone().a, ld, 0, c.a, ld) })
	run(b, func(c matrix) { Gemm(false, false, 5, n, n, 1.1, a.a, ld, b.clone().a, ld, 0, c.a, ld) })
	run(b, func(c matrix) { Syrk(true, n, n, 1.1, a.a, ld, 0.3, c.a, ld) })
	run(spd(n, 1), func(c matrix) { Cholesky(n, c.a, ld) })
	run(b, func(c matrix) { SolveLowerT(n, n, l.a, ld, c.a, ld) })
	run(b, func(c matrix) { SolveLowerRight(n, n, l.a, ld, c.a, ld) })
	run(l, func(c matrix) { InvertLower(n, c.a, ld) })
	run(b, func(c matrix) { GramLower(n, l.a, ld, c.a, ld) })
	x, y := a.a[:n], slices.Clone(b.a[:n])
	SolveLowerVec(n, l.a, ld, y)
	Gemv(n, n, 1, a.a, ld, x, 0.5, y)
	GemvT(n, n, 1, a.a, ld, x, 0.5, y)
	SolveLowerTVec(n, l.a, ld, y)
	out = append(out, y...)
	out = append(out, Dot(x, b.a[:n]))
	r2 := make([]float64, n)
	SquaredDistances(r2, x[:3], b.a, ld)
	Matern52(r2, nil, r2, 1.3)
	out = append(out, r2...)
	Exp(r2, x)
	return append(out, r2...)
}

// TestRepeat wants the same bits again, also from many goroutines at once and on one processor.
func TestRepeat(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, n := range []int{31, 77, 130} {
			want := everything(n)
			same := func(when string) {
				got := everything(n)
				for i := range want {
					if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
						t.Errorf("n=%d, %s: value %d is %v, was %v", n, when, i, got[i], want[i])
						return
					}
				}
			}
			same("again")
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() { same("concurrently") })
			}
			wg.Wait()
			before := runtime.GOMAXPROCS(1)
			same("on one processor")
			runtime.GOMAXPROCS(before)
		}
	})
}

// TestAllocations wants none at steady state. The race detector makes sync.Pool forget at random, hence the build tag.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops items at random under the race detector")
	}
	const n = 65
	eachPath(t, func(t *testing.T) {
		a, b, c, l := dense(n, n), dense(n, n), dense(n, n), benchLower(n)
		work := make([]float64, n*n)
		calls := map[string]func(){
			"Gemm":            func() { Gemm(false, true, n, n, n, 1, a, n, b, n, 0, c, n) },
			"Gemm, few rows":  func() { Gemm(false, false, 5, n, n, 1, a, n, b, n, 0, c, n) },
			"Syrk":            func() { Syrk(false, n, n, 1, a, n, 0, c, n) },
			"Cholesky":        func() { copy(work, l); Cholesky(n, work, n) },
			"SolveLowerT":     func() { copy(work, a); SolveLowerT(n, n, l, n, work, n) },
			"SolveLowerRight": func() { copy(work, a); SolveLowerRight(n, n, l, n, work, n) },
			"InvertLower":     func() { copy(work, l); InvertLower(n, work, n) },
			"GramLower":       func() { GramLower(n, l, n, c, n) },
			"SolveLowerVec":   func() { copy(work, a[:n]); SolveLowerVec(n, l, n, work[:n]) },
			"Gemv":            func() { Gemv(n, n, 1, a, n, b[:n], 0, work[:n]) },
			"on the stack": func() { // slices on the caller's stack must be able to stay there
				var x, y [n]float64
				Exp(y[:], x[:])
				Axpy(Dot(x[:], y[:]), x[:], y[:])
				Matern52(y[:], nil, x[:], 1)
				var ratio [24]float64
				LogCDFMills(x[:], y[:], x[:], &ratio)
				SolveLowerVec(n, l, n, y[:])
				SolveLowerT(n, 1, l, n, y[:], 1)
			},
		}
		for name, f := range calls {
			f()
			if avg := testing.AllocsPerRun(50, f); avg > 0 {
				t.Errorf("%s: %v allocations per call", name, avg)
			}
		}
	})
}
