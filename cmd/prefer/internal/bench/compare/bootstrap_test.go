package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDraws(t *testing.T) {
	var a, b Draws
	b.of(3) // what else was asked for does not matter
	if !slices.Equal(a.of(7), b.of(7)) {
		t.Error("two tables draw differently")
	}
	counts := make([]float64, 7)
	for _, i := range a.of(7) {
		counts[i]++
	}
	for i, c := range counts {
		if sd := math.Sqrt(7 * resamples * 1 / 7. * 6 / 7); math.Abs(c-resamples) > 4*sd {
			t.Errorf("index %d drawn %v times of %d", i, c, 7*resamples)
		}
	}
}

// TestDrawnMedian: it is the median of what was drawn, for odd and even numbers and with ties.
func TestDrawnMedian(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 9; n++ {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(src.IntN(5))
		}
		for range 100 {
			index, picked := make([]int32, n), make([]float64, n)
			for i := range index {
				index[i] = src.Int32N(int32(n))
				picked[i] = values[index[i]]
			}
			if got, want := drawnMedian(values, index), median(picked); got != want {
				t.Fatalf("median of %v = %v, want %v", picked, got, want)
			}
		}
	}
}

// TestInterval: of the resamples of a mean over two seeds a quarter is the one, a quarter the other and half
// their mean, so both ends are at the seeds; of those over many the interval is nearly the normal one.
func TestInterval(t *testing.T) {
	boot := func(values []float64) Interval {
		var d Draws
		out, n := make([]float64, resamples), len(values)
		for k := range out {
			for _, i := range d.of(n)[k*n : (k+1)*n] {
				out[k] += values[i] / float64(n)
			}
		}
		return interval(mean(values), out)
	}
	if got, want := boot([]float64{-1, 3}), (Interval{1, -1, 3}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	const n = 60
	src, values := rand.New(rand.NewPCG(5, 6)), make([]float64, n)
	for i := range values {
		values[i] = src.NormFloat64()
	}
	m, square := mean(values), 0.0
	for _, v := range values {
		square += (v - m) * (v - m) / n
	}
	half := 1.959964 * math.Sqrt(square/n)
	got := boot(values)
	// 4 %: three times the spread of resamples (0.7 % of the length), and a little skewness
	if math.Abs(got.Lower-(m-half)) > 0.04*2*half || math.Abs(got.Upper-(m+half)) > 0.04*2*half {
		t.Errorf("%v, want about %v", got, Interval{m, m - half, m + half})
	}
}
