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
					a.move(idx(x, i, u*a.bytes()), v[0], masked)
					e.emit(v[0], v[1], v[2], v[3])
					a.move(v[2], idx(dst, i, u*a.bytes()), masked)
				}
			})
			a.end()
		}},
	{name: "matern52", params: "n int, k, r2 *float64, scale float64", doc: "matern52 stores the kernel in k; see Matern52.",
		emit: func(a *asm) { a.matern52(false) }},
	{name: "matern52Grad", params: "n int, k, f, r2 *float64, scale float64", doc: "matern52Grad stores the kernel in k and its derivative's factor in f; see Matern52.",
		emit: func(a *asm) { a.matern52(true) }},
}

// The reduction x = k·ln 2 + r. Adding 1.5·2⁵² rounds to an integer, which then stands in the low bits. ln2Hi has 21 trailing zero bits, so that k·ln2Hi is
// exact for |k| < 2²¹; ln2Lo is ln 2 − ln2Hi to double precision. Both from FDLIBM's e_exp.c.
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

// expCoefficients are those of r² … r¹¹ in eʳ ≈ 1 + r + c₂r² + … + c₁₁r¹¹, close to the minimax polynomial for the relative error on |r| ≤ 1.0005·ln 2/2: a
// Remez exchange in 60 digits with the first two coefficients held at 1. The relative error is at most 7.8e-18 before the coefficients are rounded.
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
			a.move(idx(r2, i, u*a.bytes()), q, masked)
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
				a.move(s, idx(f, i, u*a.bytes()), masked)
			}
			a.move(q, idx(k, i, u*a.bytes()), masked)
		}
	})
	a.end()
}

var normalKernels = []kernel{
	{name: "logCDFMills", params: "n int, logcdf, mills, x, ratio *float64", doc: "logCDFMills stores log Φ and φ/Φ; see LogCDFMills.",
		emit: (*asm).logCDFMills},
}

const (
	invSqrt2Pi  = 0.3989422804014326779399460599343818684758586311649 // 1/√(2π)
	tailShift   = 4                                                   // k of the map t = (x−k)/(x+k)
	ratioTerms  = 24                                                  // coefficients of Mills' ratio
	densityZero = 39                                                  // an argument from which on e^{−x²/2} is 0, beyond √(2·1075·ln 2) = 38.6, with an exact square
)

// Comparisons of VCMPPD.
const (
	equal   = 0x00
	greater = 0x1e
)

// The logarithm is FDLIBM's (e_log.c). w = 2ᵏ(1+f) with 1+f in [√½, √2): the bits of w plus those of 1 minus those of √½
// have the biased k in their exponent, and in their mantissa what √½'s bits turn back into 1+f. Then, with
// s = f/(2+f), log(1+f) = f − f²/2 + s(f²/2 + R(s²)), where R has a relative error of 2⁻⁵⁸.
const (
	oneMinusRootHalf = 0x3ff0000000000000 - rootHalf
	rootHalf         = 0x3fe6a09e00000000 // high word of √½
	mantissa         = 0x000fffffffffffff
	twoTo52          = 0x1p52
	exponentBias     = 1023
)

var logCoefficients = [...]float64{
	6.666666666666735130e-01,
	3.999999999940941908e-01,
	2.857142874366239149e-01,
	2.222219843214978396e-01,
	1.818357216161805012e-01,
	1.531383769920937332e-01,
	1.479819860511658591e-01,
}

