package linalg

import (
	"sync"
	"unsafe"
)

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
