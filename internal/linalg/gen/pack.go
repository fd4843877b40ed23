package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var packKernels = []kernel{
	{name: "packRows", params: "variant, k int, dst, src *float64, lds int, mask MASK",
		doc: "packRows copies k rows of variant+1 vectors, the last one masked; see packRows in pack.go.", emit: (*asm).packRows},
	{name: "transpose", params: "blocks int, dst *float64, ldd, dstep int, src *float64, lds, sstep int",
		doc: "transpose transposes v×v blocks; see transpose in pack.go.", emit: (*asm).transpose},
	{name: "transposeMasked", params: "dst *float64, ldd int, src *float64, lds int, mask MASK",
		doc: "transposeMasked transposes one v×v block and stores the lanes of the mask; see transposeLower in pack.go.", emit: (*asm).transposeMasked},
}

func (a *asm) packRows() {
	variant := a.arg("variant")
	k, dst, src, lds, mask := a.arg("k"), a.arg("dst"), a.arg("src"), a.stride("lds"), a.arg("mask")
	a.rowMask(mask, 0)
	labels := make([]string, vectors+1)
	for cols := 1; cols < vectors; cols++ {
		labels[cols] = a.label("shape")
		a.CMPQ(variant, operand.Imm(uint64(cols-1)))
		a.JEQ(a.ref(labels[cols]))
	}
	for cols := vectors; cols >= 1; cols-- {
		if cols < vectors {
			a.Label(labels[cols])
		}
		a.repeat("row", k, func() {
			for c := range cols {
				a.move(at(src, c*a.bytes()), a.vec[c], c == cols-1)
			}
			for c := range cols {
				a.VMOVUPD(a.vec[c], at(dst, c*a.bytes()))
			}
			a.ADDQ(lds, src)
			a.ADDQ(operand.Imm(uint64(vectors*a.bytes())), dst)
		})
		a.end()
	}
}

func (a *asm) transpose() {
	blocks, dst, ldd, dstep := a.arg("blocks"), a.arg("dst"), a.stride("ldd"), a.stride("dstep")
	src, lds, sstep := a.arg("src"), a.stride("lds"), a.stride("sstep")
	a.pairLanes()
	a.repeat("block", blocks, func() {
		a.transposeRegisters(src, lds)
		p := a.GP64()
		a.MOVQ(dst, p)
		for i := range a.lanes {
			a.VMOVUPD(a.vec[i], at(p, 0))
			a.step(i == a.lanes-1, ldd, p)
		}
		a.ADDQ(sstep, src)
		a.ADDQ(dstep, dst)
	})
	a.end()
}

func (a *asm) transposeMasked() {
	dst, ldd, src, lds, mask := a.arg("dst"), a.stride("ldd"), a.arg("src"), a.stride("lds"), a.arg("mask")
	a.pairLanes()
	a.transposeRegisters(src, lds)
	for i := range a.lanes {
		a.rowMask(mask, i)
		a.move(a.vec[i], at(dst, 0), true)
		a.step(i == a.lanes-1, ldd, dst)
	}
	a.end()
}

// pairLanes loads the two permutations of transposeRegisters to registers 30 and 31: of two registers x and y, viewed
// as 128-bit lanes x0 … x3 and y0 … y3, they make x0 y0 x2 y2 and x1 y1 x3 y3.
func (a *asm) pairLanes() {
	if !a.wide {
		return
	}
	m := a.table("pairLanes", []uint64{0, 1, 8, 9, 4, 5, 12, 13, 2, 3, 10, 11, 6, 7, 14, 15})
	a.VMOVUPD(m, a.vec[30])
	a.VMOVUPD(m.Offset(64), a.vec[31])
}

// transposeRegisters loads a v×v block and leaves its transpose in the first v registers.
//
// For AVX-512 rows r and r+4 are joined while they are loaded, half a register each, which needs no shuffle: what is
// left are four 4×4 transposes, two at a time, and 16 shuffles instead of 24.
func (a *asm) transposeRegisters(src, lds reg.GPVirtual) {
	v := a.vec
	p := a.GP64()
	a.MOVQ(src, p)
	if !a.wide {
		for i := range 4 {
			a.VMOVUPD(at(p, 0), v[i])
			a.step(i == 3, lds, p)
		}
		a.VUNPCKLPD(v[1], v[0], v[4])
		a.VUNPCKHPD(v[1], v[0], v[5])
		a.VUNPCKLPD(v[3], v[2], v[6])
		a.VUNPCKHPD(v[3], v[2], v[7])
		a.VPERM2F128(operand.Imm(0x20), v[6], v[4], v[0])
		a.VPERM2F128(operand.Imm(0x20), v[7], v[5], v[1])
		a.VPERM2F128(operand.Imm(0x31), v[6], v[4], v[2])
		a.VPERM2F128(operand.Imm(0x31), v[7], v[5], v[3])
		return
	}
	q := a.GP64()
	a.LEAQ(operand.Mem{Base: src, Index: lds, Scale: 4}, q)
	for i := range 4 {
		for side := range 2 {
			r := v[8+4*side+i]
			a.VMOVUPD(at(p, 32*side), half(r))
			a.VINSERTF64X4(operand.Imm(1), at(q, 32*side), r, r)
		}
		a.step(i == 3, lds, p, lds, q)
	}
	for side := range 2 {
		z, t, out := v[8+4*side:], v[16+4*side:], v[4*side:]
		a.VUNPCKLPD(z[1], z[0], t[0])
		a.VUNPCKHPD(z[1], z[0], t[1])
		a.VUNPCKLPD(z[3], z[2], t[2])
		a.VUNPCKHPD(z[3], z[2], t[3])
		for odd := range 2 {
			a.VMOVAPD(t[odd], out[odd])
			a.VPERMT2PD(t[2+odd], v[30], out[odd])
			a.VMOVAPD(t[odd], out[2+odd])
			a.VPERMT2PD(t[2+odd], v[31], out[2+odd])
		}
	}
}
