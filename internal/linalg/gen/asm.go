package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An asm builds one file for one instruction set. It hides what differs between the two: registers, lanes, masks and
// constants. Every instruction is VEX or EVEX encoded; SSE instructions among them would cost a state transition.
type asm struct {
	*build.Context
	wide  bool // AVX-512
	lanes int
	vec   []reg.VecPhysical // v-wide registers

	labels    int                         // used so far in this function
	tables    map[string]operand.Mem      // data of this file
	broadcast map[float64]reg.VecPhysical // constants of this function that are in registers
	top       int                         // registers from here on hold constants
}

func newAsm(wide bool) *asm {
	a := &asm{Context: build.NewContext(), wide: wide, lanes: 4, tables: map[string]operand.Mem{}}
	a.vec = []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}
	if wide {
		a.lanes = 8
		a.vec = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
			reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}
	}
	a.ConstraintExpr("amd64,!noasm")
	return a
}

func (a *asm) suffix() string {
	if a.wide {
		return "AVX512"
	}
	return "AVX2"
}

func (a *asm) begin(k kernel) {
	a.labels = 0
	a.broadcast, a.top = map[float64]reg.VecPhysical{}, len(a.vec)
	a.Function(k.name + a.suffix())
	a.Attributes(attr.NOSPLIT)
	a.SignatureExpr(k.signature(map[bool]string{true: "uint64", false: "*uint64"}[a.wide]))
	a.Doc(strings.Replace(k.doc, k.name, k.name+a.suffix(), 1))
	a.Pragma("noescape")
}

func (a *asm) end() {
	a.VZEROUPPER()
	a.RET()
}

// bytes is the width of a register.
func (a *asm) bytes() int { return 8 * a.lanes }

// label returns a name not used in this function before.
func (a *asm) label(name string) string {
	a.labels++
	return fmt.Sprintf("%s%d", name, a.labels)
}

func (a *asm) ref(label string) operand.LabelRef { return operand.LabelRef(label) }

// arg loads an integer or pointer argument.
func (a *asm) arg(name string) reg.GPVirtual {
	r := a.GP64()
	a.Load(a.Param(name), r)
	return r
}

// stride loads a stride in elements and turns it into bytes.
func (a *asm) stride(name string) reg.GPVirtual {
	r := a.arg(name)
	a.SHLQ(operand.Imm(3), r)
	return r
}

// argMem is the place of an argument or result on the stack.
func (a *asm) argMem(name string) operand.Mem {
	c := a.Param(name)
	if name == "ret" {
		c = a.ReturnIndex(0)
	}
	b, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

func idx(base, index reg.Register, disp int) operand.Mem {
	return operand.Mem{Base: base, Index: index, Scale: 8, Disp: disp}
}

// constant returns an operand that holds x in every lane. AVX-512 has registers to spare and takes them from the top;
// AVX2 reads memory, which an arithmetic instruction does for free.
func (a *asm) constant(x float64) operand.Op {
	if !a.wide {
		return a.memory(x)
	}
	if r, ok := a.broadcast[x]; ok {
		return r
	}
	a.top--
	r := a.vec[a.top]
	a.broadcast[x] = r
	a.VBROADCASTSD(a.memory(x), r)
	return r
}

// memory returns the place of x in read-only data: one number for AVX-512, which broadcasts it, four for AVX2.
func (a *asm) memory(x float64) operand.Mem {
	bits := math.Float64bits(x)
	words := []uint64{bits, bits, bits, bits}
	if a.wide {
		words = words[:1]
	}
	return a.table(fmt.Sprintf("const%016x", bits), words)
}

// An instruction is one of the methods of a context that emit an instruction.
type instruction func(...operand.Op)

// with emits an instruction whose first operand is the constant x in memory, for kernels with more constants than
// registers: plain for AVX2, broadcast is its form that reads one number for AVX-512.
func (a *asm) with(plain, broadcast instruction, x float64, ops ...operand.Op) {
	if a.wide {
		plain = broadcast
	}
	plain(append([]operand.Op{a.memory(x)}, ops...)...)
}

// set puts the constant x of memory in every lane of r.
func (a *asm) set(x float64, r reg.VecPhysical) {
	if a.wide {
		a.VBROADCASTSD(a.memory(x), r)
	} else {
		a.VMOVUPD(a.memory(x), r)
	}
}

// tail sets the mask for the count < v elements at the end of a loop: K1 for AVX-512, the last vector register for AVX2, which keeps its constants in memory.
func (a *asm) tail(count reg.Register) {
	if a.wide {
		m := a.table("tailMasks", []uint64{0x7f3f1f0f07030100})
		p := a.GP64()
		a.LEAQ(m, p)
		a.KMOVB(operand.Mem{Base: p, Index: count, Scale: 1}, reg.K1)
		return
	}
	m := a.table("tailMasks", []uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), 0, 0, 0, 0})
	p, c := a.GP64(), a.GP64()
	a.LEAQ(m.Offset(32), p)
	a.MOVQ(count, c)
	a.NEGQ(c)
	a.VMOVUPD(idx(p, c, 0), a.maskReg())
}

