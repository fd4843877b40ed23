package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var vectorKernels = []kernel{
	{name: "dot", params: "n int, x, y *float64", result: " float64", doc: "dot returns Σ xy.", emit: (*asm).dot},
	{name: "axpy", params: "n int, alpha float64, x, y *float64", doc: "axpy adds αx to y.",
		emit: func(a *asm) {
			alpha := a.floatArg("alpha")
			a.elementwise("y", []string{"y", "x"}, func(v []reg.VecPhysical) {
				a.VFMADD231PD(v[1], alpha, v[0])
			})
		}},
	{name: "addSquares", params: "n int, acc, x *float64", doc: "addSquares adds x² to acc.",
		emit: func(a *asm) {
			a.elementwise("acc", []string{"acc", "x"}, func(v []reg.VecPhysical) {
				a.VFMADD231PD(v[1], v[1], v[0])
			})
		}},
	{name: "mulTo", params: "n int, dst *float64, alpha float64, x, y *float64", doc: "mulTo stores αxy in dst.",
		emit: func(a *asm) {
			alpha := a.floatArg("alpha")
			a.elementwise("dst", []string{"x", "y"}, func(v []reg.VecPhysical) {
				a.VMULPD(v[0], alpha, v[0])
				a.VMULPD(v[0], v[1], v[0])
			})
		}},
	{name: "difference4", params: "n int, dst, aa, ab, ba, bb *float64", doc: "difference4 stores (aa − ab) − (ba − bb) in dst.",
		emit: func(a *asm) {
			a.elementwise("dst", []string{"aa", "ab", "ba", "bb"}, func(v []reg.VecPhysical) {
				a.VSUBPD(v[1], v[0], v[0])
				a.VSUBPD(v[3], v[2], v[2])
				a.VSUBPD(v[2], v[0], v[0])
			})
		}},
	{name: "maxLift", params: "n int, p float64, r *float64, w float64, x, y *float64", result: " float64",
		doc: "maxLift returns the largest of 0 and all pr + w(x − y).", emit: (*asm).maxLift},
	{name: "gemv", params: "groups, n int, alpha float64, a *float64, lda int, x, y *float64",
		doc: "gemv adds αAx to y, for 4·groups rows of A.", emit: (*asm).gemv},
	{name: "gemvT", params: "groups, n int, alpha float64, a *float64, lda int, x, y *float64",
		doc: "gemvT adds αAᵀx to y, for 4·groups rows of A.", emit: (*asm).gemvT},
}

// floatArg broadcasts a float argument to a register that constants and mask leave alone.
func (a *asm) floatArg(name string) reg.VecPhysical {
	r := a.vec[13]
	if a.wide {
		a.top--
		r = a.vec[a.top]
	}
	a.VBROADCASTSD(a.argMem(name), r)
	return r
}

// elementwise loads one register per input, computes and stores the first, three vectors at a time.
func (a *asm) elementwise(dst string, inputs []string, f func(v []reg.VecPhysical)) {
	n, d := a.arg("n"), a.arg(dst)
	ptr := make([]reg.GPVirtual, len(inputs))
	for i, name := range inputs {
		ptr[i] = d
		if name != dst {
			ptr[i] = a.arg(name)
		}
	}
	a.chunks(n, 3, func(vectors int, i reg.Register, masked bool) {
		for u := range vectors {
			v := a.vec[u*len(inputs) : (u+1)*len(inputs)]
			for k, p := range ptr {
				a.move(idx(p, i, u*a.bytes()), v[k], masked)
			}
			f(v)
			a.move(v[0], idx(d, i, u*a.bytes()), masked)
		}
	})
	a.end()
}

// dot keeps four sums: two multiply-adds a cycle with a latency of four would use eight, but two loads per multiply-add already halve the rate.
func (a *asm) dot() {
	const sums = 4
	n, x, y := a.arg("n"), a.arg("x"), a.arg("y")
	a.zero(a.vec[:sums]...)
	a.chunks(n, sums, func(vectors int, i reg.Register, masked bool) {
		for u := range vectors {
			a.move(idx(x, i, u*a.bytes()), a.vec[sums+u], masked)
			a.fma(idx(y, i, u*a.bytes()), a.vec[sums+u], a.vec[u], a.vec[2*sums+u], masked)
		}
	})
	a.addSums(a.vec[:sums], a.vec[sums])
	a.VMOVSD(low(a.vec[0]), a.argMem("ret"))
	a.end()
}

// maxLift keeps two maxima. Masked lanes are 0, which is among what is compared; a NaN is passed over, for of two operands
// one of which is none the instruction returns the second.
func (a *asm) maxLift() {
	const tops = 2
	n, r, x, y := a.arg("n"), a.arg("r"), a.arg("x"), a.arg("y")
	p, w := a.vec[13], a.vec[12]
	a.VBROADCASTSD(a.argMem("p"), p)
	a.VBROADCASTSD(a.argMem("w"), w)
	a.zero(a.vec[:tops]...)
	a.chunks(n, tops, func(vectors int, i reg.Register, masked bool) {
		for u := range vectors {
			v, t := a.vec[tops+u], a.vec[2*tops+u]
			a.move(idx(x, i, u*a.bytes()), v, masked)
			a.move(idx(y, i, u*a.bytes()), t, masked)
			a.VSUBPD(t, v, v)
			a.VMULPD(v, w, v)
			a.move(idx(r, i, u*a.bytes()), t, masked)
			a.VFMADD231PD(t, p, v)
			a.VMAXPD(a.vec[u], v, a.vec[u])
		}
	})
	top, t := a.vec[0], a.vec[1]
	a.VMAXPD(t, top, top)
	if a.wide {
		a.VEXTRACTF64X4(operand.Imm(1), top, half(t))
		a.VMAXPD(half(t), half(top), half(top))
	}
	a.VEXTRACTF128(operand.Imm(1), half(top), low(t))
	a.VMAXPD(low(t), low(top), low(top))
	a.VUNPCKHPD(low(top), low(top), low(t))
	a.VMAXSD(low(t), low(top), low(top))
	a.VMOVSD(low(top), a.argMem("ret"))
	a.end()
}

// addSums adds registers pairwise and then the lanes of the first.
func (a *asm) addSums(v []reg.VecPhysical, t reg.VecPhysical) {
	for step := 1; step < len(v); step *= 2 {
		for i := 0; i+step < len(v); i += 2 * step {
			a.VADDPD(v[i+step], v[i], v[i])
		}
	}
	a.sum(v[0], t)
}

const rowGroup = 4

// rowGroups runs body for every group of rowGroup rows of A, with pointers to them and to the vectors, the one named of which goes on by a group.
func (a *asm) rowGroups(along string, body func(rows []reg.GPVirtual, x, y reg.GPVirtual)) {
	groups, base, lda, x, y := a.arg("groups"), a.arg("a"), a.stride("lda"), a.arg("x"), a.arg("y")
	rows := []reg.GPVirtual{a.GP64(), a.GP64(), a.GP64(), a.GP64()}
	a.repeat("group", groups, func() {
		a.MOVQ(base, rows[0])
		for r := 1; r < rowGroup; r++ {
			a.LEAQ(operand.Mem{Base: rows[r-1], Index: lda, Scale: 1}, rows[r])
		}
		body(rows, x, y)
		a.ADDQ(operand.Imm(8*rowGroup), map[string]reg.GPVirtual{"x": x, "y": y}[along])
		a.LEAQ(operand.Mem{Base: base, Index: lda, Scale: rowGroup}, base)
	})
	a.end()
}

func (a *asm) gemv() {
	a.rowGroups("y", func(rows []reg.GPVirtual, x, y reg.GPVirtual) {
		a.zero(a.vec[:2*rowGroup]...)
		v, w := a.vec[8], a.vec[10]
		a.chunks(a.arg("n"), 2, func(vectors int, i reg.Register, masked bool) {
			for u := range vectors {
				a.move(idx(x, i, u*a.bytes()), v, masked)
				for r := range rowGroup {
					a.fma(idx(rows[r], i, u*a.bytes()), v, a.vec[2*r+u], w, masked)
				}
			}
		})
		a.VMOVSD(a.argMem("alpha"), low(a.vec[9]))
		for r := range rowGroup {
			a.addSums(a.vec[2*r:2*r+2], a.vec[8])
			a.VMOVSD(at(y, 8*r), low(a.vec[8]))
			a.VFMADD231SD(low(a.vec[2*r]), low(a.vec[9]), low(a.vec[8]))
			a.VMOVSD(low(a.vec[8]), at(y, 8*r))
		}
	})
}

func (a *asm) gemvT() {
	a.rowGroups("x", func(rows []reg.GPVirtual, x, y reg.GPVirtual) {
		alpha := a.floatArg("alpha")
		for r := range rowGroup {
			a.VBROADCASTSD(at(x, 8*r), a.vec[r])
			a.VMULPD(alpha, a.vec[r], a.vec[r])
		}
		a.chunks(a.arg("n"), 2, func(vectors int, i reg.Register, masked bool) {
			for u := range vectors {
				sum, w := a.vec[4+u], a.vec[6+u]
				a.move(idx(y, i, u*a.bytes()), sum, masked)
				for r := range rowGroup {
					a.fma(idx(rows[r], i, u*a.bytes()), a.vec[r], sum, w, masked)
				}
				a.move(sum, idx(y, i, u*a.bytes()), masked)
			}
		})
	})
}

var distanceKernels = []kernel{
	{name: "squaredDistances", params: "n, d int, r2, x, z *float64, ldz int",
		doc: "squaredDistances stores the squared distances of x to n points.", emit: (*asm).squaredDistances},
	{name: "weightedSquares", params: "n, d int, dst, w, x, z *float64, ldz int",
		doc: "weightedSquares adds Σ w (x − z)² to dst, per coordinate.", emit: func(a *asm) { a.weighted(true) }},
	{name: "weightedDifferences", params: "n, d int, dst, w, x, z *float64, ldz int",
		doc: "weightedDifferences adds Σ w (x − z) to dst, per coordinate.", emit: func(a *asm) { a.weighted(false) }},
}

// squaredDistances takes four vectors of points through all coordinates at a time.
func (a *asm) squaredDistances() {
	n, r2, x, z, ldz := a.arg("n"), a.arg("r2"), a.arg("x"), a.arg("z"), a.stride("ldz")
	a.chunks(n, 4, func(vectors int, i reg.Register, masked bool) {
		p, q, d := a.GP64(), a.GP64(), a.arg("d")
		a.LEAQ(idx(z, i, 0), p)
		a.MOVQ(x, q)
		a.zero(a.vec[:vectors]...)
		a.repeat("coordinate", d, func() {
			a.VBROADCASTSD(at(q, 0), a.vec[8])
			for u := range vectors {
				if masked {
					a.move(at(p, u*a.bytes()), a.vec[4+u], masked)
					a.VSUBPD(a.vec[4+u], a.vec[8], a.vec[4+u])
				} else {
					a.VSUBPD(at(p, u*a.bytes()), a.vec[8], a.vec[4+u])
				}
				a.VFMADD231PD(a.vec[4+u], a.vec[4+u], a.vec[u])
			}
			a.ADDQ(ldz, p)
			a.ADDQ(operand.Imm(8), q)
		})
		for u := range vectors {
			a.move(a.vec[u], idx(r2, i, u*a.bytes()), masked)
		}
	})
	a.end()
}

// weighted runs over points inside and coordinates outside; lanes beyond the last point are cleared after the
// subtraction, so that an infinite x does not become 0·∞ there.
func (a *asm) weighted(squares bool) {
	d, dst, w, x, z, ldz := a.arg("d"), a.arg("dst"), a.arg("w"), a.arg("x"), a.arg("z"), a.stride("ldz")
	const sums = 4
	a.repeat("coordinate", d, func() {
		a.VBROADCASTSD(at(x, 0), a.vec[8])
		a.zero(a.vec[:sums]...)
		a.chunks(a.arg("n"), sums, func(vectors int, i reg.Register, masked bool) {
			for u := range vectors {
				diff, weight := a.vec[4+u], a.vec[9+u]
				switch {
				case !masked:
					a.VSUBPD(idx(z, i, u*a.bytes()), a.vec[8], diff)
				case a.wide:
					a.move(idx(z, i, 0), diff, masked)
					a.VSUBPD_Z(diff, a.vec[8], reg.K1, diff)
				default:
					a.move(idx(z, i, 0), diff, masked)
					a.VSUBPD(diff, a.vec[8], diff)
					a.VANDPD(a.maskReg(), diff, diff)
				}
				a.move(idx(w, i, u*a.bytes()), weight, masked)
				if squares {
					a.VMULPD(diff, weight, weight)
				}
				a.VFMADD231PD(diff, weight, a.vec[u])
			}
		})
		a.addSums(a.vec[:sums], a.vec[sums])
		a.VADDSD(at(dst, 0), low(a.vec[0]), low(a.vec[0]))
		a.VMOVSD(low(a.vec[0]), at(dst, 0))
		a.ADDQ(ldz, z)
		a.ADDQ(operand.Imm(8), x)
		a.ADDQ(operand.Imm(8), dst)
	})
	a.end()
}
