package maximize

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// pairs returns a history of up to m pairs after count updates from a random quadratic, and the BFGS matrix by its
// recursion
//
//	B ← B − B s sᵀ B/sᵀBs + y yᵀ/yᵀs
//
// from θI over the pairs still held: the definition that the compact form stands for.
func pairs(t *testing.T, r *rand.Rand, n, m, count int) (*history, *mat.Dense) {
	t.Helper()
	h := newHistory(n, m)
	g := mat.NewDense(n, n+2, normals(r, n*(n+2)))
	var a mat.Dense
	a.Mul(g, g.T())
	for range count {
		s := normals(r, n)
		var y mat.VecDense
		y.MulVec(&a, mat.NewVecDense(n, s))
		h.update(s, y.RawVector().Data)
	}
	if h.k != min(m, count) {
		t.Fatalf("%d pairs, want %d", h.k, min(m, count))
	}

	b := mat.NewDense(n, n, nil)
	for i := range n {
		b.Set(i, i, h.theta)
	}
	for j := range h.k {
		s, y := mat.NewVecDense(n, h.stepRow(j)), mat.NewVecDense(n, h.deltaRow(j))
		var bs mat.VecDense
		bs.MulVec(b, s)
		b.RankOne(b, -1/mat.Dot(s, &bs), &bs, &bs)
		b.RankOne(b, 1/mat.Dot(y, s), y, y)
	}
	return h, b
}

// TestCompactForm compares θI − W M Wᵀ with the recursion, for full and partly full memories and after pairs were
// dropped.
func TestCompactForm(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, c := range []struct{ n, m, count int }{
		{4, 1, 1}, {4, 1, 3}, {5, 3, 0}, {5, 3, 1}, {5, 3, 2}, {5, 3, 3}, {8, 4, 9}, {24, 10, 10}, {24, 10, 15},
	} {
		h, b := pairs(t, r, c.n, c.m, c.count)
		v := normals(r, c.n)
		var want mat.VecDense
		want.MulVec(b, mat.NewVecDense(c.n, v))

		got := make([]float64, c.n)
		axpy(got, h.theta, v)
		w := make([]float64, 2*h.k)
		h.mulWt(w, v)
		h.mulM(w)
		for i := range got { // row by row, to test rowW
			row := make([]float64, 2*h.k)
			h.rowW(row, i)
			got[i] -= dot(row, w)
		}
		for i := range got {
			if !near(got[i], want.AtVec(i), tolSolve) {
				t.Errorf("%+v: (Bv)[%d] = %v, want %v", c, i, got[i], want.AtVec(i))
			}
		}
	}
}

func TestHistorySkipsBadCurvature(t *testing.T) {
	h := newHistory(2, 3)
	for _, y := range [][]float64{{-1, 0}, {0, 1}, {0, 0}, {1e-17, 1}, {1e200, 1e200}} {
		if h.update([]float64{1, 0}, y); h.k != 0 || h.theta != 1 {
			t.Errorf("y = %v was taken", y)
		}
	}
	h.update([]float64{1, 0}, []float64{2, 1})
	if h.k != 1 || h.theta != 2.5 {
		t.Errorf("k = %d, θ = %v, want 1 and yᵀy/sᵀy = 2.5", h.k, h.theta)
	}
	h.reset()
	if h.k != 0 || h.theta != 1 {
		t.Errorf("after reset k = %d, θ = %v", h.k, h.theta)
	}
}
