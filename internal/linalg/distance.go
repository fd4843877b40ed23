package linalg

// The points Z are a structure of arrays: coordinate j of point i is z[j*ldz+i], so that the kernels run over points.

// SquaredDistances stores r2[i] = Σ_j (x[j] − z[j*ldz+i])², the squared distance of x to point i, for i < len(r2).
func SquaredDistances(r2, x, z []float64, ldz int) {
	checkMatrix(len(x), len(r2), z, ldz)
	if len(r2) == 0 {
		return
	}
	if active != Generic && len(x) > 0 {
		squaredDistancesKernel(len(r2), len(x), &r2[0], &x[0], &z[0], ldz)
		return
	}
	clear(r2)
	for j, v := range x {
		for i, u := range z[j*ldz : j*ldz+len(r2)] {
			d := v - u
			r2[i] += d * d
		}
	}
}

// WeightedSquares adds Σ_i g[i] (x[j] − z[j*ldz+i])² to dst[j], over i < len(g) and for j < len(x) = len(dst). It is
// the gradient by the logarithms of length scales, up to a factor per coordinate.
func WeightedSquares(dst, g, x, z []float64, ldz int) {
	mustMatch(dst, x)
	checkMatrix(len(x), len(g), z, ldz)
	if len(g) == 0 || len(x) == 0 {
		return
	}
	if active != Generic {
		weightedSquaresKernel(len(g), len(x), &dst[0], &g[0], &x[0], &z[0], ldz)
		return
	}
	for j, v := range x {
		var s float64
		for i, u := range z[j*ldz : j*ldz+len(g)] {
			d := v - u
			s += g[i] * d * d
		}
		dst[j] += s
	}
}

// WeightedDifferences adds Σ_i g[i] (x[j] − z[j*ldz+i]) to dst[j], over i < len(g) and for j < len(x) = len(dst). It is
// the gradient by the point x, up to a factor per coordinate.
func WeightedDifferences(dst, g, x, z []float64, ldz int) {
	mustMatch(dst, x)
	checkMatrix(len(x), len(g), z, ldz)
	if len(g) == 0 || len(x) == 0 {
		return
	}
	if active != Generic {
		weightedDifferencesKernel(len(g), len(x), &dst[0], &g[0], &x[0], &z[0], ldz)
		return
	}
	for j, v := range x {
		var s float64
		for i, u := range z[j*ldz : j*ldz+len(g)] {
			s += g[i] * (v - u)
		}
		dst[j] += s
	}
}
