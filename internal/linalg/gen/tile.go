package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	vectors     = 3 // of columns in a panel
	thinVectors = 4 // of columns in a tile without a panel that leaves registers free, for AVX-512
)

var tileKernels = []kernel{
	{name: "gemmTile", params: "variant, k int, alpha float64, a *float64, ars, acs int, b, src *float64, ss int, dst *float64, ds int, mask MASK",
		doc: "gemmTile stores src + αAB; see gemmTile in tile.go.", emit: func(a *asm) { a.gemmTile(false) }},
	{name: "thinTile", params: "variant, k int, alpha float64, a *float64, ars, acs int, b *float64, ldb int, src *float64, ss int, dst *float64, ds int, mask MASK",
		doc: "thinTile stores src + αAB with B in place; see thinTile in tile.go.", emit: func(a *asm) { a.gemmTile(true) }},
	{name: "solveTile", params: "variant, k int, a *float64, ars, acs int, inv, panel, src *float64, ss int, dst *float64, ds int, mask MASK",
		doc: "solveTile solves a tile of a triangular system; see solveTile in tile.go.", emit: (*asm).solveTile},
	{name: "factorTile", params: "vectors int, x, inv *float64",
		doc: "factorTile factors a tile on the diagonal; see factorTile in tile.go.", emit: (*asm).factorTile},
}

// A registerTile is the sums of rows×cols registers and the pointers that walk through the factors.
type registerTile struct {
	*asm
	rows, cols       int
	a, ars, acs, b   reg.GPVirtual
	ars3, ars5, ars7 reg.GPVirtual // multiples of ars
	panelRow         int           // bytes in a row of the panel
	ldb, mask        reg.GPVirtual // in place: the bytes in a row of B, and the mask of its last vector
}

func (t registerTile) acc(r, c int) reg.VecPhysical { return t.vec[r*t.cols+c] }

// spare returns the registers beyond the largest tile.
func (a *asm) spare(i int) reg.VecPhysical { return a.vec[vectors*a.lanes+i] }

// row is the address of element (r, p) of the left factor, with the pointer at column p.
func (t registerTile) row(r int) operand.Mem {
	if r == 0 {
		return operand.Mem{Base: t.a}
	}
	index := []reg.GPVirtual{1: t.ars, 2: t.ars, 3: t.ars3, 4: t.ars, 5: t.ars5, 6: t.ars3, 7: t.ars7}
	return operand.Mem{Base: t.a, Index: index[r], Scale: []uint8{1: 1, 2: 2, 3: 1, 4: 4, 5: 1, 6: 2, 7: 1}[r]}
}

// forVariants emits body for every register shape, behind a chain of comparisons that tries the full one first. most is
// the largest number of vectors; shapes with more sums than the full tile are left out.
func (a *asm) forVariants(most int, body func(rows, cols int)) {
	var variants []int
	for rows := a.lanes; rows >= 1; rows-- {
		for cols := min(most, vectors*a.lanes/rows); cols >= 1; cols-- {
			variants = append(variants, most*(rows-1)+cols-1)
		}
	}
	a.dispatch(a.arg("variant"), variants, func(k int) {
		rows, cols := variants[k]/most+1, variants[k]%most+1
		a.Commentf("%d rows, %d vectors", rows, cols)
		body(rows, cols)
	})
}

// multiply sums AB over k ≥ 0 steps. Each step loads a row of the panel and broadcasts an element of every row of A.
//
// In place, the rows of B are ldb apart and the last vector of a row is read under the mask of row 0. AVX2 has no
// register left for that mask; it is loaded again in each step, where the broadcasts of A are about to go.
func (a *asm) multiply(rows, cols int, panel string, inPlace bool) registerTile {
	t := registerTile{asm: a, rows: rows, cols: cols, panelRow: vectors * a.bytes()}
	a.zero(a.vec[:rows*cols]...)
	k := a.arg("k")
	t.a, t.ars, t.acs, t.b = a.arg("a"), a.stride("ars"), a.stride("acs"), a.arg(panel)
	if inPlace {
		t.ldb, t.mask = a.stride("ldb"), a.arg("mask")
		if a.wide {
			a.KMOVB(t.mask.As32(), reg.K1)
		}
	}
	multiple := func(above int, base reg.GPVirtual, scale uint8) (r reg.GPVirtual) { // of tiles with more rows
		if r = t.ars; rows > above {
			r = a.GP64()
			a.LEAQ(operand.Mem{Base: base, Index: t.ars, Scale: scale}, r)
		}
		return r
	}
	t.ars3, t.ars5 = multiple(3, t.ars, 2), multiple(5, t.ars, 4)
	t.ars7 = multiple(7, t.ars3, 4)
	loop, done := a.label("depth"), a.label("summed")
	a.TESTQ(k, k)
	a.JEQ(a.ref(done))
	a.Label(loop)
	if inPlace && !a.wide {
		a.rowMask(t.mask, 0)
	}
	for c := range cols {
		a.move(at(t.b, c*a.bytes()), a.spare(c), inPlace && c == cols-1)
	}
	for r := range rows {
		if a.wide && cols == 1 {
			a.VFMADD231PD_BCST(t.row(r), a.spare(0), t.acc(r, 0))
			continue
		}
		x := a.spare(cols)
		a.VBROADCASTSD(t.row(r), x)
		for c := range cols {
			a.VFMADD231PD(a.spare(c), x, t.acc(r, c))
		}
	}
	a.ADDQ(t.acs, t.a)
	if inPlace {
		a.ADDQ(t.ldb, t.b)
	} else {
		a.ADDQ(operand.Imm(uint64(t.panelRow)), t.b)
	}
	a.DECQ(k)
	a.JNE(a.ref(loop))
	a.Label(done)
	return t
}

