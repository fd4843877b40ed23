package gp

import (
	"context"
	"slices"

	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/linalg"
)

// Moments of f at very many points: a list of items. The points are taken in blocks, so that memory is
// O(bulkRows·n) per worker whatever their number, and the work of a block is a matrix product.
//
// A point's numbers do not depend on the block it is in, nor on the number of workers: blocks are padded
// to whole tiles, so every point passes through the same instructions in the same order.
const (
	bulkRows = 128 // points of a block
	bulkPad  = 16  // rows of a product are padded to this: whole tiles on every path, and never a thin one
)

// Means writes the posterior means at the points x (N×D, row by row) into dst (N). O(Nn).
func (p *Posterior) Means(dst, x []float64, workers int) { p.Marginals(dst, nil, x, workers) }

// Marginals writes means and variances at the points x (N×D), unless the one or the other is nil: both for little more than the variances alone. O(Nn²).
func (p *Posterior) Marginals(mean, variance, x []float64, workers int) {
	k, n := p.hyper.Kernel, p.n
	if mean != nil && variance != nil && len(mean) != len(variance) {
		panic("gp: Marginals: want as many means as variances")
	}
	p.bulk(max(len(mean), len(variance)), x, workers, func(b *block, lo int) {
		if variance != nil {
			linalg.Gemm(false, false, b.padded, n, n, 1, b.u, n, p.r, n, 0, b.v, n)
		}
		for i := range b.rows {
			u := b.u[i*n : (i+1)*n]
			if mean != nil {
				mean[lo+i] = linalg.Dot(u, p.b)
			}
			if variance == nil {
				continue
			}
			prior := k.Outputscale
			if p.trended() {
				h := b.h[i*k.features() : (i+1)*k.features()]
				prior += k.tau2() * linalg.Dot(h, h)
			}
			variance[lo+i] = prior - linalg.Dot(u, b.v[i*n:(i+1)*n])
		}
	})
}

// CrossCovariance writes the posterior covariances of f at the points x (N×D) with f at the points y
// (M×D) into dst (N×M). It is made for few x and many y: y passes by once for every bulkRows of x.
func (p *Posterior) CrossCovariance(dst, x, y []float64, workers int) {
	d := p.Dim()
	nx, ny := len(x)/d, len(y)/d
	if len(dst) != nx*ny {
		panic("gp: CrossCovariance: len(dst) is not N·M")
	}
	for at := 0; at < nx; at += bulkRows {
		rows := min(bulkRows, nx-at)
		p.cross(dst[at*ny:(at+rows)*ny], x[at*d:(at+rows)*d], y, workers)
	}
}

// cross is CrossCovariance for up to bulkRows points x. With W = U_x R, a block of y costs one product W U_yᵀ.
func (p *Posterior) cross(dst, x, y []float64, workers int) {
	n, d, k := p.n, p.Dim(), p.hyper.Kernel
	ny := len(y) / d
	left := p.newBlock(len(x) / d)
	left.fill(x)
	linalg.Gemm(false, false, left.padded, n, n, 1, left.u, n, p.r, n, 0, left.v, n)
	f := k.features()
	p.bulk(ny, y, workers, func(b *block, lo int) {
		cols := b.padded
		if b.c == nil {
			b.c = make([]float64, left.padded*len(b.prior))
		}
		for j := range cols { // the block's points coordinate by coordinate
			for c := range d {
				b.z[c*cols+j] = b.xs[j*d+c]
			}
		}
		linalg.Gemm(false, true, left.padded, cols, n, -1, left.v, n, b.u, n, 0, b.c, cols)
		for i := range left.rows {
			prior := b.prior[:cols]
			linalg.SquaredDistances(prior, left.xs[i*d:(i+1)*d], b.z, cols)
			b.radial(prior)
			row := dst[i*ny+lo : i*ny+lo+b.rows]
			for j := range row {
				row[j] = prior[j] + b.c[i*cols+j]
				if p.trended() {
					row[j] += k.tau2() * linalg.Dot(left.h[i*f:(i+1)*f], b.h[j*f:(j+1)*f])
				}
			}
		}
	})
}

