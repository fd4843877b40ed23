package maximize

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A boxedModel is a random history with its explicit matrix, an iterate in a random box (variables at bounds, fixed
// and unbounded ones among them) and a gradient.
type boxedModel struct {
	h            *history
	b            *mat.Dense
	x, g, lo, hi []float64
}

func newBoxedModel(t *testing.T, r *rand.Rand) boxedModel {
	t.Helper()
	n, m := 1+r.IntN(9), 1+r.IntN(5)
	p := boxedModel{g: normals(r, n), x: make([]float64, n), lo: make([]float64, n), hi: make([]float64, n)}
	p.h, p.b = pairs(t, r, n, m, r.IntN(2*m+1))
	for i := range n {
		p.lo[i] = -r.Float64()
		p.hi[i] = r.Float64()
		switch r.IntN(6) {
		case 0:
			p.x[i] = p.lo[i]
		case 1:
			p.x[i] = p.hi[i]
		case 2:
			p.lo[i], p.hi[i] = math.Inf(-1), math.Inf(1)
		case 3:
			p.lo[i], p.hi[i] = 0, 0
		case 4:
			p.g[i] = 0
		}
	}
	return p
}

// firstMinimum finds the first local minimiser of the model along clip(x − t·g) from its definition: piece by piece
// between the sorted bends, slope and curvature of each from the explicit matrix.
func (p boxedModel) firstMinimum() []float64 {
	n := len(p.x)
	bends := make([]float64, n) // where variable i stops
	for i, g := range p.g {
		switch {
		case g > 0:
			bends[i] = (p.x[i] - p.lo[i]) / g
		case g < 0:
			bends[i] = (p.x[i] - p.hi[i]) / g
		}
	}
	at := func(t float64) *mat.VecDense {
		z := mat.NewVecDense(n, nil)
		for i := range n {
			if p.g[i] == 0 {
				z.SetVec(i, p.x[i])
			} else {
				z.SetVec(i, clip(p.x[i]-t*p.g[i], p.lo[i], p.hi[i]))
			}
		}
		return z
	}
	from := 0.0
	for _, to := range slices.Sorted(slices.Values(bends)) {
		if to == from {
			continue
		}
		d, move := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			if bends[i] > from {
				d.SetVec(i, -p.g[i])
			}
		}
		move.SubVec(at(from), mat.NewVecDense(n, p.x))
		slope := mat.Dot(mat.NewVecDense(n, p.g), d) + mat.Inner(d, p.b, move)
		if slope >= 0 {
			break
		}
		if t := from - slope/mat.Inner(d, p.b, d); t < to {
			return at(t).RawVector().Data
		}
		from = to
	}
	return at(from).RawVector().Data
}

func TestCauchyPoint(t *testing.T) {
	moved, held := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(4, seed))
		p := newBoxedModel(t, r)
		cp := newCauchy(p.h)
		cp.find(p.x, p.g, p.lo, p.hi)
		want := p.firstMinimum()
		for i := range want {
			if !near(cp.point[i], want[i], tolSolve) {
				t.Fatalf("seed %d: Cauchy point %v, want %v", seed, cp.point, want)
			}
			if cp.point[i] < p.lo[i] || cp.point[i] > p.hi[i] {
				t.Fatalf("seed %d: outside the box", seed)
			}
			if want[i] != p.x[i] {
				moved++
			}
		}
		held += len(cp.active)

		// c = Wᵀ(xᶜ − x), and free and active split the variables by their bounds.
		d, c := make([]float64, len(want)), make([]float64, 2*p.h.k)
		for i := range d {
			d[i] = cp.point[i] - p.x[i]
		}
		p.h.mulWt(c, d)
		for j := range c {
			if !near(c[j], cp.c[j], tolSolve) {
				t.Fatalf("seed %d: c = %v, want %v", seed, cp.c[:len(c)], c)
			}
		}
		if len(cp.free)+len(cp.active) != len(d) {
			t.Fatalf("seed %d: %d free, %d active of %d", seed, len(cp.free), len(cp.active), len(d))
		}
		for _, i := range cp.free {
			if cp.point[i] == p.lo[i] || cp.point[i] == p.hi[i] {
				t.Fatalf("seed %d: variable %d is free at its bound", seed, i)
			}
		}
	}
	if moved < 1000 || held < 1000 {
		t.Errorf("weak test: %d variables moved, %d held", moved, held)
	}
}
