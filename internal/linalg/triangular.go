package linalg

import (
	"slices"
)

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
	v, nr := panelShape()
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
	v, nr := panelShape()
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

// InvertLower replaces the lower triangular L by L⁻¹. The upper triangle is not touched.
//
// Column panel by column panel it solves LX = I from the diagonal down, n³/6 multiplications in all. The panel of X
// replaces the columns of L which no later panel reads; within a tile L is read before X is stored.
func InvertLower(n int, l []float64, ldl int) {
	checkMatrix(n, n, l, ldl)
	if n == 0 {
		return
	}
	v, nr := panelShape()
	w := workspaces.Get().(*workspace)
	panel, inv := w.solve(n, nr, l, ldl)
	var t tile
	for j := 0; j < n; j += nr {
		clear(panel[:min(nr, n-j)*nr]) // X is zero above the diagonal
		for i := j; i < n; i += v {
			t.placeLower(i, j, n, l, ldl, true)
			if i-j < nr {
				t.src, t.ss = identity[(i-j)*maxPanel:], maxPanel
			}
			solveTile(&t, i-j, l, i*ldl+j, ldl, 1, inv[j:], panel, 0, 0)
		}
	}
	workspaces.Put(w)
}

// GramLower computes C ← WᵀW with W lower triangular and fills both triangles of C. With W = L⁻¹ that is (LLᵀ)⁻¹. The
// upper triangle of W is not read as part of W.
//
//	C(i, j) = Σ_p W(p, i) W(p, j),  p ≥ max(i, j)
//
// W is packed in panels that start at the diagonal, with zeros above it, n²/2 elements in all; a tile of rows i starts
// at depth i, and n³/6 multiplications remain.
func GramLower(n int, w []float64, ldw int, c []float64, ldc int) {
	checkMatrix(n, n, w, ldw)
	checkMatrix(n, n, c, ldc)
	if n == 0 {
		return
	}
	v, nr := panelShape()
	ws := workspaces.Get().(*workspace)
	buf := ws.floats(gramOffset(roundUp(n, nr), n, nr))
	for j := 0; j < n; j += nr {
		panel, width := buf[gramOffset(j, n, nr):], min(nr, n-j)
		packRows(panel, n-j, width, w[j*ldw+j:], ldw)
		for r := range width {
			clear(panel[r*nr+r+1 : (r+1)*nr])
		}
	}
	var t tile
	for j := 0; j < n; j += nr {
		right := buf[gramOffset(j, n, nr):]
		for i := j; i < n; i += v {
			i0 := i / nr * nr
			left := buf[gramOffset(i0, n, nr)+(i-i0)*nr+i-i0:]
			t.placeLower(i, j, n, c, ldc, true)
			gemmTile(&t, n-i, 1, left, 1, nr, right[(i-j)*nr:])
		}
	}
	workspaces.Put(ws)
	Symmetrize(n, c, ldc)
}

// gramOffset is where the panel of columns from j starts: Σ (n−i)·nr over the panels i = 0, nr, … before it.
func gramOffset(j, n, nr int) int {
	before := j / nr
	return before*n*nr - before*(before-1)/2*nr*nr
}
