package sobol

import (
	"fmt"
	"math/bits"

	"github.com/prefer-bo/prefer/internal/splitmix"
)

// A Sequence is a Sobol sequence in [0, 1)ᵈ. It is not safe for concurrent use by Next; At alone is.
type Sequence struct {
	d     int
	v     []uint64 // direction numbers, precision × d: row k is added when digit k of the Gray code of the index is set
	shift []uint64 // d: the digital shift; zero when unscrambled
	x     []uint64 // d: the point Next will return
	next  uint64   // its index
}

// Scrambled returns the sequence of d coordinates, randomised by seed; see the package comment for how. Coordinate j depends on seed and j alone, so a sequence
// of fewer coordinates is the same sequence with the later ones left out. It panics unless 1 ≤ d ≤ MaxDim.
func Scrambled(d int, seed uint64) *Sequence {
	return build(d, func(j int, v *[precision]uint64) uint64 {
		r := coordinateStream(seed, j)
		return scramble(v, &r)
	})
}

// build makes a sequence whose coordinate j has its direction numbers replaced, and its shift given, by randomise.
func build(d int, randomise func(j int, v *[precision]uint64) (shift uint64)) *Sequence {
	if d < 1 || d > MaxDim {
		panic(fmt.Sprintf("sobol: %d dimensions, want 1 to %d", d, MaxDim))
	}
	s := &Sequence{
		d:     d,
		v:     make([]uint64, precision*d),
		shift: make([]uint64, d),
		x:     make([]uint64, d),
	}
	var v [precision]uint64
	for j := range d {
		directions(j, &v)
		s.shift[j] = randomise(j, &v)
		for k := range v {
			s.v[k*d+j] = v[k]
		}
	}
	copy(s.x, s.shift)
	return s
}

// Next writes the next point into dst and moves on. It panics if len(dst) is not d or after 2⁵² points.
//
// Points come in Gray-code order (Antonov and Saleev 1979): the codes of i and i+1 differ in one digit, the number of
// trailing ones of i, so a single direction number separates consecutive points.
func (s *Sequence) Next(dst []float64) {
	s.check(s.next, dst)
	for j, x := range s.x {
		dst[j] = float64(x) * cell
	}
	s.advance()
}

// advance moves x from the point s.next to its successor. There is none after the last one, and check then refuses.
func (s *Sequence) advance() {
	k := bits.TrailingZeros64(^s.next)
	s.next++
	if k >= precision {
		return
	}
	for j, v := range s.v[k*s.d : (k+1)*s.d] {
		s.x[j] ^= v
	}
}

// At writes point i, counted from 0, into dst, wherever Next stands, and does not move it. It panics if len(dst) is not d or i ≥ 2⁵².
func (s *Sequence) At(i uint64, dst []float64) {
	s.check(i, dst)
	for j := range dst {
		dst[j] = float64(s.digits(i, j)) * cell
	}
}

// digits returns coordinate j of point i as an integer below 2⁵²: the ⊕ of the direction numbers selected by the Gray code of i, and the shift.
func (s *Sequence) digits(i uint64, j int) uint64 {
	x := s.shift[j]
	for g := i ^ i>>1; g != 0; g &= g - 1 {
		x ^= s.v[bits.TrailingZeros64(g)*s.d+j]
	}
	return x
}

const (
	cell   = 1.0 / (1 << precision) // width of a cell of the grid, 2⁻⁵²
	length = 1 << precision         // number of points before the sequence would repeat
)

func (s *Sequence) check(i uint64, dst []float64) {
	if len(dst) != s.d {
		panic(fmt.Sprintf("sobol: len(dst) = %d, want %d", len(dst), s.d))
	}
	if i >= length {
		panic(fmt.Sprintf("sobol: point %d, beyond the last of 2^%d", i, precision))
	}
}

// Points returns the first n points of Scrambled(d, seed), n × d, row-major. Powers of two are the best n: such a prefix has the same number of points in every
// cell of many regular partitions of the cube. It panics if n < 0 or unless 1 ≤ d ≤ MaxDim.
func Points(d, n int, seed uint64) []float64 {
	return fill(d, n, seed, func(k uint64) float64 { return float64(k) * cell })
}

// Normals returns the first n points of Scrambled(d, seed), n × d, row-major, each coordinate u moved to the middle of its cell of width 2⁻⁵² and mapped by
// quantile; with the standard normal quantile the rows are quasi-random draws of N(0, I).
//
//	quantile(u + 2⁻⁵³),   u + 2⁻⁵³ from 2⁻⁵³ to 1 − 2⁻⁵³
//
// A scrambled coordinate is 0 with probability 2⁻⁵², where a normal quantile is −Inf. The shift by half a cell makes
// the grid symmetric about ½ and keeps it off 0 and 1 with no clamp; it is exact. It panics as Points does.
func Normals(d, n int, seed uint64, quantile func(float64) float64) []float64 {
	return fill(d, n, seed, func(k uint64) float64 { return quantile(middle(k)) })
}

// middle returns (k + ½)·2⁻⁵², exactly: 2k+1 has at most 53 bits.
func middle(k uint64) float64 { return float64(2*k+1) * (cell / 2) }

// fill returns n × d values of f at the integer coordinates of the scrambled sequence.
func fill(d, n int, seed uint64, f func(k uint64) float64) []float64 {
	if n < 0 {
		panic(fmt.Sprintf("sobol: %d points", n))
	}
	s := Scrambled(d, seed)
	out := make([]float64, 0, n*d)
	for range n {
		for _, k := range s.x {
			out = append(out, f(k))
		}
		s.advance()
	}
	return out
}

// scramble applies a random linear scramble and a digital shift to the direction numbers of one coordinate and returns the shift (Matoušek 1998, Owen 2003). A
// coordinate is a column x of 52 binary digits, most significant first; it becomes
//
//	L·x ⊕ e   over GF(2),
//
// L lower triangular with ones on its diagonal and fair bits below it, e fair bits. Because x is itself a ⊕ of
// direction numbers, L is folded into them here, once, and drawing points costs no more than without scrambling.
//
// L maps each dyadic interval onto one of the same length and so does ⊕ e: the net property of every prefix of 2ᵏ points survives. Each scrambled point is
// uniform on the 2⁵²-point grid. Owen's nested uniform scramble, with its own fair bit at every node of the digit tree, has the same variance for every
// integrand (Owen 2003, Variance with alternative scramblings of digital nets, ACM TOMACS 13, 363–378, on affine matrix scrambling) but costs a hash per digit
// and destroys the structure that makes Next one ⊕ per coordinate; that is why it is not used.
func scramble(v *[precision]uint64, r *splitmix.Stream) (shift uint64) {
	// column[c] holds column c of L as an integer: digit c itself, and fair bits in all digits after it.
	var column [precision]uint64
	for c := range column {
		digit := uint64(1) << (precision - 1 - c)
		column[c] = digit | r.Next()&(digit-1)
	}
	for k, x := range v {
		var y uint64
		for ; x != 0; x &= x - 1 {
			y ^= column[precision-1-bits.TrailingZeros64(x)]
		}
		v[k] = y
	}
	return r.Next() >> (64 - precision)
}

// coordinateStream returns the generator of coordinate j under seed. Its start passes the finaliser twice, so that
// neighbouring seeds and coordinates, the usual ones, do not start at neighbouring places of one stream.
func coordinateStream(seed uint64, j int) splitmix.Stream {
	r := splitmix.Stream(seed)
	r = splitmix.Stream(r.Next() + uint64(j))
	return splitmix.Stream(r.Next())
}
