package linalg

// Syrk computes the lower triangle of C ← αAAᵀ + βC with A n×k, or of C ← αAᵀA + βC with A k×n if trans is set. The upper triangle of C is not touched.
//
// A is packed once per block of depth; the panels then serve as right factor and, read column-wise, as left factor.
func Syrk(trans bool, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if k < 0 {
		panic(badDim)
	}
	checkOp(trans, n, k, a, lda)
	checkMatrix(n, n, c, ldc)
	if n == 0 {
		return
	}
	nothing := k == 0 || alpha == 0
	if beta != 1 && (beta != 0 || nothing) {
		for i := range n {
			scale(beta, c[i*ldc:i*ldc+i+1])
		}
	}
	if nothing {
		return
	}

	v, nr := panelShape()
	depth := evenBlock(k, depthBlock)
	w := workspaces.Get().(*workspace)
	buf := w.floats(depth * roundUp(n, nr))
	var t tile
	for p0 := 0; p0 < k; p0 += depth {
		pn := min(depth, k-p0)
		for j := 0; j < n; j += nr {
			if trans {
				packRows(buf[j*pn:], pn, min(nr, n-j), a[p0*lda+j:], lda)
			} else {
				packColumns(buf[j*pn:], pn, min(nr, n-j), a[j*lda+p0:], lda)
			}
		}
		fresh := beta == 0 && p0 == 0
		for j := 0; j < n; j += nr {
			for i := j; i < n; i += v {
				t.placeLower(i, j, n, c, ldc, fresh)
				gemmTile(&t, pn, alpha, buf[i/nr*nr*pn+i%nr:], 1, nr, buf[j*pn:])
			}
		}
	}
	workspaces.Put(w)
}

// Symmetrize copies the lower triangle of A to the upper.
func Symmetrize(n int, a []float64, lda int) {
	checkMatrix(n, n, a, lda)
	const block = 8
	for i := 0; i < n; i += block {
		rows := min(block, n-i)
		if i > 0 {
			transpose(a[i:], lda, a[i*lda:], lda, rows, i)
		}
		for r := 1; r < rows; r++ {
			for s := range r {
				a[(i+s)*lda+i+r] = a[(i+r)*lda+i+s]
			}
		}
	}
}
