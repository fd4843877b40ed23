package linalg

import "unsafe"

// lanes returns v, the rows of a tile and the columns of one vector register. Plain Go uses the shape of AVX2: the
// edges are then exercised by the same tests.
func lanes() int {
	if active == AVX512 {
		return 8
	}
	return 4
}

// panelLanes is the width of a packed panel in vectors: 3 vectors of columns by v rows fill 24 of 32 AVX-512
// registers (or 12 of 16) with sums and leave room for a row of the panel and a broadcast element.
const panelLanes = 3

// panelShape returns v and the columns of a packed panel, 3v.
func panelShape() (v, nr int) { return lanes(), lanes() * panelLanes }

// maxPanel is the widest panel of any path.
const maxPanel = 8 * panelLanes

// identity and zeros are source tiles for right-hand sides that need no memory of their own.
var (
	identity [maxPanel * maxPanel]float64
	zeros    [thinLanes * 8]float64
)

func init() {
	for i := range maxPanel {
		identity[i*maxPanel+i] = 1
	}
}

// A tile is where a register tile comes from and goes to: element (r, c) of the source is src[r*ss+c] and of the destination dst[r*ds+c], r < rows ≤ v, c <
// cols ≤ 3v. They may be the same memory. If lower is set, the last vector of columns lies on the diagonal and only columns up to it are loaded and stored
// there: c − v·⌊(cols−1)/v⌋ ≤ r.
type tile struct {
	rows, cols int
	lower      bool
	src        []float64
	ss         int
	dst        []float64
	ds         int
}

// placeLower puts the tile on rows i … i+v−1 in the panel of columns from j ≤ i of the lower triangle of the n×n matrix C.
// Tiles that meet the diagonal end at it: i−j is a multiple of v. A fresh tile starts from zero instead of from C.
func (t *tile) placeLower(i, j, n int, c []float64, ldc int, fresh bool) {
	v := lanes()
	t.rows, t.cols, t.lower = min(v, n-i), min(v*panelLanes, n-j), i-j < v*panelLanes
	if t.lower {
		t.cols = min(i-j+v, n-j)
	}
	t.dst, t.ds = c[i*ldc+j:], ldc
	t.src, t.ss = t.dst, ldc
	if fresh {
		t.src, t.ss = zeros[:], 0
	}
}

// gemmTile stores src + α·A·B in dst, with A (rows×k) read as a[r*ars+p*acs] and B a packed panel, b[p*3v+c]. k ≥ 1.
// The columns of B between cols and the next multiple of v must be finite or not matter: they are computed, not stored.
func gemmTile(t *tile, k int, alpha float64, a []float64, ars, acs int, b []float64) {
	_ = a[(t.rows-1)*ars+(k-1)*acs]
	if active == Generic {
		gemmTileGeneric(t, k, alpha, a, ars, acs, b)
		return
	}
	gemmTileKernel(t.variant(panelLanes), k, alpha, &a[0], ars, acs, &b[0], &t.src[0], t.ss, &t.dst[0], t.ds, t.mask())
}

// thinLanes is the width in vectors of a tile without a panel for AVX-512 that has at most 24/4 = 6 rows: wider tiles are
// fewer tiles, and four vectors divide the sizes that are powers of two.
const thinLanes = 4

// thinTile is gemmTile with B row-major in place, b[p*ldb+c]; columns from cols ≤ 4v (or 3v, see thinLanes) on are not read. Assembly paths only: a
// register that loads under a mask is what spares the packing.
func thinTile(t *tile, k int, alpha float64, a []float64, ars, acs int, b []float64, ldb int) {
	_, _ = a[(t.rows-1)*ars+(k-1)*acs], b[(k-1)*ldb+t.cols-1]
	most := panelLanes
	if active == AVX512 {
		most = thinLanes
	}
	thinTileKernel(t.variant(most), k, alpha, &a[0], ars, acs, &b[0], ldb, &t.src[0], t.ss, &t.dst[0], t.ds, t.mask())
}

// solveTile solves T X = src − A·P for the rows×cols tile X and stores it both in dst and in rows k … k+rows−1 of the
// packed panel P, whose rows before k are the part of the solution already known. A (rows×k) and the lower triangular
// T (rows×rows) lie side by side: element (r, p) is a[ao+r*ars+p*acs], with T from p = k on. inv[k+r] is 1/T(r, r).
//
// Strides may be negative: a backward substitution with Lᵀ is a forward one with rows and columns reversed. For that
// reason src and dst start at the offsets so and do.
func solveTile(t *tile, k int, a []float64, ao, ars, acs int, inv, panel []float64, so, do int) {
	if active == Generic {
		solveTileGeneric(t, k, a, ao, ars, acs, inv, panel, so, do)
		return
	}
	solveTileKernel(t.variant(panelLanes), k, &a[ao], ars, acs, &inv[k], &panel[0], &t.src[so], t.ss, &t.dst[do], t.ds, t.mask())
}

// factorTile factors the v×v block at the left of the v×(vectors·v) tile x (row stride 3v) as UᵀU and replaces every
// column of the tile by U⁻ᵀ times it, which leaves U in the block itself; what is below U's diagonal has no meaning.
// inv receives 1/U(r, r): a pivot that is not positive and finite shows there as NaN, Inf or 0.
func factorTile(vectors int, x, inv []float64) {
	if active == Generic {
		factorTileGeneric(vectors, x, inv)
		return
	}
	factorTileKernel(vectors, &x[0], &inv[0])
}

// variant numbers the register shapes of the assembly, of at most so many vectors: most·(rows−1) + vectors − 1.
func (t *tile) variant(most int) int {
	if active == AVX512 {
		return most*(t.rows-1) + (t.cols-1)>>3
	}
	return most*(t.rows-1) + (t.cols-1)>>2
}

// mask returns the lanes of the last vector that are loaded and stored: one byte per row for AVX-512, the address of one of masks256 for AVX2.
func (t *tile) mask() uintptr {
	if active == AVX512 {
		const everyRow = 0x0101010101010101
		m := uint64(everyRow * (0xff >> (7 - (t.cols-1)&7)))
		if t.lower {
			m &= 0xff7f3f1f0f070301
		}
		return uintptr(m)
	}
	lower := 0
	if t.lower {
		lower = 1
	}
	return uintptr(unsafe.Pointer(&masks256[lower][(t.cols-1)&3]))
}

// masks256 are the masks of AVX2, vectors of sign bits: [lower][last column][row][lane].
var masks256 [2][4][4][4]uint64

func init() {
	for last := range 4 {
		for row := range 4 {
			for lane := range last + 1 {
				masks256[0][last][row][lane] = ^uint64(0)
				if lane <= row {
					masks256[1][last][row][lane] = ^uint64(0)
				}
			}
		}
	}
}
