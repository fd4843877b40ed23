package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/linalg"
	"github.com/prefer-bo/prefer/internal/sobol"
)

// TestForemost: of many options the best thousand stay, in their order, by the means that each has alone.
func TestForemost(t *testing.T) {
	fit, err := (&Cache{Model: tiesModel()}).Get(context.Background(), Evidence{Duels: simulated(30, 2, 3), Raters: []string{""}})
	if err != nil {
		t.Fatal(err)
	}
	var rows []float64
	for i := range 2500 {
		rows = append(rows, float64(i%50)/50, float64(i)/2500)
	}
	if got := fit.Belief.Foremost(rows[:2*foremost]); len(got) != 2*foremost {
		t.Errorf("of %d options %d", foremost, len(got)/2)
	}
	means := func(x []float64) (out []float64) {
		for row := range slices.Chunk(x, 2) {
			mean, _ := fit.Belief.At(row)
			out = append(out, mean)
		}
		return out
	}
	all := means(rows)
	least := slices.Sorted(slices.Values(all))[len(all)-foremost] - 1e-9
	var want []float64
	for i, v := range all {
		if v >= least {
			want = append(want, rows[2*i:2*i+2]...)
		}
	}
	if got := fit.Belief.Foremost(rows); !slices.Equal(got, want) {
		t.Errorf("%d options, want the best %d", len(got)/2, len(want)/2)
	}
}

// TestSpread: the mean and the variance over a space are those of many draws.
func TestSpread(t *testing.T) {
	fit, err := (&Cache{Averaged: []gp.Model{tiesModel()}}).Get(context.Background(), Evidence{Duels: simulated(12, 2, 5), Raters: []string{""}})
	if err != nil {
		t.Fatal(err)
	}
	x := sobol.Points(2, 40, 1)
	centre, square := fit.Belief.Spread(x)
	const draws = 40_000
	var mean, variance float64
	fit.Belief.drawFrom(x, -1, draws, 400, rand.New(rand.NewPCG(1, 2)), func(f []float64) {
		one, sum := 0.0, 0.0
		for _, v := range f {
			one, sum = one+v/40, sum+v*v/40
		}
		mean, variance = mean+one/draws, variance+(sum-one*one)/draws
	})
	if math.Abs(centre-mean) > 0.02*math.Sqrt(square) || math.Abs(square/variance-1) > 0.02 {
		t.Errorf("mean %g, variance %g; of draws %g and %g", centre, square, mean, variance)
	}
}

// TestRoot: LLᵀ is the covariance but for the jitter, also where that is singular up to rounding and the first jitters are too small.
func TestRoot(t *testing.T) {
	const n, rank = 80, 50 // what fails is a later panel
	rng := rand.New(rand.NewPCG(3, 4))
	a, cov := make([]float64, n*rank), make([]float64, n*n)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	linalg.Gemm(false, true, n, n, rank, 1, a, rank, a, rank, 0, cov, n)
	for i := range n { // as far from positive definite as the third jitter allows
		cov[i*n+i] -= 3e-8
	}
	linalg.Symmetrize(n, cov, n)
	r, got := rootOf(make([]float64, n), slices.Clone(cov), gp.Kernel{Outputscale: 1}), make([]float64, n*n)
	linalg.Gemm(false, true, n, n, n, 1, r.l, n, r.l, n, 0, got, n)
	for i := range n {
		for j := range n {
			want := cov[i*n+j]
			if i == j {
				want += 100 * drawJitter
			}
			if math.Abs(got[i*n+j]-want) > 1e-11 {
				t.Fatalf("element %d, %d of LLᵀ is %v, want %v", i, j, got[i*n+j], want)
			}
		}
	}
}

// TestDrawMemory: draws use the memory of those before.
func TestDrawMemory(t *testing.T) {
	fit, err := (&Cache{Model: tiesModel()}).Get(context.Background(), Evidence{Duels: simulated(30, 2, 3), Raters: []string{""}})
	if err != nil {
		t.Fatal(err)
	}
	const n, times = 400, 20
	x := sobol.Points(2, n, 1)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which forgets it
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for seed := range uint64(times) {
		fit.Belief.Draw(x, 64, rand.New(rand.NewPCG(seed, 0)), func([]float64) {})
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / times; each > 2*8*n*n {
		t.Errorf("a draw of %d values takes %d bytes, want less than two covariances of them", n, each)
	}
}
