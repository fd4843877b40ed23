package sobol

import (
	_ "embed" // of joe-kuo.txt
	"strconv"
	"strings"
	"sync"

	"github.com/prefer-bo/prefer/internal/xslices"
)

// MaxDim is the largest number of coordinates. The widest search of this module, a question with one fantasy point
// per outcome, needs a handful of points times the dimension of the space; 64 leaves room.
const MaxDim = 64

// precision is the number of binary digits of a coordinate. With 52, both k·2⁻⁵² (a point) and (2k+1)·2⁻⁵³ (the middle of its cell, see Normals) are float64
// numbers without rounding; with 53 the middle of the last cell would round to 1.
const precision = 52

// joeKuo holds coordinates 2 to 64 of the table "new-joe-kuo-6.21201", a line each: a primitive polynomial over GF(2), its bits from the highest power down to
// the constant term, and the initial direction integers m₁, m₂, … (odd, mₖ < 2ᵏ), as many as the polynomial's degree. Coordinate 1 is the van der Corput
// sequence and needs no polynomial.
//
// S. Joe, F. Y. Kuo (2008), Constructing Sobol' sequences with better two-dimensional projections, SIAM J. Sci.
// Comput. 30, 2635–2654. The numbers are those of SciPy 1.17.1's copy; the golden test compares the resulting points.
//
//go:embed joe-kuo.txt
var joeKuo string

// primitives are the lines of joeKuo.
var primitives = sync.OnceValue(func() (out [][]uint64) {
	for line := range strings.Lines(joeKuo) {
		out = append(out, xslices.Map(strings.Fields(line), func(number string) uint64 {
			n, _ := strconv.ParseUint(number, 10, 64) // it is in the program
			return n
		}))
	}
	return out
})

// directions writes the direction numbers v₁ … v₅₂ of coordinate j (from 0) into v, as fixed-point fractions of 52 bits: vₖ = mₖ/2ᵏ. The mₖ beyond the
// published ones follow from the polynomial xˢ + a₁xˢ⁻¹ + … + aₛ₋₁x + 1 (Joe and Kuo 2008, Eq. 2), here written for the fractions, where multiplying mₖ₋ᵢ by 2ⁱ
// is the identity and mₖ₋ₛ alone is shifted:
//
//	vₖ = a₁vₖ₋₁ ⊕ … ⊕ aₛ₋₁vₖ₋ₛ₊₁ ⊕ vₖ₋ₛ ⊕ vₖ₋ₛ/2ˢ
func directions(j int, v *[precision]uint64) {
	if j == 0 {
		for k := range v {
			v[k] = 1 << (precision - 1 - k)
		}
		return
	}
	p := primitives()[j-1]
	poly, m, s := p[0], p[1:], len(p)-1
	for k := range v {
		if k < s {
			v[k] = m[k] << (precision - 1 - k)
			continue
		}
		w := v[k-s] ^ v[k-s]>>s
		for i := 1; i < s; i++ {
			if poly>>(s-i)&1 == 1 {
				w ^= v[k-i]
			}
		}
		v[k] = w
	}
}
