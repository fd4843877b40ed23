package linalg

// Messages of the panics on misuse.
const (
	badLength = "linalg: slice lengths differ"
	badDim    = "linalg: negative dimension"
	badLd     = "linalg: leading dimension shorter than a row"
	shortMat  = "linalg: matrix slice too short"
	shortVec  = "linalg: vector slice too short"
)

// mustMatch panics unless x and y have one length.
func mustMatch(x, y []float64) {
	if len(x) != len(y) {
		panic(badLength)
	}
}

// checkMatrix panics unless a holds an m×n matrix with leading dimension ld.
func checkMatrix(m, n int, a []float64, ld int) {
	if m < 0 || n < 0 {
		panic(badDim)
	}
	if ld < n {
		panic(badLd)
	}
	if m > 0 && n > 0 && len(a) < (m-1)*ld+n {
		panic(shortMat)
	}
}

// checkOp panics unless a holds a matrix whose transpose, if trans is set, else itself, is m×n.
func checkOp(trans bool, m, n int, a []float64, ld int) {
	if trans {
		m, n = n, m
	}
	checkMatrix(m, n, a, ld)
}

// checkVector panics unless x has n elements or more.
func checkVector(n int, x []float64) {
	if len(x) < n {
		panic(shortVec)
	}
}

// scaleRows multiplies an m×n matrix by β; β = 0 stores zeros whatever was there.
func scaleRows(m, n int, beta float64, c []float64, ldc int) {
	if beta == 1 {
		return
	}
	for i := range m {
		scale(beta, c[i*ldc:i*ldc+n])
	}
}

func scale(beta float64, x []float64) {
	if beta == 0 {
		clear(x)
		return
	}
	for i := range x {
		x[i] *= beta
	}
}
