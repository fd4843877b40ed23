package maximize

import "slices"

// gram holds the history split into free and active variables: its rows with the free variables first, and the inner products that the subspace minimisation
// needs of either part. While the free set stays the same, which is most of the time, a new pair costs O(kn); only a change of the set costs O(k²n).
type gram struct {
	h     *history
	free  []int     // the set the rest belongs to
	order []int     // all variables, free first
	y, s  []float64 // m × n: row j is pair j in that order
	yy    []float64 // m × m, symmetric: Y_FᵀY_F
	ss    []float64 // m × m, lower triangle: S_AᵀS_A
	e     []float64 // m × m: S_AᵀY_A below the diagonal, −S_FᵀY_F on and above it
	k     int       // pairs held
	added int       // h.added when they were
}

func newGram(h *history) *gram {
	n, m := h.n, h.m
	return &gram{
		h: h, free: make([]int, 0, n), order: make([]int, 0, n),
		y: make([]float64, m*n), s: make([]float64, m*n),
		yy: make([]float64, m*m), ss: make([]float64, m*m), e: make([]float64, m*m),
	}
}

// sync brings everything up to date with the history and the free set of cp.
func (g *gram) sync(cp *cauchy) {
	h := g.h
	fresh := h.added - g.added // pairs added since the last time
	if fresh >= h.k || !slices.Equal(g.free, cp.free) {
		fresh = h.k
		g.free = append(g.free[:0], cp.free...)
		g.order = append(append(g.order[:0], cp.free...), cp.active...)
		g.k = 0
	}
	for range g.k + fresh - h.k {
		dropFirst(g.y, h.n)
		dropFirst(g.s, h.n)
		for _, a := range [...][]float64{g.yy, g.ss, g.e} {
			dropFirst(a, h.m+1)
		}
	}
	for j := h.k - fresh; j < h.k; j++ {
		g.add(j)
	}
	g.k, g.added = h.k, h.added
}

// add computes row and column j from the pairs up to j.
func (g *gram) add(j int) {
	n, m, nf := g.h.n, g.h.m, len(g.free)
	yj, sj := g.y[j*n:][:n], g.s[j*n:][:n]
	hy, hs := g.h.deltaRow(j), g.h.stepRow(j)
	for f, i := range g.order {
		yj[f], sj[f] = hy[i], hs[i]
	}
	yf := yj[:nf]
	for i := range j {
		yi, si := g.y[i*n:][:n], g.s[i*n:][:n]
		g.yy[i*m+j] = dot(yi[:nf], yf)
		g.yy[j*m+i] = g.yy[i*m+j]
		g.e[i*m+j] = -dot(si[:nf], yf)
		g.ss[j*m+i] = dot(si[nf:], sj[nf:])
		g.e[j*m+i] = dot(sj[nf:], yi[nf:])
	}
	g.yy[j*m+j] = dot(yf, yf)
	g.ss[j*m+j] = dot(sj[nf:], sj[nf:])
	g.e[j*m+j] = -dot(sj[:nf], yf)
}

// mulWt writes W_Zᵀr into dst, of length 2k.
func (g *gram) mulWt(dst, r []float64) {
	n, k := g.h.n, g.k
	for j := range k {
		dst[j] = dot(r, g.y[j*n:])
		dst[k+j] = g.h.theta * dot(r, g.s[j*n:])
	}
}

// addW adds scale·W_Z v to dst.
func (g *gram) addW(dst []float64, scale float64, v []float64) {
	n, k, nf := g.h.n, g.k, len(dst)
	for j := range k {
		axpy(dst, scale*v[j], g.y[j*n:][:nf])
		axpy(dst, scale*g.h.theta*v[k+j], g.s[j*n:][:nf])
	}
}
