package linalg

import (
	"math"
)

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
	mustMatch(dst, x)
	if active != Generic && len(x) > 0 {
		expKernel(len(x), &dst[0], &x[0])
		return
	}
	for i, v := range x {
		dst[i] = expGeneric(v)
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

// LogCDFMills stores log Φ(x[i]) in logcdf[i] and φ(x[i])/Φ(x[i]) in mills[i], φ and Φ the standard normal density and
// distribution function. It is the array version of package normal's functions for the assembly paths: on Generic it
// stores nothing and returns false, and the caller has its scalars. logcdf or mills may be x.
//
// Method: for |x| Mills' ratio is R = (1−Φ)/φ = P(t)/(|x|+4), t = 1 − 8/(|x|+4), with the coefficients of P in ratio,
// constant first. Then, with q = φ(x)R(x),
//
//	log Φ = log(R/√(2π)) − x²/2,  φ/Φ = (|x|+4)/P    for x ≤ 0: two negative terms, so that x² may be rounded,
//	log Φ = log1p(−q),            φ/Φ = φ/(1−q)      for x > 0, where φ is 1/√(2π)·e^{−x²/2} with the square exact.
//
// Exponential and logarithm are good to 1 ulp, in log1p relative to −q as q vanishes. Against 30 digits the errors are
// below 1.5e-15, relative, where the results are normal numbers; that of P is part of it.
//
// Special cases:
//
//	x = −Inf: −Inf, +Inf; log Φ overflows to −Inf from x ≈ −1.9e154 on
//	x = +Inf: 0, 0; both underflow to 0 for x > 38.6
//	x = NaN: NaN, NaN
func LogCDFMills(logcdf, mills, x []float64, ratio *[24]float64) bool {
	mustMatch(logcdf, x)
	mustMatch(mills, x)
	if active != Generic && len(x) > 0 {
		logCDFMillsKernel(len(x), &logcdf[0], &mills[0], &x[0], &ratio[0])
	}
	return active != Generic
}
