package research

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestArrayIsExact: numbers come back to the bit, those among them that decimal JSON does not have.
func TestArrayIsExact(t *testing.T) {
	in := matrix([]float64{0.1, math.Copysign(0, -1), math.Inf(1), math.SmallestNonzeroFloat64, math.MaxFloat64, math.NaN()}, 3)
	raw := in.put([]byte("before"))
	out := Array{Shape: in.Shape, At: in.At}
	if err := out.take("x", raw); err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(in.Data, out.Data, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
		t.Errorf("%v became %v", in, out)
	}
	if raw := vector([]float64{1}).put(nil); !bytes.Equal(raw, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}) {
		t.Errorf("1 is %x", raw)
	}
}

func TestArrayFails(t *testing.T) {
	for _, c := range []struct {
		shape []int
		at    int
		want  string
	}{
		{nil, 0, "x has the shape []"},
		{[]int{3}, 0, "and 16 bytes followed"},
		{[]int{2}, 8, "from byte 8 on"},
		{[]int{1}, -8, "from byte -8 on"},
		{[]int{-1}, 0, "the shape [-1], want sizes"},
		{[]int{1 << 40, 2}, 0, "want sizes"},
		{[]int{1 << 31, 1 << 31, 1 << 31}, 0, "want sizes"},
	} {
		a := Array{Shape: c.shape, At: c.at}
		if err := a.take("x", make([]byte, 16)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v at %d: %v, want %q", c.shape, c.at, err, c.want)
		}
	}
}

// BenchmarkArray writes and reads 4096 points in six dimensions: as bytes after a line, in base64 and as decimal numbers in it.
func BenchmarkArray(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	a := matrix(make([]float64, 4096*6), 6)
	for i := range a.Data {
		a.Data[i] = rng.Float64()
	}
	b.Run("bytes", func(b *testing.B) {
		for b.Loop() {
			raw := a.put(nil)
			if err := a.take("x", raw); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("base64", func(b *testing.B) {
		for b.Loop() {
			text, err := json.Marshal(base64.StdEncoding.EncodeToString(a.put(nil)))
			var back []byte
			if err := json.Unmarshal(text, &back); err != nil {
				b.Fatal(err)
			}
			if a.At = 0; err != nil || a.take("x", back) != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decimal", func(b *testing.B) {
		rows := slices.Collect(slices.Chunk(a.Data, 6))
		for b.Loop() {
			text, err := json.Marshal(rows)
			if err != nil {
				b.Fatal(err)
			}
			var back [][]float64
			if err := json.Unmarshal(text, &back); err != nil {
				b.Fatal(err)
			}
		}
	})
}