// rowMask readies the mask of row r of a tile; mask is the argument in a register, consumed row by row.
func (a *asm) rowMask(mask reg.GPVirtual, r int) {
	if a.wide {
		a.KMOVB(mask.As32(), reg.K1)
		a.SHRQ(operand.Imm(8), mask)
		return
	}
	a.VMOVUPD(at(mask, 32*r), a.maskReg())
}

func (a *asm) gemmTile(inPlace bool) {
	most := vectors
	if inPlace && a.wide {
		most = thinVectors
	}
	a.forVariants(most, func(rows, cols int) {
		t := a.multiply(rows, cols, "b", inPlace)
		src, ss, dst, ds, mask := a.arg("src"), a.stride("ss"), a.arg("dst"), a.stride("ds"), a.arg("mask")
		alpha, x := a.spare(0), a.spare(1)
		a.VBROADCASTSD(a.argMem("alpha"), alpha)
		for r := range rows {
			a.rowMask(mask, r)
			for c := range cols {
				last := c == cols-1
				a.move(at(src, c*a.bytes()), x, last)
				a.VFMADD231PD(alpha, t.acc(r, c), x)
				a.move(x, at(dst, c*a.bytes()), last)
			}
			a.step(r == rows-1, ss, src, ds, dst)
		}
	})
}

func (a *asm) solveTile() {
	a.forVariants(vectors, func(rows, cols int) {
		t := a.multiply(rows, cols, "panel", false)
		src, ss, mask := a.arg("src"), a.stride("ss"), a.arg("mask")
		x := a.spare(0)
		for r := range rows {
			a.rowMask(mask, r)
			for c := range cols {
				a.move(at(src, c*a.bytes()), x, c == cols-1)
				a.VSUBPD(t.acc(r, c), x, t.acc(r, c))
			}
			a.step(r == rows-1, ss, src)
		}
		inv := a.arg("inv")
		for s := range rows {
			a.VBROADCASTSD(at(inv, 8*s), x)
			for c := range cols {
				a.VMULPD(x, t.acc(s, c), t.acc(s, c))
			}
			for r := s + 1; r < rows; r++ {
				a.VBROADCASTSD(t.row(r), x)
				for c := range cols {
					a.VFNMADD231PD(t.acc(s, c), x, t.acc(r, c))
				}
			}
			a.step(s == rows-1, t.acs, t.a)
		}
		dst, ds, mask := a.arg("dst"), a.stride("ds"), a.arg("mask")
		for r := range rows {
			a.rowMask(mask, r)
			for c := range cols {
				a.VMOVUPD(t.acc(r, c), at(t.b, r*t.panelRow+c*a.bytes()))
				a.move(t.acc(r, c), at(dst, c*a.bytes()), c == cols-1)
			}
			a.step(r == rows-1, ds, dst)
		}
	})
}

// factorTile eliminates from the top row down without square roots, as LDLᵀ: with pivot d the row below at lane s loses (x(r, s)/d) times row r. Only a
// division and a multiply-add then lie between one pivot and the next; the square roots of all pivots are taken in one vector at the end and scale the rows.
// The pivot is moved to lane 0 for the division; multipliers are broadcast from memory, where the row divided by d waits.
func (a *asm) factorTile() {
	const oneBits = 0x3ff0000000000000
	one := a.table("ones", []uint64{oneBits, oneBits, oneBits, oneBits, oneBits, oneBits, oneBits, oneBits})
	a.dispatch(a.arg("vectors"), []int{3, 2, 1}, func(k int) {
		cols := vectors - k
		t := registerTile{asm: a, rows: a.lanes, cols: cols, panelRow: vectors * a.bytes()}
		x, inv := a.arg("x"), a.arg("inv")
		d, e := a.spare(0), a.spare(1)
		for r := range t.rows {
			for c := range cols {
				a.VMOVUPD(at(x, r*t.panelRow+c*a.bytes()), t.acc(r, c))
			}
		}
		for r := range t.rows {
			if a.wide {
				a.VALIGNQ(operand.Imm(uint64(r)), t.acc(r, 0), t.acc(r, 0), d)
			} else {
				a.VPERMPD(operand.Imm(uint64(0x55*r)), t.acc(r, 0), d)
			}
			a.VMOVSD(low(d), at(inv, 8*r))
			if r == t.rows-1 {
				break
			}
			a.VMOVSD(one, low(e))
			a.VDIVSD(low(d), low(e), low(d))
			a.VBROADCASTSD(low(d), d)
			a.VMULPD(d, t.acc(r, 0), d)
			a.VMOVUPD(d, at(x, r*t.panelRow))
			for s := r + 1; s < t.rows; s++ {
				a.VBROADCASTSD(at(x, r*t.panelRow+8*s), d)
				for c := range cols {
					a.VFNMADD231PD(t.acc(r, c), d, t.acc(s, c))
				}
			}
		}
		a.VSQRTPD(at(inv, 0), d)
		a.VMOVUPD(one, e)
		a.VDIVPD(d, e, d)
		a.VMOVUPD(d, at(inv, 0))
		for r := range t.rows {
			a.VBROADCASTSD(at(inv, 8*r), d)
			for c := range cols {
				a.VMULPD(d, t.acc(r, c), t.acc(r, c))
				a.VMOVUPD(t.acc(r, c), at(x, r*t.panelRow+c*a.bytes()))
			}
		}
	})
}