// logCDFMills takes one vector at a time: nothing passes from one to the next, and the processor overlaps them. Lanes with x > 0 (right) and the others
// (left) differ only in what is blended into the two expressions they share, a logarithm and a quotient:
//
//	right: log(1−q),            φ/(1−q),   q = φR
//	left:  log(R/√(2π)) − x²/2, (|x|+4)/P, R = P/(|x|+4)
//
// Each lane computes φ(max(x, 0)), so that far left lanes cause no subnormal numbers, which are slow.
func (a *asm) logCDFMills() {
	n, logcdf, mills, xs, ratio := a.arg("n"), a.arg("logcdf"), a.arg("mills"), a.arg("x"), a.arg("ratio")
	e := a.newExponential(false)
	bits := math.Float64frombits
	a.chunks(n, 1, func(_ int, i reg.Register, masked bool) {
		v := a.vec
		x, zero := v[0], v[2]
		a.move(idx(xs, i, 0), x, masked)
		a.zero(zero)

		// φ(y), y = min(max(x, 0), 39). The square is rounded; what the rounding lost comes back as e·(1 − lost/2).
		phi := v[3]
		a.VMAXPD(x, zero, phi)
		a.with(a.VMINPD, a.VMINPD_BCST, densityZero, phi, phi)
		a.VMULPD(phi, phi, v[4])
		a.VFMSUB213PD(v[4], phi, phi)
		a.with(a.VMULPD, a.VMULPD_BCST, -0.5, v[4], v[4])
		e.emit(v[4], v[5], v[6], v[7])
		a.with(a.VMULPD, a.VMULPD_BCST, -0.5, phi, phi)
		a.VFMADD213PD(v[6], v[6], phi)
		a.with(a.VMULPD, a.VMULPD_BCST, invSqrt2Pi, phi, phi)

		// P(t), t = 1 − 8/d, d = |x| + 4, in four chains in t⁴.
		d, inv, t, t2, t4, p := v[1], v[4], v[5], v[6], v[7], v[8:12]
		a.with(a.VANDPD, a.VANDPD_BCST, bits(math.MaxInt64), x, d)
		a.with(a.VADDPD, a.VADDPD_BCST, tailShift, d, d)
		a.VDIVPD(d, a.inRegister(e.one, inv), inv)
		a.VMOVUPD(e.one, t)
		a.with(a.VFNMADD231PD, a.VFNMADD231PD_BCST, 2*tailShift, inv, t)
		a.VMULPD(t, t, t2)
		a.VMULPD(t2, t2, t4)
		const chains = 4
		for c := ratioTerms - 1; c >= 0; c-- {
			chain, coefficient := p[c%chains], at(ratio, 8*c)
			switch {
			case c >= ratioTerms-chains:
				a.VBROADCASTSD(coefficient, chain)
			case a.wide:
				a.VFMADD213PD_BCST(coefficient, t4, chain)
			default:
				a.VBROADCASTSD(coefficient, v[12])
				a.VFMADD213PD(v[12], t4, chain)
			}
		}
		a.VFMADD213PD(p[2], t, p[3])
		a.VFMADD213PD(p[0], t, p[1])
		a.VFMADD213PD(p[1], t2, p[3])
		poly := p[3]

		q, rest, w := v[5], v[6], v[4]
		a.VMULPD(inv, poly, w)
		a.VMULPD(phi, w, q)
		a.VSUBPD(q, a.inRegister(e.one, rest), rest)
		a.with(a.VMULPD, a.VMULPD_BCST, invSqrt2Pi, w, w)
		right := a.compare(greater, x, zero, reg.K2, v[7])
		a.blend(right, rest, w)
		a.blend(right, phi, d)
		a.blend(right, rest, poly)
		a.VDIVPD(poly, d, d)

		// log w. On the left w ≤ ½, so that k = 0 is a right lane with w ≥ √½, where f = −q has not been rounded with 1:
		// the logarithm keeps its relative accuracy down to q = 0.
		f, k := v[6], v[8]
		a.with(a.VPADDQ, a.VPADDQ_BCST, bits(oneMinusRootHalf), w, f)
		a.VPSRLQ(operand.Imm(52), f, k)
		a.with(a.VORPD, a.VORPD_BCST, twoTo52, k, k)
		a.with(a.VSUBPD, a.VSUBPD_BCST, twoTo52+exponentBias, k, k)
		a.with(a.VANDPD, a.VANDPD_BCST, bits(mantissa), f, f)
		a.with(a.VPADDQ, a.VPADDQ_BCST, bits(rootHalf), f, f)
		a.VSUBPD(e.one, f, f)
		a.VSUBPD(q, zero, q)
		near := a.compare(equal, k, zero, reg.K3, v[9])
		a.blend(near, q, f)

		halfSquare, s, s2, s4, odd, even := v[9], v[5], v[10], v[12], v[13], v[14]
		a.with(a.VADDPD, a.VADDPD_BCST, 2, f, s)
		a.VDIVPD(s, f, s)
		a.VMULPD(f, f, halfSquare)
		a.with(a.VMULPD, a.VMULPD_BCST, 0.5, halfSquare, halfSquare)
		a.VMULPD(s, s, s2)
		a.VMULPD(s2, s2, s4)
		c := logCoefficients
		a.set(c[6], odd)
		a.set(c[5], even)
		for j := 4; j >= 0; j-- {
			sum := odd
			if j%2 == 1 {
				sum = even
			}
			a.with(a.VFMADD213PD, a.VFMADD213PD_BCST, c[j], s4, sum)
		}
		a.VMULPD(s4, even, even)
		a.VFMADD213PD(even, s2, odd) // R
		a.VADDPD(halfSquare, odd, odd)
		a.VMULPD(e.lo, k, even)
		a.VFMADD213PD(even, s, odd)
		a.VSUBPD(odd, halfSquare, odd)
		a.VSUBPD(f, odd, odd)
		a.VFMSUB132PD(e.hi, odd, k)

		// Minus x²/2 on the left, in one rounding; NaN comes back here, if integers made a number of it above.
		a.VMINPD(x, zero, x)
		a.with(a.VMULPD, a.VMULPD_BCST, 0.5, x, zero)
		a.VFNMADD231PD(zero, x, k)
		a.move(k, idx(logcdf, i, 0), masked)
		a.move(d, idx(mills, i, 0), masked)
	})
	a.end()
}

// compare returns the lanes in which x and y compare as asked: in k for AVX-512, in t for AVX2.
func (a *asm) compare(how uint64, x, y reg.VecPhysical, k reg.OpmaskPhysical, t reg.VecPhysical) reg.Register {
	if a.wide {
		a.VCMPPD(operand.Imm(how), y, x, k)
		return k
	}
	a.VCMPPD(operand.Imm(how), y, x, t)
	return t
}

// blend puts the chosen lanes of x in dst.
func (a *asm) blend(chosen reg.Register, x, dst reg.VecPhysical) {
	if a.wide {
		a.VMOVAPD(x, chosen, dst)
	} else {
		a.VBLENDVPD(chosen, x, dst, dst)
	}
}
