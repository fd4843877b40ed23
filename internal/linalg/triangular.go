package linalg

import "slices"

// Triangular solves with many right-hand sides. All of them are one forward substitution, v rows of a packed panel at a time: sums over the rows already
// solved in registers, then the v×v triangle, then one store to the panel and one to the destination. Divisions are multiplications by reciprocals taken once
// per call, at the price of one more rounding (a relative error of at most ε per element and row). A zero on the diagonal gives Inf or NaN.

// SolveLowerT computes B ← L⁻ᵀB with L n×n lower triangular and B n×m: a forward substitution on the rows in reverse.
func SolveLowerT(n, m int, l []float64, ldl int, b []float64, ldb int) {
	checkMatrix(n, n, l, ldl)
	checkMatrix(n, m, b, ldb)
	if n == 0 || m == 0 {
		return
	}
	v := lanes()
	nr := v * panelLanes
	w := workspaces.Get().(*workspace)
	panel, inv := w.solve(n, nr, l, ldl)
	slices.Reverse(inv)
	for j := 0; j < m; j += nr {
		t := tile{cols: min(nr, m-j), src: b, ss: -ldb, dst: b, ds: -ldb}
		for i := 0; i < n; i += v {
			t.rows = min(v, n-i)
			at := (n-1-i)*ldb + j
			solveTile(&t, i, l, (n-1)*ldl+n-1-i, -1, -ldl, inv, panel, at, at)
		}
	}
	workspaces.Put(w)
}

// SolveLowerRight computes B ← BL⁻ᵀ with L n×n lower triangular and B m×n: each row x of B becomes L⁻¹x. It
// solves for the transpose of 3v rows at a time, which is packed and unpacked through registers.
func SolveLowerRight(m, n int, l []float64, ldl int, b []float64, ldb int) {
	checkMatrix(n, n, l, ldl)
	checkMatrix(m, n, b, ldb)
	if n == 0 || m == 0 {
		return
	}
	v := lanes()
	nr := v * panelLanes
	w := workspaces.Get().(*workspace)
	panel, inv := w.solve(n, nr, l, ldl)
	for j := 0; j < m; j += nr {
		width := min(nr, m-j)
		packColumns(panel, n, width, b[j*ldb:], ldb)
		t := tile{cols: width, src: panel, ss: nr, dst: panel, ds: nr}
		for i := 0; i < n; i += v {
			t.rows = min(v, n-i)
			solveTile(&t, i, l, i*ldl, ldl, 1, inv, panel, i*nr, i*nr)
		}
		transpose(b[j*ldb:], ldb, panel, nr, n, width)
	}
	workspaces.Put(w)
}

// solve returns a panel of n rows and the reciprocals of the diagonal of the n×n matrix L.
func (w *workspace) solve(n, nr int, l []float64, ldl int) (panel, inv []float64) {
	buf := w.floats(n*nr + n)
	for i := range n {
		buf[n*nr+i] = 1 / l[i*ldl+i]
	}
	return buf[:n*nr], buf[n*nr:]
}
