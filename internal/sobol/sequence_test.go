package sobol

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// New returns the unscrambled sequence of d coordinates. Its first point is the origin and its second (½, …, ½). It panics unless 1 ≤ d ≤ MaxDim.
func New(d int) *Sequence {
	return build(d, func(int, *[precision]uint64) uint64 { return 0 })
}

// Skip lets Next pass over n points. It panics if that leads beyond 2⁵².
func (s *Sequence) Skip(n uint64) {
	if n > length-s.next {
		panic(fmt.Sprintf("sobol: skip %d points at %d, beyond the last of 2^%d", n, s.next, precision))
	}
	s.next += n
	if s.next == length {
		return
	}
	for j := range s.x {
		s.x[j] = s.digits(s.next, j)
	}
}

// TestGolden compares all 64 coordinates with SciPy, see testdata/golden.py: the first 64 points, and eight from the
// middle of the sequence.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/points.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Tool     string
		Bits     int
		Points   [][]float64
		Far      [][]float64
		FarFirst uint64 `json:"far_first"`
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(golden.Tool, "SciPy ") || len(golden.Points) != 64 || len(golden.Far) != 8 {
		t.Fatalf("%d and %d points by %q", len(golden.Points), len(golden.Far), golden.Tool)
	}
	s := New(MaxDim)
	got := make([]float64, MaxDim)
	check := func(i int, want []float64) {
		t.Helper()
		s.Next(got)
		for j, w := range want {
			if got[j] != math.Ldexp(w, -golden.Bits) {
				t.Errorf("point %d, coordinate %d: %v, want %v", i, j, got[j], math.Ldexp(w, -golden.Bits))
			}
		}
		if len(want) != MaxDim {
			t.Errorf("point %d: %d coordinates", i, len(want))
		}
	}
	for i, p := range golden.Points {
		check(i, p)
	}
	s.Skip(golden.FarFirst - 64)
	for i, p := range golden.Far {
		check(int(golden.FarFirst)+i, p)
	}
}

// TestFirstPoints pins the order down by hand: a table read one coordinate off gives (0.375, 0.625) at index 4.
func TestFirstPoints(t *testing.T) {
	s := New(2)
	got := make([]float64, 2)
	for i, want := range [][2]float64{{0, 0}, {0.5, 0.5}, {0.75, 0.25}, {0.25, 0.75}, {0.375, 0.375}, {0.875, 0.875}} {
		if s.Next(got); [2]float64(got) != want {
			t.Errorf("point %d = %v, want %v", i, got, want)
		}
	}
}

// sequences calls f for the plain sequence and for some scrambled ones.
func sequences(t *testing.T, d int, f func(t *testing.T, s *Sequence)) {
	t.Run("plain", func(t *testing.T) { f(t, New(d)) })
	for _, seed := range []uint64{0, 1, 2, math.MaxUint64} {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { f(t, Scrambled(d, seed)) })
	}
}

// take returns the next n points, row-major.
func take(s *Sequence, n int) []float64 {
	out := make([]float64, n*s.d)
	for i := range n {
		s.Next(out[i*s.d:][:s.d])
	}
	return out
}

// TestProjections: of the first 2ᵏ points, and of every later block of 2ᵏ, each of the 2ᵏ dyadic intervals of each
// coordinate holds exactly one.
func TestProjections(t *testing.T) {
	sequences(t, MaxDim, func(t *testing.T, s *Sequence) {
		const total = 1 << 10
		p := take(s, total)
		for k := 0; k <= 10; k++ {
			for block := 0; block < total; block += 1 << k {
				for j := range MaxDim {
					hit := make([]bool, 1<<k)
					for i := range 1 << k {
						cell := int(p[(block+i)*MaxDim+j] * float64(int(1)<<k))
						if hit[cell] {
							t.Fatalf("coordinate %d, %d points from %d: two in cell %d", j, 1<<k, block, cell)
						}
						hit[cell] = true
					}
				}
			}
		}
	})
}

// TestElementaryIntervals checks the (t, m, 2)-net property of pairs of coordinates: every box 2⁻ᵃ × 2⁻ᵇ with a + b =
// m − t holds exactly 2ᵗ of the first 2ᵐ points. A coordinate with a polynomial of degree e adds e − 1 to t (Sobol
// 1967); for the first pair t = 0.
func TestElementaryIntervals(t *testing.T) {
	degree := []int{1, 1, 2, 3, 3, 4} // coordinate 1 counts as degree 1
	const d, m = 6, 10
	sequences(t, d, func(t *testing.T, s *Sequence) {
		p := take(s, 1<<m)
		boxes := 0
		for j := range d {
			for l := range j {
				q := degree[j] - 1 + degree[l] - 1
				for a := 0; a <= m-q; a++ {
					b := m - q - a
					count := make([]int, 1<<(a+b))
					for i := range 1 << m {
						u := int(p[i*d+j] * float64(int(1)<<a))
						v := int(p[i*d+l] * float64(int(1)<<b))
						count[u<<b|v]++
					}
					for c, n := range count {
						if n != 1<<q {
							t.Fatalf("coordinates %d and %d, box %d of 2^-%d × 2^-%d: %d points, want %d", l, j, c, a, b, n, 1<<q)
						}
						boxes++
					}
				}
			}
		}
		if boxes < 10000 {
			t.Errorf("only %d boxes checked", boxes)
		}
	})
}

