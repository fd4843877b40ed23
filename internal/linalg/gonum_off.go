//go:build !gonum

package linalg

// viaGonum is set by the build tag gonum, a build for comparison only; see gonum.go. Without the tag the compiler drops
// the calls that it guards, and these stand-ins are never called.
const viaGonum = false

const noGonum = "linalg: built without the tag gonum"

func gonumGemm(transA, transB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	panic(noGonum)
}

func gonumSyrk(trans bool, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	panic(noGonum)
}

func gonumGemv(trans bool, m, n int, alpha float64, a []float64, lda int, x []float64, beta float64, y []float64) {
	panic(noGonum)
}

func gonumCholesky(n int, a []float64, lda int) bool                            { panic(noGonum) }
func gonumSolveLower(n, m int, l []float64, ldl int, b []float64, ldb int)      { panic(noGonum) }
func gonumSolveLowerT(n, m int, l []float64, ldl int, b []float64, ldb int)     { panic(noGonum) }
func gonumSolveLowerRight(m, n int, l []float64, ldl int, b []float64, ldb int) { panic(noGonum) }
func gonumSolveVec(trans bool, n int, l []float64, ldl int, x []float64)        { panic(noGonum) }
func gonumInvertLower(n int, l []float64, ldl int)                              { panic(noGonum) }
func gonumGramLower(n int, w []float64, ldw int, c []float64, ldc int)          { panic(noGonum) }
func gonumDot(x, y []float64) float64                                           { panic(noGonum) }
func gonumAxpy(alpha float64, x, y []float64)                                   { panic(noGonum) }
func gonumExp(x float64) float64                                                { panic(noGonum) }
