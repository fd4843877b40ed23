package sobol

import "fmt"

// Points returns the first n points of Scrambled(d, seed), n × d, row-major. Powers of two are the best n: such a prefix has the same number of points in every
// cell of many regular partitions of the cube. It panics if n < 0 or unless 1 ≤ d ≤ MaxDim.
func Points(d, n int, seed uint64) []float64 {
	return fill(d, n, seed, func(k uint64) float64 { return float64(k) * cell })
}

// Normals returns the first n points of Scrambled(d, seed), n × d, row-major, each coordinate u moved to the middle of its cell of width 2⁻⁵² and mapped by
// quantile; with the standard normal quantile the rows are quasi-random draws of N(0, I).
//
//	quantile(u + 2⁻⁵³),   u + 2⁻⁵³ from 2⁻⁵³ to 1 − 2⁻⁵³
//
// A scrambled coordinate is 0 with probability 2⁻⁵², where a normal quantile is −Inf. The shift by half a cell makes
// the grid symmetric about ½ and keeps it off 0 and 1 with no clamp; it is exact. It panics as Points does.
func Normals(d, n int, seed uint64, quantile func(float64) float64) []float64 {
	return fill(d, n, seed, func(k uint64) float64 { return quantile(middle(k)) })
}

// middle returns (k + ½)·2⁻⁵², exactly: 2k+1 has at most 53 bits.
func middle(k uint64) float64 { return float64(2*k+1) * (cell / 2) }

// fill returns n × d values of f at the integer coordinates of the scrambled sequence.
func fill(d, n int, seed uint64, f func(k uint64) float64) []float64 {
	if n < 0 {
		panic(fmt.Sprintf("sobol: %d points", n))
	}
	s := Scrambled(d, seed)
	out := make([]float64, 0, n*d)
	for range n {
		for _, k := range s.x {
			out = append(out, f(k))
		}
		s.advance()
	}
	return out
}