// Means writes the means at the points x (N×D) into dst (N).
func (x *Mixture) Means(dst, at []float64, workers int) {
	one := make([]float64, len(dst))
	clear(dst)
	for k, p := range x.posts {
		p.Means(one, at, workers)
		linalg.Axpy(x.weights[k], one, dst)
	}
}

// block is a block of points with what a posterior knows of them.
type block struct {
	p            *Posterior
	d            int
	rows, padded int
	xs           []float64 // scaled points
	k            []float64 // covariances with the anchors of one point
	u, v         []float64 // rows×n
	h            []float64 // rows×2D features of the trend
	z            []float64 // the points coordinate by coordinate
	c, prior     []float64 // of cross
	near         []float64 // of radial
	at           []int
}

// newBlock returns a block for up to count points, at most bulkRows.
func (p *Posterior) newBlock(count int) *block {
	d, rows := p.Dim(), (min(count, bulkRows)+bulkPad-1)/bulkPad*bulkPad
	b := &block{p: p, d: d, xs: make([]float64, rows*d), k: make([]float64, p.pts.n), u: make([]float64, rows*p.n), v: make([]float64, rows*p.n),
		z: make([]float64, rows*d), prior: make([]float64, rows)}
	if p.trended() {
		b.h = make([]float64, rows*p.hyper.Kernel.features())
	}
	return b
}

// fill takes the points x in, at most bulkRows, and repeats the last one up to whole tiles.
func (b *block) fill(x []float64) {
	p, d, n, f := b.p, b.d, b.p.n, b.p.hyper.Kernel.features()
	b.rows = len(x) / d
	b.padded = (b.rows + bulkPad - 1) / bulkPad * bulkPad
	for i := range b.padded {
		at := x[min(i, b.rows-1)*d:][:d]
		if p.trended() {
			p.hyper.Kernel.feature(at, b.h[i*f:(i+1)*f], nil)
		}
		p.hyper.Kernel.scale(b.xs[i*d:(i+1)*d], at)
		b.basis(b.xs[i*d:(i+1)*d], b.u[i*n:(i+1)*n])
	}
	if p.trended() {
		linalg.Gemm(false, false, b.padded, n, f, 1, b.h, f, p.cw, n, 1, b.u, n)
	}
}

// Names of things are many lengthscales apart. From squared distance beyond on e^{−√5r} underflows to 0, which takes the processor long to find out;
// lengthscales of at least longScale never get there from within a unit cube of some hundred dimensions.
const (
	beyond    = 1.2e5
	longScale = 0.05
)

// radial turns squared distances into covariances in place. With a short lengthscale only those that are not 0 are computed, moved together.
func (b *block) radial(r2 []float64) {
	k := b.p.hyper.Kernel
	if slices.Min(k.Lengthscale) >= longScale {
		k.radial(r2, nil, r2)
		return
	}
	b.near, b.at = b.near[:0], b.at[:0]
	for i, v := range r2 {
		if v < beyond {
			b.near, b.at = append(b.near, v), append(b.at, i)
		}
	}
	k.radial(b.near, nil, b.near)
	clear(r2)
	for j, i := range b.at {
		r2[i] = b.near[j]
	}
}

// basis is that of the posterior, without derivatives.
func (b *block) basis(xs, u []float64) {
	p := b.p
	linalg.SquaredDistances(b.k, xs, p.pts.z, p.pts.n)
	b.radial(b.k)
	copy(u, b.k[:p.n])
	linalg.Axpy(-1, b.k[p.n:], u[p.singles:])
}

// bulk calls use for every block of the count points x, in any order, on up to workers goroutines; lo is the number of the block's first point.
func (p *Posterior) bulk(count int, x []float64, workers int, use func(b *block, lo int)) {
	d := p.Dim()
	if len(x) != count*d {
		panic("gp: a block of points has not one result per point")
	}
	newTask := func(int) func(int) {
		b := p.newBlock(count)
		return func(i int) {
			lo, hi := i*bulkRows, min(count, (i+1)*bulkRows)
			b.fill(x[lo*d : hi*d])
			use(b, lo)
		}
	}
	cooperate.Parallel(context.Background(), (count+bulkRows-1)/bulkRows, workers, newTask)
}