func (a *asm) maskReg() reg.VecPhysical { return a.vec[len(a.vec)-1] }

// table returns read-only data of this file by name and writes it the first time.
func (a *asm) table(name string, words []uint64) operand.Mem {
	m, ok := a.tables[name]
	if !ok {
		m = a.StaticGlobal(name)
		a.DataAttributes(attr.RODATA | attr.NOPTR)
		for _, w := range words {
			a.AppendDatum(operand.U64(w))
		}
		a.tables[name] = m
	}
	return m
}

// move loads or stores a whole register, or under the current mask; masked lanes load as zero and never fault.
func (a *asm) move(from, to operand.Op, masked bool) {
	_, store := to.(operand.Mem)
	switch {
	case !masked:
		a.VMOVUPD(from, to)
	case !a.wide:
		a.VMASKMOVPD(from, a.maskReg(), to)
	case store:
		a.VMOVUPD(from, reg.K1, to)
	default:
		a.VMOVUPD_Z(from, reg.K1, to)
	}
}

// zero clears registers.
func (a *asm) zero(rs ...reg.VecPhysical) {
	for _, r := range rs {
		a.VXORPD(r, r, r)
	}
}

// fma adds m·x to sum; under the mask m is loaded to t first.
func (a *asm) fma(m operand.Mem, x, sum, t reg.VecPhysical, masked bool) {
	if !masked {
		a.VFMADD231PD(m, x, sum)
		return
	}
	a.move(m, t, masked)
	a.VFMADD231PD(t, x, sum)
}

// dispatch emits body for each of the values of x, behind a chain of comparisons in their order.
func (a *asm) dispatch(x reg.Register, values []int, body func(k int)) {
	labels := make([]string, len(values))
	for k, v := range values {
		labels[k] = a.label("shape")
		a.CMPQ(x, operand.Imm(uint64(v)))
		a.JEQ(a.ref(labels[k]))
	}
	a.RET()
	for k, label := range labels {
		a.Label(label)
		body(k)
		a.end()
	}
}

// repeat runs body count times, at least once; count is consumed.
func (a *asm) repeat(name string, count reg.Register, body func()) {
	loop := a.label(name)
	a.Label(loop)
	body()
	a.DECQ(count)
	a.JNE(operand.LabelRef(loop))
}

// step adds strides to pointers, in pairs, unless this is the last row of an unrolled loop.
func (a *asm) step(last bool, pairs ...reg.GPVirtual) {
	for i := 0; i < len(pairs) && !last; i += 2 {
		a.ADDQ(pairs[i], pairs[i+1])
	}
}

// chunks runs body over n elements: unroll vectors at a time, then one, then the masked rest. body gets the number of
// vectors, the index register and whether it is the rest. n is consumed.
func (a *asm) chunks(n reg.Register, unroll int, body func(vectors int, i reg.Register, masked bool)) {
	i := a.GP64()
	a.XORQ(i, i)
	many, one, rest, done := a.label("many"), a.label("one"), a.label("rest"), a.label("done")
	loop := func(vectors int, again, past string) {
		elements := operand.Imm(uint64(vectors * a.lanes))
		a.SUBQ(elements, n)
		a.JLT(a.ref(past))
		a.Label(again)
		body(vectors, i, false)
		a.ADDQ(elements, i)
		a.SUBQ(elements, n)
		a.JGE(a.ref(again))
		a.Label(past)
		a.ADDQ(elements, n)
	}
	if unroll > 1 {
		loop(unroll, many, one)
	}
	loop(1, a.label("single"), rest)
	a.JEQ(a.ref(done))
	a.tail(n)
	body(1, i, true)
	a.Label(done)
}

// half and low are the narrower names of vector register r.
func half(r reg.VecPhysical) reg.Register { return r.AsY() }
func low(r reg.VecPhysical) reg.Register  { return r.AsX() }

// sum adds the lanes of r pairwise into its lowest one; t is scratch.
func (a *asm) sum(r, t reg.VecPhysical) {
	if a.wide {
		a.VEXTRACTF64X4(operand.Imm(1), r, half(t))
		a.VADDPD(half(t), half(r), half(r))
		a.VEXTRACTF64X2(operand.Imm(1), half(r), low(t)) // EVEX, for registers beyond 15
	} else {
		a.VEXTRACTF128(operand.Imm(1), half(r), low(t))
	}
	a.VADDPD(low(t), low(r), low(r))
	a.VUNPCKHPD(low(r), low(r), low(t))
	a.VADDSD(low(t), low(r), low(r))
}
