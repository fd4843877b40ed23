package linalg

import "math"

// Cholesky factors the symmetric matrix A = LLᵀ: it reads the lower triangle of A and replaces it by L. The upper
// triangle is not touched. It returns false if a pivot is not positive and finite, as happens when A is not positive
// definite or holds a NaN; rows of A before that pivot's panel are then rows of L, later ones are as they were.
//
// The method looks left, a panel of 3v rows at a time, on the transpose: with U = Lᵀ the panel is 3v columns of UᵀU = A, packed as a panel with rows 0 …
// j+3v−1. Rows of tiles above the diagonal are a forward substitution with the known part of L; on the diagonal the same sums are followed by a factorisation
// in registers. Every multiplication except those of the v×v triangles happens at full depth in a tile.
func Cholesky(n int, a []float64, lda int) bool {
	checkMatrix(n, n, a, lda)
	if n == 0 {
		return true
	}
	v, nr := panelShape()
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	height := roundUp(n, nr)
	buf := w.floats(height*nr + height)
	panel, inv := buf[:height*nr], buf[height*nr:]

	for j := 0; j < n; j += nr {
		width := min(nr, n-j)
		loadPanel(panel, width, j, a, lda)
		t := tile{rows: v, cols: width, src: panel, ss: nr, dst: panel, ds: nr}
		for i := 0; i < j; i += v {
			solveTile(&t, i, a, i*lda, lda, 1, inv, panel, i*nr, i*nr)
		}
		for i := j; i < j+width; i += v {
			d := i - j
			at := panel[i*nr+d:]
			t.cols, t.src, t.dst = roundUp(width-d, v), at, at
			if i > 0 {
				gemmTile(&t, i, -1, panel[d:], 1, nr, panel[d:])
			}
			factorTile(t.cols/v, at, inv[i:])
			for _, x := range inv[i : i+v] {
				if !(x > 0 && x <= math.MaxFloat64) {
					return false
				}
			}
		}
		storePanel(a, lda, width, j, panel)
	}
	return true
}

// loadPanel packs the transpose of rows j … j+width−1 of the lower triangle of A, up to the diagonal. Rows and columns
// that only fill up the last vector become those of an identity, whose factor is itself.
func loadPanel(panel []float64, width, j int, a []float64, lda int) {
	v, nr := panelShape()
	packColumns(panel, j+width, width, a[j*lda:], lda)
	for c := width; c < roundUp(width, v); c++ {
		row := panel[(j+c)*nr : (j+c+1)*nr]
		clear(row)
		row[c] = 1
	}
}

// storePanel copies a factored panel back to rows j … j+width−1 of the lower triangle of A.
func storePanel(a []float64, lda, width, j int, panel []float64) {
	v, nr := panelShape()
	for c := 0; c < width; c += v {
		rows := min(v, width-c)
		transpose(a[(j+c)*lda:], lda, panel[c:], nr, j+c, rows)
		transposeLower(a[(j+c)*lda+j+c:], lda, panel[(j+c)*nr+c:], rows)
	}
}
