package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

const eps = 0x1p-52

// sizes are dimensions around the multiples of every block: lanes (4, 8), panels (12, 24), depth (256). The race
// detector slows plain Go down twentyfold, and has nothing to find in a larger matrix.
var sizes = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 23, 24, 25, 31, 33, 47, 48, 49, 63, 64, 65, 200, 401}

func init() {
	if raceEnabled {
		sizes = []int{0, 1, 7, 8, 9, 23, 24, 25, 31, 63, 64, 65, 130}
	}
}

// eachPath runs f once along every path of this machine.
func eachPath(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, p := range Available() {
		t.Run(p.String(), func(t *testing.T) {
			force(t, p)
			f(t)
		})
	}
}

func force(tb testing.TB, p Path) {
	tb.Helper()
	restore, err := Force(p)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(restore)
}

// guard is a NaN with a payload of its own. It lies around and between the rows of every test matrix: a kernel that reads
// it gets NaN, and check finds a kernel that writes it.
var guard = math.Float64frombits(0x7ff8dead0000beef)

// margin is the number of guards before and after: more than the widest vector.
const margin = 16

// A matrix is a guarded m×n matrix with leading dimension ld.
type matrix struct {
	full, a  []float64
	m, n, ld int
}

func newMatrix(m, n, pad int) matrix {
	ld := max(1, n+pad)
	size := 0
	if m > 0 && n > 0 {
		size = (m-1)*ld + n
	}
	full := make([]float64, margin+size+margin)
	for i := range full {
		full[i] = guard
	}
	return matrix{full, full[margin : margin+size : margin+size], m, n, ld}
}

func randomMatrix(rng *rand.Rand, m, n, pad int) matrix {
	x := newMatrix(m, n, pad)
	for i := range m {
		for j := range n {
			x.a[i*x.ld+j] = rng.NormFloat64()
		}
	}
	return x
}

// randomLower returns a well conditioned lower triangle with guards above it.
func randomLower(rng *rand.Rand, n, pad int) matrix {
	x := newMatrix(n, n, pad)
	for i := range n {
		for j := range i {
			x.a[i*x.ld+j] = rng.NormFloat64() / math.Sqrt(float64(n))
		}
		x.a[i*x.ld+i] = 1 + rng.Float64()
	}
	return x
}

func (x matrix) clone() matrix {
	y := newMatrix(x.m, x.n, x.ld-x.n)
	copy(y.full, x.full)
	y.ld = x.ld
	return y
}

// lowerDense returns the lower triangle with zeros above it, and without guards.
func (x matrix) lowerDense() matrix {
	y := newMatrix(x.m, x.n, 0)
	for i := range x.m {
		for j := range x.n {
			y.a[i*y.ld+j] = 0
			if j <= i {
				y.a[i*y.ld+j] = x.a[i*x.ld+j]
			}
		}
	}
	return y
}

func (x matrix) abs() matrix {
	y := x.clone()
	for i, v := range y.a {
		y.a[i] = math.Abs(v)
	}
	return y
}

// general makes a gonum matrix; gonum wants whole rows.
func (x matrix) general() blas64.General {
	y := blas64.General{Rows: x.m, Cols: x.n, Stride: max(1, x.n), Data: make([]float64, x.m*max(1, x.n))}
	for i := range x.m {
		copy(y.Data[i*y.Stride:i*y.Stride+x.n], x.a[i*x.ld:])
	}
	return y
}

// product returns op(A)·op(B) by gonum.
func product(transA, transB bool, a, b matrix) matrix {
	m, n := a.m, b.n
	if transA {
		m = a.n
	}
	if transB {
		n = b.m
	}
	c := newMatrix(m, n, 0)
	if m == 0 || n == 0 {
		return c
	}
	ta, tb := blas.NoTrans, blas.NoTrans
	if transA {
		ta = blas.Trans
	}
	if transB {
		tb = blas.Trans
	}
	clear(c.a)
	if a.m == 0 || a.n == 0 {
		return c
	}
	blas64.Gemm(ta, tb, 1, a.general(), b.general(), 0, blas64.General{Rows: m, Cols: n, Stride: c.ld, Data: c.a})
	return c
}

// check fails if a guard outside of the elements for which inside holds has changed.
func (x matrix) check(t *testing.T, inside func(i, j int) bool) {
	t.Helper()
	for p, v := range x.full {
		q := p - margin
		if q >= 0 && q < len(x.a) {
			if i, j := q/x.ld, q%x.ld; j < x.n && inside(i, j) {
				continue
			}
		}
		if math.Float64bits(v) != math.Float64bits(guard) {
			t.Fatalf("wrote outside the matrix, at offset %d: %v", q, v)
		}
	}
}

func whole(i, j int) bool { return true }
func lower(i, j int) bool { return j <= i }

// near fails unless |got − want| ≤ factor·ε·size for every element for which inside holds. size is the sum of absolute
// values behind an element, so that the bound is the textbook one for sums in any order.
func near(t *testing.T, what string, got, want, size matrix, factor float64, inside func(i, j int) bool) {
	t.Helper()
	for i := range got.m {
		for j := range got.n {
			if !inside(i, j) {
				continue
			}
			g, w, s := got.a[i*got.ld+j], want.a[i*want.ld+j], size.a[i*size.ld+j]
			if !(math.Abs(g-w) <= factor*eps*s) {
				t.Fatalf("%s (%d, %d): got %v, want %v, |difference| = %.3g > %.3g", what, i, j, g, w, math.Abs(g-w), factor*eps*s)
			}
		}
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// name labels a subtest without allocating one t.Run per size.
func name(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// wantPanic fails unless f panics with a string of this package.
func wantPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		s, ok := recover().(string)
		if !ok || len(s) < 7 || s[:7] != "linalg:" {
			t.Errorf("%s: recovered %q, want a panic that starts with linalg:", what, s)
		}
	}()
	f()
}
