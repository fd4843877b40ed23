package maximize

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSelectStarts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	lo, hi := []float64{0}, []float64{10}
	for _, c := range []struct {
		name        string
		raw, values []float64
		count       int
		spread      float64
		want        []int
	}{
		{"best first", []float64{1, 5, 9}, []float64{1, 3, 2}, 2, 0.05, []int{1, 2}},
		{"ties by index", []float64{1, 5, 9}, []float64{2, 2, 2}, 2, 0.05, []int{0, 1}},
		{"spread passes over", []float64{5, 5.2, 9}, []float64{3, 2, 1}, 2, 0.05, []int{0, 2}},
		{"passed over fill up", []float64{5, 5.2, 5.1}, []float64{3, 1, 2}, 3, 0.05, []int{0, 2, 1}},
		{"exactly at the spread", []float64{5, 5.5}, []float64{2, 1}, 2, 0.05, []int{0, 1}},
		{"no rule", []float64{5, 5, 5}, []float64{1, 2, 3}, 2, -1, []int{2, 1}},
		{"fewer than asked", []float64{1, 2}, []float64{1, 2}, 8, 0.05, []int{1, 0}},
		{"broken last", []float64{1, 3, 5, 7, 9}, []float64{nan, -inf, inf, -1e300, 0}, 5, 0.05, []int{4, 3, 1, 0, 2}},
	} {
		if got := selectStarts(c.raw, c.values, lo, hi, c.count, c.spread); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	lo, hi := []float64{0, -5, 3, 0}, []float64{1, 5, 3, math.Inf(1)}
	a := []float64{0.5, 0, 3, 1}
	for _, c := range []struct {
		b    []float64
		want float64
	}{
		{[]float64{0.5, 0, 3, 1}, 0},
		{[]float64{0.75, 0, 3, 1}, 0.25},
		{[]float64{0.75, 5, 3, 1}, 0.5},
		{[]float64{0.5, 0, 3, 3}, 2},
	} {
		if got := distance(a, c.b, lo, hi); got != c.want {
			t.Errorf("distance to %v = %v, want %v", c.b, got, c.want)
		}
	}
}

// TestSelectStartsLaws: distinct rows; the best is always the first; among the spread ones nothing better was left
// out without a close better neighbour.
func TestSelectStartsLaws(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(8, seed))
		d, k, count := 1+r.IntN(3), 1+r.IntN(40), 1+r.IntN(10)
		raw, values := make([]float64, k*d), make([]float64, k)
		for i := range raw {
			raw[i] = r.Float64()
		}
		for i := range values {
			values[i] = float64(r.IntN(8))
		}
		lo, hi := repeat(d, 0), repeat(d, 1)
		got := selectStarts(raw, values, lo, hi, count, 0.1)
		if len(got) != min(count, k) {
			t.Fatalf("seed %d: %d starts of %d, want %d", seed, len(got), k, count)
		}
		if values[got[0]] != slices.Max(values) {
			t.Fatalf("seed %d: the best point was not taken", seed)
		}
		sorted := slices.Sorted(slices.Values(got))
		if len(slices.Compact(sorted)) != len(got) {
			t.Fatalf("seed %d: repeated starts %v", seed, got)
		}
		last := got[len(got)-1]
		for i := range k {
			if slices.Contains(got, i) || values[i] <= values[last] {
				continue
			}
			near := slices.ContainsFunc(got, func(p int) bool {
				return values[p] >= values[i] && distance(raw[i*d:][:d], raw[p*d:][:d], lo, hi) < 0.1
			})
			if !near {
				t.Fatalf("seed %d: point %d left out for %d", seed, i, last)
			}
		}
	}
}
