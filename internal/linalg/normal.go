package linalg

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
	if len(logcdf) != len(x) || len(mills) != len(x) {
		panic(badLength)
	}
	if active == Generic {
		return false
	}
	if len(x) == 0 {
		return true
	}
	if active == AVX512 {
		logCDFMillsAVX512(len(x), &logcdf[0], &mills[0], &x[0], &ratio[0])
	} else {
		logCDFMillsAVX2(len(x), &logcdf[0], &mills[0], &x[0], &ratio[0])
	}
	return true
}