// TestAt: random access gives what Next gives, and does not move it; Skip too.
func TestAt(t *testing.T) {
	sequences(t, 7, func(t *testing.T, s *Sequence) {
		a, b := make([]float64, 7), make([]float64, 7)
		r := rand.New(rand.NewPCG(1, 1))
		at := uint64(0)
		for range 300 {
			if r.IntN(4) == 0 {
				n := r.Uint64N(1 << r.IntN(40))
				s.Skip(n)
				at += n
			}
			s.At(r.Uint64N(1<<52), a)
			s.At(at, a)
			s.Next(b)
			if !slices.Equal(a, b) {
				t.Fatalf("point %d: At %v, Next %v", at, a, b)
			}
			at++
		}
	})
}

// TestConcurrentAt is for the race detector.
func TestConcurrentAt(t *testing.T) {
	s := Scrambled(5, 1)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			x := make([]float64, 5)
			for i := range uint64(100) {
				s.At(i*uint64(g+1), x)
			}
		})
	}
	wg.Wait()
}

// TestEnd: the last point is number 2⁵²−1.
func TestEnd(t *testing.T) {
	s := Scrambled(2, 3)
	x, y := make([]float64, 2), make([]float64, 2)
	s.Skip(1<<52 - 1)
	s.Next(x)
	s.At(1<<52-1, y)
	if !slices.Equal(x, y) {
		t.Errorf("last point %v, want %v", x, y)
	}
	mustPanic(t, "beyond", func() { s.Next(x) })
	mustPanic(t, "beyond", func() { s.Skip(1) })
	mustPanic(t, "beyond", func() { s.At(1<<52, x) })
	s.Skip(0)

	s = New(1)
	s.Skip(1 << 52)
	mustPanic(t, "beyond", func() { s.Next(x[:1]) })
}

// TestPrefix: fewer coordinates of the same seed are the first of more.
func TestPrefix(t *testing.T) {
	long := take(Scrambled(MaxDim, 9), 16)
	for d := 1; d < MaxDim; d++ {
		short := take(Scrambled(d, 9), 16)
		for i := range 16 {
			if !slices.Equal(short[i*d:][:d], long[i*MaxDim:][:d]) {
				t.Fatalf("d = %d, point %d differs", d, i)
			}
		}
	}
}

// TestSeeds: the same seed repeats to the bit, different seeds share no coordinate of any point.
func TestSeeds(t *testing.T) {
	const n = 256
	seen := map[float64]uint64{}
	for seed := range uint64(20) {
		p := take(Scrambled(3, seed), n)
		if !slices.Equal(p, take(Scrambled(3, seed), n)) {
			t.Fatalf("seed %d does not repeat", seed)
		}
		for _, v := range p {
			if other, ok := seen[v]; ok {
				t.Fatalf("%v under seeds %d and %d", v, other, seed)
			}
			seen[v] = seed
		}
	}
	// A pinned point: seeds must mean the same on every platform and in every release.
	x := make([]float64, 3)
	Scrambled(3, 42).At(5, x)
	if want := []float64{0.7420181553138714, 0.4978114819536539, 0.8441094431969505}; !slices.Equal(x, want) {
		t.Errorf("point 5 of seed 42 is %#v, was %#v", x, want)
	}
}

// TestCentre: scrambled points stay away from the origin and the centre, where symmetric functions are special.
func TestCentre(t *testing.T) {
	for seed := range uint64(100) {
		for i, v := range take(Scrambled(4, seed), 1024) {
			if v == 0.5 || v == 0 {
				t.Fatalf("seed %d: coordinate %d of point %d is %v", seed, i%4, i/4, v)
			}
		}
	}
}

