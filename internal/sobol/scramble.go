package sobol

import (
	"math/bits"

	"github.com/prefer-bo/prefer/internal/splitmix"
)

// scramble applies a random linear scramble and a digital shift to the direction numbers of one coordinate and returns the shift (Matoušek 1998, Owen 2003). A
// coordinate is a column x of 52 binary digits, most significant first; it becomes
//
//	L·x ⊕ e   over GF(2),
//
// L lower triangular with ones on its diagonal and fair bits below it, e fair bits. Because x is itself a ⊕ of
// direction numbers, L is folded into them here, once, and drawing points costs no more than without scrambling.
//
// L maps each dyadic interval onto one of the same length and so does ⊕ e: the net property of every prefix of 2ᵏ points survives. Each scrambled point is
// uniform on the 2⁵²-point grid. Owen's nested uniform scramble, with its own fair bit at every node of the digit tree, has the same variance for every
// integrand (Owen 2003, Variance with alternative scramblings of digital nets, ACM TOMACS 13, 363–378, on affine matrix scrambling) but costs a hash per digit
// and destroys the structure that makes Next one ⊕ per coordinate; that is why it is not used.
func scramble(v *[precision]uint64, r *splitmix.Stream) (shift uint64) {
	// column[c] holds column c of L as an integer: digit c itself, and fair bits in all digits after it.
	var column [precision]uint64
	for c := range column {
		digit := uint64(1) << (precision - 1 - c)
		column[c] = digit | r.Next()&(digit-1)
	}
	for k, x := range v {
		var y uint64
		for ; x != 0; x &= x - 1 {
			y ^= column[precision-1-bits.TrailingZeros64(x)]
		}
		v[k] = y
	}
	return r.Next() >> (64 - precision)
}

// coordinateStream returns the generator of coordinate j under seed. Its start passes the finaliser twice, so that
// neighbouring seeds and coordinates, the usual ones, do not start at neighbouring places of one stream.
func coordinateStream(seed uint64, j int) splitmix.Stream {
	r := splitmix.Stream(seed)
	r = splitmix.Stream(r.Next() + uint64(j))
	return splitmix.Stream(r.Next())
}
