package sobol

import "math/bits"

// MaxDim is the largest number of coordinates. The widest search of this module, a question with one fantasy point
// per outcome, needs a handful of points times the dimension of the space; 64 leaves room.
const MaxDim = 64

// precision is the number of binary digits of a coordinate. With 52, both k·2⁻⁵² (a point) and (2k+1)·2⁻⁵³ (the middle of its cell, see Normals) are float64
// numbers without rounding; with 53 the middle of the last cell would round to 1.
const precision = 52

// A primitive holds what Joe and Kuo publish for one coordinate: a primitive polynomial over GF(2), the bits of poly from the highest power down to the
// constant term, and the initial direction integers m₁, m₂, … (odd, mₖ < 2ᵏ), as many as the polynomial's degree.
type primitive struct {
	poly uint16
	m    [9]uint16
}

// joeKuo holds coordinates 2 to 64 of the table "new-joe-kuo-6.21201". Coordinate 1 is the van der Corput sequence and needs no polynomial.
//
// S. Joe, F. Y. Kuo (2008), Constructing Sobol' sequences with better two-dimensional projections, SIAM J. Sci.
// Comput. 30, 2635–2654. The numbers are those of SciPy 1.17.1's copy; the golden test compares the resulting points.
var joeKuo = [MaxDim - 1]primitive{
	{3, [9]uint16{1}},
	{7, [9]uint16{1, 3}},
	{11, [9]uint16{1, 3, 1}},
	{13, [9]uint16{1, 1, 1}},
	{19, [9]uint16{1, 1, 3, 3}},
	{25, [9]uint16{1, 3, 5, 13}},
	{37, [9]uint16{1, 1, 5, 5, 17}},
	{41, [9]uint16{1, 1, 5, 5, 5}},
	{47, [9]uint16{1, 1, 7, 11, 19}},
	{55, [9]uint16{1, 1, 5, 1, 1}},
	{59, [9]uint16{1, 1, 1, 3, 11}},
	{61, [9]uint16{1, 3, 5, 5, 31}},
	{67, [9]uint16{1, 3, 3, 9, 7, 49}},
	{91, [9]uint16{1, 1, 1, 15, 21, 21}},
	{97, [9]uint16{1, 3, 1, 13, 27, 49}},
	{103, [9]uint16{1, 1, 1, 15, 7, 5}},
	{109, [9]uint16{1, 3, 1, 15, 13, 25}},
	{115, [9]uint16{1, 1, 5, 5, 19, 61}},
	{131, [9]uint16{1, 3, 7, 11, 23, 15, 103}},
	{137, [9]uint16{1, 3, 7, 13, 13, 15, 69}},
	{143, [9]uint16{1, 1, 3, 13, 7, 35, 63}},
	{145, [9]uint16{1, 3, 5, 9, 1, 25, 53}},
	{157, [9]uint16{1, 3, 1, 13, 9, 35, 107}},
	{167, [9]uint16{1, 3, 1, 5, 27, 61, 31}},
	{171, [9]uint16{1, 1, 5, 11, 19, 41, 61}},
	{185, [9]uint16{1, 3, 5, 3, 3, 13, 69}},
	{191, [9]uint16{1, 1, 7, 13, 1, 19, 1}},
	{193, [9]uint16{1, 3, 7, 5, 13, 19, 59}},
	{203, [9]uint16{1, 1, 3, 9, 25, 29, 41}},
	{211, [9]uint16{1, 3, 5, 13, 23, 1, 55}},
	{213, [9]uint16{1, 3, 7, 3, 13, 59, 17}},
	{229, [9]uint16{1, 3, 1, 3, 5, 53, 69}},
	{239, [9]uint16{1, 1, 5, 5, 23, 33, 13}},
	{241, [9]uint16{1, 1, 7, 7, 1, 61, 123}},
	{247, [9]uint16{1, 1, 7, 9, 13, 61, 49}},
	{253, [9]uint16{1, 3, 3, 5, 3, 55, 33}},
	{285, [9]uint16{1, 3, 1, 15, 31, 13, 49, 245}},
	{299, [9]uint16{1, 3, 5, 15, 31, 59, 63, 97}},
	{301, [9]uint16{1, 3, 1, 11, 11, 11, 77, 249}},
	{333, [9]uint16{1, 3, 1, 11, 27, 43, 71, 9}},
	{351, [9]uint16{1, 1, 7, 15, 21, 11, 81, 45}},
	{355, [9]uint16{1, 3, 7, 3, 25, 31, 65, 79}},
	{357, [9]uint16{1, 3, 1, 1, 19, 11, 3, 205}},
	{361, [9]uint16{1, 1, 5, 9, 19, 21, 29, 157}},
	{369, [9]uint16{1, 3, 7, 11, 1, 33, 89, 185}},
	{391, [9]uint16{1, 3, 3, 3, 15, 9, 79, 71}},
	{397, [9]uint16{1, 3, 7, 11, 15, 39, 119, 27}},
	{425, [9]uint16{1, 1, 3, 1, 11, 31, 97, 225}},
	{451, [9]uint16{1, 1, 1, 3, 23, 43, 57, 177}},
	{463, [9]uint16{1, 3, 7, 7, 17, 17, 37, 71}},
	{487, [9]uint16{1, 3, 1, 5, 27, 63, 123, 213}},
	{501, [9]uint16{1, 1, 3, 5, 11, 43, 53, 133}},
	{529, [9]uint16{1, 3, 5, 5, 29, 17, 47, 173, 479}},
	{539, [9]uint16{1, 3, 3, 11, 3, 1, 109, 9, 69}},
	{545, [9]uint16{1, 1, 1, 5, 17, 39, 23, 5, 343}},
	{557, [9]uint16{1, 3, 1, 5, 25, 15, 31, 103, 499}},
	{563, [9]uint16{1, 1, 1, 11, 11, 17, 63, 105, 183}},
	{601, [9]uint16{1, 1, 5, 11, 9, 29, 97, 231, 363}},
	{607, [9]uint16{1, 1, 5, 15, 19, 45, 41, 7, 383}},
	{617, [9]uint16{1, 3, 7, 7, 31, 19, 83, 137, 221}},
	{623, [9]uint16{1, 1, 1, 3, 23, 15, 111, 223, 83}},
	{631, [9]uint16{1, 1, 5, 13, 31, 15, 55, 25, 161}},
	{637, [9]uint16{1, 1, 3, 13, 25, 47, 39, 87, 257}},
}

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
	p := &joeKuo[j-1]
	s := bits.Len16(p.poly) - 1
	for k := range v {
		if k < s {
			v[k] = uint64(p.m[k]) << (precision - 1 - k)
			continue
		}
		w := v[k-s] ^ v[k-s]>>s
		for i := 1; i < s; i++ {
			if p.poly>>(s-i)&1 == 1 {
				w ^= v[k-i]
			}
		}
		v[k] = w
	}
}
