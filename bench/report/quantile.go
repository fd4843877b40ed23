package report

import (
	"math"
	"slices"
)

// quantile returns the p-quantile of increasing values, NaN if there are none.
//
//	h = (n−1)p,   x_⌊h⌋ + (h − ⌊h⌋)(x_⌊h⌋₊₁ − x_⌊h⌋)
//
// Type 7 of Hyndman and Fan (1996), the default of R and NumPy, so that numbers agree with those of people
// who check them there. Written as two weights the interpolation cannot overflow, nor leave the interval.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	w := h - float64(i)
	return (1-w)*sorted[i] + w*sorted[i+1]
}

// median returns the median of values in any order, NaN if there are none.
func median(values []float64) float64 { return quantile(slices.Sorted(slices.Values(values)), 0.5) }

// mean returns the mean, NaN if there are no values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