// TestScrambledMarginals: over seeds, any one coordinate of any one point is uniform, and two coordinates or two
// points are uncorrelated unless the net forbids it.
func TestScrambledMarginals(t *testing.T) {
	const seeds, bins = 6400, 64
	for _, c := range []struct {
		i uint64
		j int
	}{{0, 0}, {0, 5}, {1, 0}, {7, 3}, {1000, 1}, {1 << 40, 5}} {
		count := make([]float64, bins)
		var low, cross float64
		x := make([]float64, 6)
		for seed := range uint64(seeds) {
			Scrambled(6, seed).At(c.i, x)
			count[int(x[c.j]*bins)]++
			_, frac := math.Modf(x[c.j] * (1 << 32)) // the digits no direction number of a small index reaches
			low += frac
			cross += (x[c.j] - 0.5) * (x[(c.j+1)%6] - 0.5) * 12
		}
		var chi2 float64
		for _, n := range count {
			chi2 += (n - seeds/bins) * (n - seeds/bins) / (seeds / bins)
		}
		// χ² with 63 degrees of freedom exceeds 110 with probability 2e-4.
		if chi2 > 110 {
			t.Errorf("point %d, coordinate %d: χ² = %v over %d bins", c.i, c.j, chi2, bins)
		}
		// Means of 6400: standard deviations 0.0036 and 0.0125.
		if mean := low / seeds; math.Abs(mean-0.5) > 0.015 {
			t.Errorf("point %d, coordinate %d: low digits average %v", c.i, c.j, mean)
		}
		if r := cross / seeds; math.Abs(r) > 0.05 {
			t.Errorf("point %d, coordinate %d: correlation %v with the next", c.i, c.j, r)
		}
	}
}

// TestIntegration: the error of an average of a smooth function falls almost like n^−3/2 for scrambled points,
// against n^−1/2 for random ones.
func TestIntegration(t *testing.T) {
	const d = 5
	f := func(x []float64) float64 { // ∏ (1 + (eˣ − e + 1)/4), integral 1
		p := 1.0
		for _, v := range x {
			p *= 1 + (math.Exp(v)-math.E+1)/4
		}
		return p
	}
	rms := func(n int, draw func(seed uint64) []float64) float64 {
		var sum float64
		const repeats = 40
		for seed := range uint64(repeats) {
			p := draw(seed)
			var mean float64
			for i := range n {
				mean += f(p[i*d:][:d]) / float64(n)
			}
			sum += (mean - 1) * (mean - 1) / repeats
		}
		return math.Sqrt(sum)
	}
	sobolRMS := func(n int) float64 { return rms(n, func(seed uint64) []float64 { return Points(d, n, seed) }) }
	plainRMS := func(n int) float64 {
		return rms(n, func(seed uint64) []float64 {
			r := rand.New(rand.NewPCG(seed, 1))
			p := make([]float64, n*d)
			for i := range p {
				p[i] = r.Float64()
			}
			return p
		})
	}
	small, large, random := sobolRMS(1<<6), sobolRMS(1<<12), plainRMS(1<<12)
	rate := math.Log2(small/large) / 6
	t.Logf("RMS error at 64 and 4096 points: %.3g, %.3g, rate n^-%.2f; random points %.3g", small, large, rate, random)
	if rate < 1.2 || large > random/50 {
		t.Errorf("RMS error %v at 4096 points, rate %v; random points %v", large, rate, random)
	}
}

func TestPanics(t *testing.T) {
	for _, d := range []int{-1, 0, 65} {
		mustPanic(t, "dimensions, want 1 to 64", func() { New(d) })
		mustPanic(t, "dimensions, want 1 to 64", func() { Scrambled(d, 1) })
	}
	mustPanic(t, "len(dst) = 2, want 3", func() { New(3).Next(make([]float64, 2)) })
	mustPanic(t, "len(dst) = 4, want 3", func() { New(3).At(0, make([]float64, 4)) })
	if New(64).d != 64 {
		t.Error("Dim is wrong")
	}
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		s, ok := recover().(string)
		if !ok || !strings.HasPrefix(s, "sobol: ") || !strings.Contains(s, want) {
			t.Errorf("panic %q, want one of this package with %q", s, want)
		}
	}()
	f()
}

func TestNextDoesNotAllocate(t *testing.T) {
	s := Scrambled(24, 1)
	x := make([]float64, 24)
	if a := testing.AllocsPerRun(100, func() { s.Next(x); s.At(12345, x) }); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

func BenchmarkScrambled(b *testing.B) {
	for b.Loop() {
		Scrambled(24, 1)
	}
}

func BenchmarkNext(b *testing.B) {
	s := Scrambled(24, 1)
	x := make([]float64, 24)
	for b.Loop() {
		s.Next(x)
	}
}

func BenchmarkAt(b *testing.B) {
	s := Scrambled(24, 1)
	x := make([]float64, 24)
	for i := uint64(0); b.Loop(); i++ {
		s.At(i%1024, x)
	}
}
