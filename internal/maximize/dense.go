package maximize

import "math"

// Small dense kernels. The matrices here are m × m with m around 10, where a call into a blocked library costs more
// than the work; vectors have a few dozen entries.

// dot returns aᵀb. Four running sums break the chain of dependent additions; their order is fixed, so the result is too.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		u, v := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += u[0] * v[0]
		s1 += u[1] * v[1]
		s2 += u[2] * v[2]
		s3 += u[3] * v[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// axpy adds c·x to dst.
func axpy(dst []float64, c float64, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] += c * v
	}
}

// cholesky overwrites the lower triangle of the k × k row-major matrix a by R with R Rᵀ = a, but for the diagonal, where it leaves 1/Rᵢᵢ: the solves below
// multiply instead of dividing. It returns false if a is not positive definite in floating point.
func cholesky(a []float64, k int) bool {
	for i := range k {
		ri := a[i*k : i*k+i+1]
		for j := range i {
			rj := a[j*k : j*k+j+1]
			t := ri[j]
			for l, v := range rj[:j] {
				t -= v * ri[l]
			}
			ri[j] = t * rj[j]
		}
		p := ri[i]
		for _, v := range ri[:i] {
			p -= v * v
		}
		if !(p > 0) || math.IsInf(p, 1) {
			return false
		}
		ri[i] = 1 / math.Sqrt(p)
	}
	return true
}

// lowerSolve replaces b by R⁻¹ b, R from cholesky.
func lowerSolve(r, b []float64) {
	k := len(b)
	for i := range b {
		ri := r[i*k : i*k+i+1]
		t := b[i]
		for l, v := range ri[:i] {
			t -= v * b[l]
		}
		b[i] = t * ri[i]
	}
}

// upperSolve replaces b by R⁻ᵀ b, R from cholesky.
func upperSolve(r, b []float64) {
	k := len(b)
	for i := k - 1; i >= 0; i-- {
		ri := r[i*k : i*k+i+1]
		b[i] *= ri[i]
		axpy(b[:i], -b[i], ri[:i])
	}
}

// cholSolve replaces b by (R Rᵀ)⁻¹ b, R from cholesky.
func cholSolve(r, b []float64) {
	lowerSolve(r, b)
	upperSolve(r, b)
}
