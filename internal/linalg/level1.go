package linalg

// Dot returns Σ xᵢyᵢ.
//
// The vector paths sum in 4v interleaved parts which are added pairwise at the end; the order depends on the length alone.
func Dot(x, y []float64) float64 {
	mustMatch(x, y)
	if active == Generic || len(x) == 0 {
		return dotGeneric(x, y)
	}
	return dotKernel(len(x), &x[0], &y[0])
}

// dotGeneric keeps four sums, so that an addition need not wait for the one before.
func dotGeneric(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		s0 += x[i] * y[i]
		s1 += x[i+1] * y[i+1]
		s2 += x[i+2] * y[i+2]
		s3 += x[i+3] * y[i+3]
	}
	for ; i < len(x); i++ {
		s0 += x[i] * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// MaxLift returns the largest of 0 and all p·rᵢ + w(xᵢ − yᵢ), computed with the difference first; NaN is passed over.
func MaxLift(p float64, r []float64, w float64, x, y []float64) float64 {
	mustMatch(r, x)
	mustMatch(r, y)
	if active != Generic && len(r) > 0 {
		return maxLiftKernel(len(r), p, &r[0], w, &x[0], &y[0])
	}
	top := 0.0
	for i, v := range r {
		if t := p*v + w*(x[i]-y[i]); t > top {
			top = t
		}
	}
	return top
}

// Axpy adds αx to y. They may be the same slice.
func Axpy(alpha float64, x, y []float64) {
	mustMatch(x, y)
	if active != Generic && len(x) > 0 {
		axpyKernel(len(x), alpha, &x[0], &y[0])
		return
	}
	for i, v := range x {
		y[i] += alpha * v
	}
}

// AddSquares adds xᵢ² to accᵢ.
func AddSquares(acc, x []float64) {
	mustMatch(acc, x)
	if active != Generic && len(x) > 0 {
		addSquaresKernel(len(x), &acc[0], &x[0])
		return
	}
	for i, v := range x {
		acc[i] += v * v
	}
}

// MulTo stores αxᵢyᵢ, computed as (αxᵢ)yᵢ, in dstᵢ. dst may be x or y.
func MulTo(dst []float64, alpha float64, x, y []float64) {
	mustMatch(dst, x)
	mustMatch(dst, y)
	if active != Generic && len(x) > 0 {
		mulToKernel(len(x), &dst[0], alpha, &x[0], &y[0])
		return
	}
	for i, v := range x {
		dst[i] = alpha * v * y[i]
	}
}

// Difference4 stores aa − ab − ba + bb, computed as (aa − ab) − (ba − bb), in dst: the prior covariance of two differences f(a) − f(b) and f(a′) − f(b′).
// This order cancels the nearly equal terms first. dst may be any of the four.
func Difference4(dst, aa, ab, ba, bb []float64) {
	if len(aa) != len(dst) || len(ab) != len(dst) || len(ba) != len(dst) || len(bb) != len(dst) {
		panic(badLength)
	}
	if active != Generic && len(dst) > 0 {
		difference4Kernel(len(dst), &dst[0], &aa[0], &ab[0], &ba[0], &bb[0])
		return
	}
	for i := range dst {
		dst[i] = (aa[i] - ab[i]) - (ba[i] - bb[i])
	}
}
