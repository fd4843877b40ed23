package linalg

// Blocking of the product. A panel of depthBlock×24 float64 (48 KiB at most) is what one tile streams from the first-level cache; rowBlock×depthBlock of A
// (512 KiB) and depthBlock×columnBlock of packed B (768 KiB) share a second-level cache of 2 MiB.
const (
	depthBlock  = 256
	rowBlock    = 256
	columnBlock = 16 * maxPanel
)

// vectorRows is the number of rows up to which a product is done row by row as matrix–vector products: packing B costs
// about as much as two of them. Where nothing is packed, see thinRows, only a single row is.
const vectorRows = 2

// thinRows is the number of rows up to which the assembly paths read B in place. A packed panel pays when several rows
// of tiles use it; eight rows are one row of tiles for AVX-512 and two for AVX2.
const thinRows = 8

// Gemm computes C ← α op(A) op(B) + βC, with op(A) m×k and op(B) k×n. A is m×k, or k×m if transA is set; B is k×n, or n×k if transB is set.
func Gemm(transA, transB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if k < 0 {
		panic(badDim)
	}
	ars, acs := lda, 1
	if transA {
		ars, acs = 1, lda
	}
	checkOp(transA, m, k, a, lda)
	checkOp(transB, k, n, b, ldb)
	checkMatrix(m, n, c, ldc)
	if m == 0 || n == 0 {
		return
	}
	if k == 0 || alpha == 0 {
		scaleRows(m, n, beta, c, ldc)
		return
	}
	thin := m <= thinRows && !transB && active != Generic
	if !transA && (m == 1 || m <= vectorRows && !thin) {
		for i := range m {
			if transB {
				Gemv(n, k, alpha, b, ldb, a[i*lda:i*lda+k], beta, c[i*ldc:i*ldc+n])
			} else {
				GemvT(k, n, alpha, b, ldb, a[i*lda:i*lda+k], beta, c[i*ldc:i*ldc+n])
			}
		}
		return
	}
	if beta != 0 {
		scaleRows(m, n, beta, c, ldc)
	}
	if thin {
		gemmThin(m, n, k, alpha, a, ars, acs, b, ldb, beta == 0, c, ldc)
		return
	}
	gemmPacked(transB, m, n, k, alpha, a, ars, acs, b, ldb, beta == 0, c, ldc)
}

// gemmThin adds αAB to C, or stores it if fresh is set, with B row-major and read in place: k steps of one tile at full depth. The vectors of columns are
// dealt out to tiles evenly, 17 as 4+4+3+3+3 and not as 4+4+4+4+1: one vector by four rows is too few sums to hide the latency of an addition.
func gemmThin(m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, ldb int, fresh bool, c []float64, ldc int) {
	v := lanes()
	for i := 0; i < m; i += v {
		t := tile{rows: min(v, m-i)}
		most := panelLanes
		if t.rows*thinLanes <= maxPanel && active == AVX512 {
			most = thinLanes
		}
		vectors := (n + v - 1) / v
		tiles := (vectors + most - 1) / most
		for j := 0; j < n; j += t.cols {
			width := (vectors + tiles - 1) / tiles
			vectors, tiles = vectors-width, tiles-1
			t.cols = min(width*v, n-j)
			t.dst, t.ds = c[i*ldc+j:], ldc
			t.src, t.ss = t.dst, ldc
			if fresh {
				t.src, t.ss = zeros[:], 0
			}
			thinTile(&t, k, alpha, a[i*ars:], ars, acs, b[j:], ldb)
		}
	}
}

// gemmPacked is gemmThin for any op(A) and op(B), with op(B) packed in panels.
func gemmPacked(transB bool, m, n, k int, alpha float64, a []float64, ars, acs int, b []float64, ldb int, fresh bool, c []float64, ldc int) {
	v, nr := panelShape()
	depth := evenBlock(k, depthBlock)
	w := workspaces.Get().(*workspace)
	buf := w.floats(depth * roundUp(min(n, columnBlock), nr))
	for j0 := 0; j0 < n; j0 += columnBlock {
		jn := min(columnBlock, n-j0)
		for p0 := 0; p0 < k; p0 += depth {
			pn := min(depth, k-p0)
			for j := 0; j < jn; j += nr {
				if transB {
					packColumns(buf[j*pn:], pn, min(nr, jn-j), b[(j0+j)*ldb+p0:], ldb)
				} else {
					packRows(buf[j*pn:], pn, min(nr, jn-j), b[p0*ldb+j0+j:], ldb)
				}
			}
			for i0 := 0; i0 < m; i0 += rowBlock {
				iEnd := min(m, i0+rowBlock)
				for j := 0; j < jn; j += nr {
					t := tile{cols: min(nr, jn-j)}
					for i := i0; i < iEnd; i += v {
						t.rows = min(v, iEnd-i)
						t.dst, t.ds = c[i*ldc+j0+j:], ldc
						t.src, t.ss = t.dst, ldc
						if fresh && p0 == 0 {
							t.src, t.ss = zeros[:], 0
						}
						gemmTile(&t, pn, alpha, a[i*ars+p0*acs:], ars, acs, buf[j*pn:])
					}
				}
			}
		}
	}
	workspaces.Put(w)
}

// evenBlock splits n into as few equal blocks of at most limit as it can, rounded up to a multiple of 8: 320 becomes 160 + 160 and not 256 + 64.
func evenBlock(n, limit int) int {
	blocks := (n + limit - 1) / limit
	return roundUp((n+blocks-1)/blocks, 8)
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
