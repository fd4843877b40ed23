package sobol

import (
	"math/bits"
	"testing"
)

// TestTable checks what Joe and Kuo promise of their numbers: as many initial integers as the degree, mₖ odd and
// below 2ᵏ, distinct primitive polynomials.
func TestTable(t *testing.T) {
	seen := map[uint64]bool{}
	for j, p := range primitives() {
		poly, initial, degree := p[0], p[1:], bits.Len64(p[0])-1
		if degree < 1 || poly&1 == 0 || seen[poly] || !primitiveOverGF2(poly) {
			t.Errorf("coordinate %d: polynomial %b", j+2, poly)
		}
		seen[poly] = true
		if len(initial) != degree {
			t.Errorf("coordinate %d: %d initial integers for degree %d", j+2, len(initial), degree)
		}
		for k, m := range initial {
			if m%2 == 0 || m >= 1<<(k+1) {
				t.Errorf("coordinate %d: m[%d] = %d", j+2, k+1, m)
			}
		}
	}
	if len(seen) != MaxDim-1 {
		t.Errorf("%d polynomials", len(seen))
	}
}

// primitiveOverGF2 reports whether x generates all 2ˢ−1 non-zero residues modulo the polynomial p of degree s.
func primitiveOverGF2(p uint64) bool {
	s := bits.Len64(p) - 1
	r := uint64(1)
	for i := 1; ; i++ {
		if r <<= 1; r>>s == 1 {
			r ^= p
		}
		if r == 1 {
			return i == 1<<s-1
		}
		if i >= 1<<s {
			return false
		}
	}
}

// TestDirections: vₖ = mₖ/2ᵏ with mₖ odd, that is, its last binary digit is the k-th. This alone makes every
// coordinate a permutation of the dyadic fractions.
func TestDirections(t *testing.T) {
	var v [precision]uint64
	for j := range MaxDim {
		directions(j, &v)
		for k, x := range v {
			if bits.TrailingZeros64(x) != precision-1-k || x >= length {
				t.Fatalf("coordinate %d: v[%d] = %b", j, k+1, x)
			}
		}
	}
}
