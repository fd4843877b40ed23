package sobol

import (
	"math"
	"slices"
	"testing"
)

func TestPoints(t *testing.T) {
	for _, d := range []int{1, 3, 64} {
		if got, want := Points(d, 100, 5), take(Scrambled(d, 5), 100); !slices.Equal(got, want) {
			t.Errorf("d = %d: Points differs from the sequence", d)
		}
	}
	if got := Points(2, 0, 1); got == nil || len(got) != 0 {
		t.Errorf("no points: %v", got)
	}
	for _, v := range Points(8, 4096, 1) {
		if !(v >= 0 && v < 1) {
			t.Fatalf("coordinate %v", v)
		}
	}
	mustPanic(t, "-1 points", func() { Points(2, -1, 1) })
	mustPanic(t, "65 dimensions", func() { Points(65, 1, 1) })
}

// TestMiddle: the first and last cells do not round to 0 or 1, and the grid is symmetric about ½.
func TestMiddle(t *testing.T) {
	if got := middle(0); got != 0x1p-53 {
		t.Errorf("first %v", got)
	}
	if got := middle(length - 1); got != 1-0x1p-53 {
		t.Errorf("last %v", got)
	}
	for _, k := range []uint64{0, 1, 12345, length/2 - 1, length / 2, length - 2} {
		if a, b := middle(k), middle(length-1-k); a+b != 1 {
			t.Errorf("middle(%d) = %v and its mirror %v", k, a, b)
		}
	}
}

func TestNormals(t *testing.T) {
	const d, n = 3, 1024
	identity := Normals(d, n, 7, func(u float64) float64 { return u })
	for i, u := range Points(d, n, 7) {
		if identity[i] != u+0x1p-53 {
			t.Fatalf("entry %d: %v, want %v moved by half a cell", i, identity[i], u)
		}
	}
	z := Normals(d, n, 7, func(u float64) float64 { return math.Sqrt2 * math.Erfinv(2*u-1) })
	for j := range d {
		var mean, square, cross float64
		for i := range n {
			v, w := z[i*d+j], z[i*d+(j+1)%d]
			if math.IsInf(v, 0) || math.IsNaN(v) {
				t.Fatalf("entry %d, %d: %v", i, j, v)
			}
			mean += v / n
			square += v * v / n
			cross += v * w / n
		}
		// Far tighter than the 1/√1024 = 0.03 of independent draws.
		if math.Abs(mean) > 0.003 || math.Abs(square-1) > 0.02 || math.Abs(cross) > 0.03 {
			t.Errorf("coordinate %d: mean %v, second moment %v, product with the next %v", j, mean, square, cross)
		}
	}
	mustPanic(t, "-1 points", func() { Normals(2, -1, 1, math.Log) })
}
