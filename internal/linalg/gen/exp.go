package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var expKernels = []kernel{
	{name: "exp", params: "n int, dst, x *float64", doc: "exp stores eˣ in dst; see Exp.",
		emit: func(a *asm) {
			n, dst, x := a.arg("n"), a.arg("dst"), a.arg("x")
			e := a.newExponential(true)
			a.chunks(n, 2, func(vectors int, i reg.Register, masked bool) {
				for u := range vectors {
					v := a.vec[4*u:]
					a.load(idx(x, i, u*a.bytes()), v[0], masked)
					e.emit(v[0], v[1], v[2], v[3])
					a.store(v[2], idx(dst, i, u*a.bytes()), masked)
				}
			})
			a.end()
		}},
	{name: "matern52", params: "n int, k, r2 *float64, scale float64", doc: "matern52 stores the kernel in k; see Matern52.",
		emit: func(a *asm) { a.matern52(false) }},
	{name: "matern52Grad", params: "n int, k, f, r2 *float64, scale float64", doc: "matern52Grad stores the kernel in k and its derivative's factor in f; see Matern52.",
		emit: func(a *asm) { a.matern52(true) }},
}

// The reduction x = k·ln 2 + r. Adding 1.5·2⁵² rounds to an integer, which then stands in the low bits. ln2Hi has 21
// trailing zero bits, so that k·ln2Hi is exact for |k| < 2²¹; ln2Lo is ln 2 − ln2Hi to double precision. Both from
// FDLIBM's e_exp.c.
const (
	shifter = 3 << 51
	ln2Hi   = 6.93147180369123816490e-01
	ln2Lo   = 1.90821492927058770002e-10
)

// Beyond these arguments the result is +Inf or 0 in any case; the clamp keeps k small enough for the scaling below.
const (
	expLow  = -746
	expHigh = 710
)

// expCoefficients are those of r² … r¹¹ in eʳ ≈ 1 + r + c₂r² + … + c₁₁r¹¹, close to the minimax polynomial for the
// relative error on |r| ≤ 1.0005·ln 2/2: a Remez exchange in 60 digits with the first two coefficients held at 1. The
// relative error is at most 7.8e-18 before the coefficients are rounded.
var expCoefficients = [...]float64{
	0x1.0000000000009p-1,
	0x1.5555555555558p-3,
	0x1.55555555503a0p-5,
	0x1.111111110f7efp-7,
	0x1.6c16c18611db9p-10,
	0x1.a01a01b015fc1p-13,
	0x1.a019938664e2bp-16,
	0x1.71ddf69834cdap-19,
	0x1.28b43b4f111dbp-22,
	0x1.af635f16ead2dp-26,
}

type exponential struct {
	*asm
	full                                 bool // any argument; else x ≤ 0
	low, high, log2e, shift, hi, lo, one operand.Op
	half, bias                           operand.Op // AVX2 only
	c                                    [len(expCoefficients)]operand.Op
}

// newExponential loads the constants.
func (a *asm) newExponential(full bool) *exponential {
	e := &exponential{asm: a, full: full}
	e.low = a.constant(expLow)
	if full {
		e.high = a.constant(expHigh)
	}
	e.log2e, e.shift, e.hi, e.lo, e.one = a.constant(math.Log2E), a.constant(shifter), a.constant(ln2Hi), a.constant(ln2Lo), a.constant(1)
	if !a.wide {
		e.half, e.bias = a.constant(0.5), a.constant(shifter+1023)
	}
	for i, c := range expCoefficients {
		e.c[i] = a.constant(c)
	}
	return e
}

// inRegister returns a constant as a register, t if it must be loaded.
func (a *asm) inRegister(c operand.Op, t reg.VecPhysical) operand.Op {
	if a.wide {
		return c
	}
	a.VMOVUPD(c, t)
	return t
}

// emit computes p ← eˣ; x, t and u are scratch.
func (e *exponential) emit(x, t, p, u reg.VecPhysical) {
	// MAXPD and MINPD return their second source, the first operand here, if one is NaN.
	e.VMAXPD(x, e.inRegister(e.low, t), x)
	if e.full {
		e.VMINPD(x, e.inRegister(e.high, t), x)
	}
	e.VMOVUPD(e.log2e, t)
	e.VFMADD213PD(e.shift, x, t)
	e.VSUBPD(e.shift, t, t)
	e.VFNMADD231PD(e.hi, t, x)
	e.VFNMADD231PD(e.lo, t, x)
	last := len(e.c) - 1
	e.VMOVUPD(e.c[last], p)
	for i := last - 1; i >= 0; i-- {
		e.VFMADD213PD(e.c[i], x, p)
	}
	e.VFMADD213PD(e.one, x, p)
	e.VFMADD213PD(e.one, x, p)
	if e.wide {
		e.VSCALEFPD(t, p, p)
		return
	}
	// 2ᵏ in two factors, as k reaches from −1076 to 1024; only the second product may round.
	e.VMULPD(e.half, t, u)
	e.VROUNDPD(operand.Imm(9), u, u)
	e.VSUBPD(u, t, t)
	for _, k := range []reg.VecPhysical{u, t} {
		e.VADDPD(e.bias, k, k)
		e.VPSLLQ(operand.Imm(52), k, k)
		e.VMULPD(k, p, p)
	}
}

func (a *asm) matern52(grad bool) {
	n, k, r2 := a.arg("n"), a.arg("k"), a.arg("r2")
	f := k
	if grad {
		f = a.arg("f")
	}
	scale := a.floatArg("scale")
	e := a.newExponential(false)
	five, fiveThirds, minus := a.constant(5), a.constant(5./3), a.constant(math.Copysign(0, -1))
	a.chunks(n, 2, func(vectors int, i reg.Register, masked bool) {
		for u := range vectors {
			v := a.vec[6*u:]
			x, t, p, scratch, s, q := v[0], v[1], v[2], v[3], v[4], v[5]
			a.load(idx(r2, i, u*a.bytes()), q, masked)
			a.VMULPD(five, q, s)
			a.VSQRTPD(s, s)
			a.VXORPD(minus, s, x)
			e.emit(x, t, p, scratch)
			a.VMULPD(scale, p, p)
			a.VADDPD(e.one, s, s)
			a.VFMADD132PD(fiveThirds, s, q)
			a.VMULPD(p, q, q)
			if grad {
				a.VMULPD(p, s, s)
				a.VMULPD(fiveThirds, s, s)
				a.store(s, idx(f, i, u*a.bytes()), masked)
			}
			a.store(q, idx(k, i, u*a.bytes()), masked)
		}
	})
	a.end()
}
