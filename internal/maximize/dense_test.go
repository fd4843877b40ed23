package maximize

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Tolerances of the linear algebra tests, relative: rounding of well-conditioned problems of order 10, and the same
// with a matrix inverted in between.
const (
	tolSum   = 1e-12
	tolSolve = 1e-9
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*max(1, math.Abs(a), math.Abs(b)) }

func normals(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func TestDotAxpy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 20 {
		a, b := normals(r, n), normals(r, n+3)
		var want float64
		for i := range a {
			want += a[i] * b[i]
		}
		if got := dot(a, b); !near(got, want, tolSum) {
			t.Errorf("n = %d: dot = %v, want %v", n, got, want)
		}
		c := append([]float64{}, b...)
		axpy(c, 2, a)
		for i := range c {
			want := b[i]
			if i < n {
				want += 2 * a[i]
			}
			if c[i] != want {
				t.Errorf("n = %d: axpy[%d] = %v, want %v", n, i, c[i], want)
			}
		}
	}
}

func TestCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := 1; k <= 12; k++ {
		g := mat.NewDense(k, k+3, normals(r, k*(k+3)))
		var a mat.SymDense
		a.SymOuterK(1, g)
		b := normals(r, k)

		var want mat.VecDense
		if err := want.SolveVec(&a, mat.NewVecDense(k, append([]float64{}, b...))); err != nil {
			t.Fatal(err)
		}
		f := append([]float64{}, a.RawSymmetric().Data...)
		for i := range k { // gonum leaves the lower triangle unset
			for j := range i {
				f[i*k+j] = f[j*k+i]
			}
		}
		if !cholesky(f, k) {
			t.Fatalf("k = %d: not positive definite", k)
		}
		cholSolve(f, b)
		for i, got := range b {
			if !near(got, want.AtVec(i), tolSolve) {
				t.Errorf("k = %d: solution[%d] = %v, want %v", k, i, got, want.AtVec(i))
			}
		}
	}
}

func TestCholeskyRefuses(t *testing.T) {
	for _, a := range [][]float64{
		{1, 0, 2, 1},           // indefinite
		{1, 0, 1, 1},           // singular
		{math.NaN(), 0, 0, 1},  //
		{math.Inf(1), 0, 0, 1}, //
		{-1, 0, 0, 1},          //
	} {
		if cholesky(append([]float64{}, a...), 2) {
			t.Errorf("%v was factored", a)
		}
	}
}
