package linalg

import "math"

// Matern52 evaluates the Matérn kernel of smoothness 5/2 (Rasmussen and Williams, Gaussian Processes for Machine Learning, Eq. 4.17) at squared distances r²,
// already divided by the squared length scales, and the factor of its derivative:
//
//	k = s (1 + √5 r + 5r²/3) e^{−√5 r}
//	f = (5/3) s (1 + √5 r) e^{−√5 r} = −2 dk/d(r²)
//
// f is smooth at r = 0, where dk/dr is 0/0 in the usual chain through r: ∂k/∂x = −f·(x − x′)/ℓ² needs no special case.
// k may be r2, and f may be nil. r² = +Inf gives NaN (Inf·0); a negative or NaN r² gives NaN.
func Matern52(k, f, r2 []float64, scale float64) {
	if len(k) != len(r2) || f != nil && len(f) != len(r2) {
		panic(badLength)
	}
	switch {
	case active == Generic || len(r2) == 0:
		for i, v := range r2 {
			r := math.Sqrt(5 * v)
			e := scale * expGeneric(-r)
			k[i] = e * (1 + r + 5*v/3)
			if f != nil {
				f[i] = 5. / 3 * e * (1 + r)
			}
		}
	case f == nil:
		matern52Kernel(len(r2), &k[0], &r2[0], scale)
	default:
		matern52GradKernel(len(r2), &k[0], &f[0], &r2[0], scale)
	}
}
