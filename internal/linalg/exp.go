package linalg

import "math"

// Exp stores eˣ of every element in dst. dst may be x.
//
// Method: x = k·ln 2 + r with |r| ≤ ln 2 / 2, ln 2 in two parts so that r loses nothing; eʳ as a polynomial of degree 11, whose own relative error is below
// 1e-17; then an exact scaling by 2ᵏ. The error is below 1 ulp where the result is a normal number.
//
// Special cases:
//
//	Exp(+Inf) = +Inf, and overflow (x > 709.78) gives +Inf
//	Exp(-Inf) = 0
//	Exp(NaN) = NaN
//
// Results below 2⁻¹⁰²² are subnormal and rounded once more, down to 0 for x < −745.13.
func Exp(dst, x []float64) {
	if len(dst) != len(x) {
		panic(badLength)
	}
	if len(x) == 0 {
		return
	}
	switch active {
	case AVX512:
		expAVX512(len(x), &dst[0], &x[0])
	case AVX2:
		expAVX2(len(x), &dst[0], &x[0])
	default:
		for i, v := range x {
			dst[i] = expGeneric(v)
		}
	}
}

// expGeneric is the method of the vector paths in scalars; gen/exp.go says where the constants come from. math.Exp
// would do as well, but it is another algorithm on another machine, and on amd64 it overflows from 709.44 on.
func expGeneric(x float64) float64 {
	const (
		shifter = 3 << 51
		ln2Hi   = 6.93147180369123816490e-01
		ln2Lo   = 1.90821492927058770002e-10
		low     = -746
		high    = 710
	)
	switch {
	case x != x:
		return x
	case x > high:
		x = high
	case x < low:
		x = low
	}
	k := x*math.Log2E + shifter - shifter
	r := x - k*ln2Hi - k*ln2Lo
	p := 0x1.af635f16ead2dp-26*r + 0x1.28b43b4f111dbp-22
	p = p*r + 0x1.71ddf69834cdap-19
	p = p*r + 0x1.a019938664e2bp-16
	p = p*r + 0x1.a01a01b015fc1p-13
	p = p*r + 0x1.6c16c18611db9p-10
	p = p*r + 0x1.111111110f7efp-7
	p = p*r + 0x1.55555555503a0p-5
	p = p*r + 0x1.5555555555558p-3
	p = p*r + 0x1.0000000000009p-1
	p = 1 + (r + r*r*p)
	// 2ᵏ in two factors, as k reaches from −1076 to 1024; only the second product may round.
	n := int(k)
	return p * powerOfTwo(n>>1) * powerOfTwo(n-n>>1)
}

// powerOfTwo returns 2ⁿ for −1022 ≤ n ≤ 1023.
func powerOfTwo(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }
