package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
		for u := range vectors {
			a.zero(a.vec[u])
		}
		loop := a.label("coordinate")
		a.Label(loop)
		a.VBROADCASTSD(at(q, 0), a.vec[8])
		for u := range vectors {
			if masked {
				a.load(at(p, u*a.bytes()), a.vec[4+u], masked)
				a.VSUBPD(a.vec[4+u], a.vec[8], a.vec[4+u])
			} else {
				a.VSUBPD(at(p, u*a.bytes()), a.vec[8], a.vec[4+u])
			}
			a.VFMADD231PD(a.vec[4+u], a.vec[4+u], a.vec[u])
		}
		a.ADDQ(ldz, p)
		a.ADDQ(operand.Imm(8), q)
		a.DECQ(d)
		a.JNE(a.ref(loop))
		for u := range vectors {
			a.store(a.vec[u], idx(r2, i, u*a.bytes()), masked)
		}
	})
	a.end()
}

// weighted runs over points inside and coordinates outside; lanes beyond the last point are cleared after the
// subtraction, so that an infinite x does not become 0·∞ there.
func (a *asm) weighted(squares bool) {
	d, dst, w, x, z, ldz := a.arg("d"), a.arg("dst"), a.arg("w"), a.arg("x"), a.arg("z"), a.stride("ldz")
	const sums = 4
	loop := a.label("coordinate")
	a.Label(loop)
	a.VBROADCASTSD(at(x, 0), a.vec[8])
	for u := range sums {
		a.zero(a.vec[u])
	}
	n := a.arg("n")
	a.chunks(n, sums, func(vectors int, i reg.Register, masked bool) {
		for u := range vectors {
			diff, weight := a.vec[4+u], a.vec[9+u]
			if masked {
				a.load(idx(z, i, 0), diff, masked)
				if a.wide {
					a.VSUBPD_Z(diff, a.vec[8], reg.K1, diff)
				} else {
					a.VSUBPD(diff, a.vec[8], diff)
					a.VANDPD(a.maskReg(), diff, diff)
				}
			} else {
				a.VSUBPD(idx(z, i, u*a.bytes()), a.vec[8], diff)
			}
			a.load(idx(w, i, u*a.bytes()), weight, masked)
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
	a.DECQ(d)
	a.JNE(a.ref(loop))
	a.end()
}
