//go:build gonum

package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
)

// The build tag gonum is for comparison only: products, factors, solves and level 1 then run in gonum and exponentials in
// package math, so that the same benchmarks of the packages above measure a fit "with gonum only":
//
//	go test -tags gonum -run '^$' -bench . ./gp
//
// Not with the tag noasm, unless that is the question: it takes gonum's own assembly away too. Only Generic is
// available; what gonum has no routine for, distances and the like, is this package's plain Go. Arguments are checked
// and trivial sizes done before a call comes here. The contract of each routine stays as documented, except that
// gonum's products use several goroutines and allocate, that they skip zeros of a factor and with them a NaN of the
// other, that InvertLower leaves a matrix with a zero on the diagonal as it is, and that math.Exp is up to 1.4 ulp off.
const viaGonum = true

var (
	gonumBLAS   blasgonum.Implementation
	gonumLAPACK lapackgonum.Implementation
)

func gonumTranspose(trans bool) blas.Transpose {
	if trans {
		return blas.Trans
	}
	return blas.NoTrans
}

func gonumGemm(transA, transB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	gonumBLAS.Dgemm(gonumTranspose(transA), gonumTranspose(transB), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// gonumSyrk clears the triangle for β = 0 itself: for AᵀA gonum multiplies by 0, and a NaN would stay.
func gonumSyrk(trans bool, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if beta == 0 {
		for i := range n {
			clear(c[i*ldc : i*ldc+i+1])
		}
	}
	gonumBLAS.Dsyrk(blas.Lower, gonumTranspose(trans), n, k, alpha, a, lda, beta, c, ldc)
}

// gonumCholesky looks at the diagonal again: gonum lets an infinite pivot pass.
func gonumCholesky(n int, a []float64, lda int) bool {
	if !gonumLAPACK.Dpotrf(blas.Lower, n, a, lda) {
		return false
	}
	for i := range n {
		if x := a[i*lda+i]; !(x > 0 && x <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

func gonumSolve(side blas.Side, trans bool, m, n int, l []float64, ldl int, b []float64, ldb int) {
	gonumBLAS.Dtrsm(side, blas.Lower, gonumTranspose(trans), blas.NonUnit, m, n, 1, l, ldl, b, ldb)
}

func gonumSolveLower(n, m int, l []float64, ldl int, b []float64, ldb int) {
	gonumSolve(blas.Left, false, n, m, l, ldl, b, ldb)
}

func gonumSolveLowerT(n, m int, l []float64, ldl int, b []float64, ldb int) {
	gonumSolve(blas.Left, true, n, m, l, ldl, b, ldb)
}

func gonumSolveLowerRight(m, n int, l []float64, ldl int, b []float64, ldb int) {
	gonumSolve(blas.Right, true, m, n, l, ldl, b, ldb)
}

func gonumSolveVec(trans bool, n int, l []float64, ldl int, x []float64) {
	gonumBLAS.Dtrsv(blas.Lower, gonumTranspose(trans), blas.NonUnit, n, l, ldl, x, 1)
}

func gonumInvertLower(n int, l []float64, ldl int) {
	gonumLAPACK.Dtrtri(blas.Lower, blas.NonUnit, n, l, ldl)
}

// gonumGramLower copies W first: gonum's WᵀW works in place.
func gonumGramLower(n int, w []float64, ldw int, c []float64, ldc int) {
	for i := range n {
		copy(c[i*ldc:i*ldc+i+1], w[i*ldw:])
	}
	gonumLAPACK.Dlauum(blas.Lower, n, c, ldc)
	Symmetrize(n, c, ldc)
}

func gonumGemv(trans bool, m, n int, alpha float64, a []float64, lda int, x []float64, beta float64, y []float64) {
	gonumBLAS.Dgemv(gonumTranspose(trans), m, n, alpha, a, lda, x, 1, beta, y, 1)
}

func gonumDot(x, y []float64) float64 { return gonumBLAS.Ddot(len(x), x, 1, y, 1) }

func gonumAxpy(alpha float64, x, y []float64) { gonumBLAS.Daxpy(len(x), alpha, x, 1, y, 1) }

// gonumExp leaves the edge of overflow to expGeneric: math.Exp on amd64 is +Inf from 709.44 on.
func gonumExp(x float64) float64 {
	if x > 709 {
		return expGeneric(x)
	}
	return math.Exp(x)
}
