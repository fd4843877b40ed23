package linalg

import (
	"sync"
	"unsafe"
)

// packRows copies k rows of w ≤ 3v columns into a panel (row stride 3v): dst[p*3v+c] = src[p*lds+c]. Columns up to the
// next multiple of v are filled with zeros.
func packRows(dst []float64, k, w int, src []float64, lds int) {
	v, nr := panelShape()
	if k == 0 {
		return
	}
	_, _ = src[(k-1)*lds+w-1], dst[(k-1)*nr+(w-1)/v*v+v-1]
	if t := (tile{rows: 1, cols: w}); active != Generic {
		packRowsKernel(t.variant(panelLanes), k, &dst[0], &src[0], lds, t.mask())
		return
	}
	padded := (w + v - 1) / v * v
	for p := range k {
		row := dst[p*nr : p*nr+padded]
		clear(row[copy(row, src[p*lds:p*lds+w]):])
	}
}

// packColumns packs the transpose of w ≤ 3v rows of k columns: dst[p*3v+c] = src[c*lds+p]. Columns up to the next multiple of v are filled with zeros.
func packColumns(dst []float64, k, w int, src []float64, lds int) {
	v, nr := panelShape()
	for c := 0; c < w; c += v {
		rows := min(v, w-c)
		transpose(dst[c:], nr, src[c*lds:], lds, rows, k)
		if rows < v {
			for p := range k {
				clear(dst[p*nr+c+rows : p*nr+c+v])
			}
		}
	}
}

// transpose stores the transpose of the m×n matrix src in dst.
//
// Full v×v blocks go through registers, in strips along the longer side; what is left over at the right and the bottom goes element by element.
func transpose(dst []float64, ldd int, src []float64, lds, m, n int) {
	if m == 0 || n == 0 {
		return
	}
	_, _ = src[(m-1)*lds+n-1], dst[(n-1)*ldd+m-1]
	v := lanes()
	fullM, fullN := m/v*v, n/v*v
	switch {
	case active == Generic || fullM == 0 || fullN == 0:
		fullM, fullN = 0, 0
	case n >= m:
		for i := 0; i < fullM; i += v {
			transposeKernel(fullN/v, &dst[i], ldd, v*ldd, &src[i*lds], lds, v)
		}
	default:
		for j := 0; j < fullN; j += v {
			transposeKernel(fullM/v, &dst[j*ldd], ldd, v, &src[j], lds, v*lds)
		}
	}
	if fullN < n {
		for i := range fullM {
			for j := fullN; j < n; j++ {
				dst[j*ldd+i] = src[i*lds+j]
			}
		}
	}
	for i := fullM; i < m; i++ {
		for j, x := range src[i*lds : i*lds+n] {
			dst[j*ldd+i] = x
		}
	}
}

// transposeLower stores the lower triangle of the transpose of a v×v block of a panel in the first rows rows of dst.
func transposeLower(dst []float64, ldd int, src []float64, rows int) {
	v, nr := panelShape()
	_, _ = src[(v-1)*nr+v-1], dst[(rows-1)*(ldd+1)]
	if rows == v && active != Generic {
		t := tile{rows: v, cols: v, lower: true}
		transposeMaskedKernel(&dst[0], ldd, &src[0], nr, t.mask())
		return
	}
	for r := range rows {
		for c := range r + 1 {
			dst[r*ldd+c] = src[c*nr+r]
		}
	}
}

// A workspace holds the packed panels of one call. Workspaces are kept in a pool: a call takes one, grows it if it
// must, and puts it back, so that a steady state allocates nothing and concurrent callers never share one.
type workspace struct {
	raw []float64
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// cacheLine is the alignment of panels, in float64: a vector load then never straddles two cache lines.
const cacheLine = 8

// floats returns n floats aligned to a cache line, with whatever was last left there.
func (w *workspace) floats(n int) []float64 {
	if len(w.raw) < n+cacheLine {
		w.raw = make([]float64, n+n/4+cacheLine)
	}
	misaligned := int(uintptr(unsafe.Pointer(&w.raw[0]))/8) % cacheLine
	skip := (cacheLine - misaligned) % cacheLine
	return w.raw[skip : skip+n : skip+n]
}
