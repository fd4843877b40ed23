package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
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
