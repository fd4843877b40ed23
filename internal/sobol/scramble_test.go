package sobol

import (
	"math"
	"math/bits"
	"testing"
)

// TestScrambleKeepsLeadingDigit: L is lower triangular with a unit diagonal, so the first digits of ⊕-independent
// columns stay independent: the k-th direction number of the van der Corput coordinate keeps its leading one at digit
// k.
func TestScrambleKeepsLeadingDigit(t *testing.T) {
	for seed := range uint64(50) {
		var v [precision]uint64
		directions(0, &v)
		r := coordinateStream(seed, 0)
		shift := scramble(&v, &r)
		if shift >= length {
			t.Fatalf("seed %d: shift %x has more than %d bits", seed, shift, precision)
		}
		for k, x := range v {
			if bits.Len64(x) != precision-k {
				t.Fatalf("seed %d: column %d is %b", seed, k, x)
			}
		}
	}
}

// TestStreams: neighbouring seeds and coordinates start unrelated streams: about half the bits of the first outputs
// differ, never all or none.
func TestStreams(t *testing.T) {
	first := func(seed uint64, j int) uint64 { r := coordinateStream(seed, j); return r.Next() }
	var total, count float64
	seen := map[uint64]bool{}
	for seed := range uint64(50) {
		for j := range MaxDim {
			a := first(seed, j)
			if seen[a] {
				t.Fatalf("seed %d, coordinate %d: stream seen before", seed, j)
			}
			seen[a] = true
			total += float64(bits.OnesCount64(a^first(seed+1, j)) + bits.OnesCount64(a^first(seed, j+1)))
			count += 2
		}
	}
	// A mean of 6400 binomial(64, ½) counts has standard deviation 0.05.
	if mean := total / count; math.Abs(mean-32) > 0.25 {
		t.Errorf("%v bits differ on average, want 32", mean)
	}
}
