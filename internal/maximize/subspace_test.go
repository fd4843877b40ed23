package maximize

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSubspace compares the step over the free variables with the dense solve of ZᵀBZ d = −Zᵀ(g + B(xᶜ − x)).
func TestSubspace(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(5, seed))
		p := newBoxedModel(t, r)
		n := len(p.x)
		cp, sub := newCauchy(p.h), newSubspace(p.h)
		cp.find(p.x, p.g, p.lo, p.hi)
		if !sub.find(p.x, p.g, p.lo, p.hi, cp) {
			t.Fatalf("seed %d: not positive definite", seed)
		}
		nf := len(cp.free)
		if p.h.k == 0 || nf == 0 {
			kinds["nothing to do"]++
			for i := range n {
				if sub.point[i] != cp.point[i] {
					t.Fatalf("seed %d: %v, want the Cauchy point %v", seed, sub.point, cp.point)
				}
			}
			continue
		}
		if nf == n {
			kinds["all free"]++
		} else {
			kinds["some active"]++
		}

		d := mat.NewVecDense(n, nil)
		for i := range n {
			d.SetVec(i, cp.point[i]-p.x[i])
		}
		var full mat.VecDense
		full.MulVec(p.b, d)
		full.AddVec(&full, mat.NewVecDense(n, p.g))
		a, rhs := mat.NewDense(nf, nf, nil), mat.NewVecDense(nf, nil)
		for f, i := range cp.free {
			rhs.SetVec(f, -full.AtVec(i))
			for e, j := range cp.free {
				a.Set(f, e, p.b.At(i, j))
			}
		}
		var step mat.VecDense
		if err := step.SolveVec(a, rhs); err != nil {
			t.Fatal(err)
		}

		inside := true
		for f, i := range cp.free {
			z := cp.point[i] + step.AtVec(f)
			inside = inside && p.lo[i] <= z && z <= p.hi[i]
		}
		var slope float64
		for i := range n {
			if sub.point[i] < p.lo[i] || sub.point[i] > p.hi[i] {
				t.Fatalf("seed %d: outside the box", seed)
			}
			slope += p.g[i] * (sub.point[i] - p.x[i])
		}
		if slope > 0 {
			t.Errorf("seed %d: uphill, slope %v", seed, slope)
		}

		// Inside the box the step is the solution; outside it is clipped coordinate by coordinate or, rarely, cut
		// back.
		cut := 1.0
		if !inside {
			kinds["projected"]++
			var s float64
			for f, i := range cp.free {
				s += p.g[i] * (clip(cp.point[i]+step.AtVec(f), p.lo[i], p.hi[i]) - p.x[i])
			}
			for _, i := range cp.active {
				s += p.g[i] * (cp.point[i] - p.x[i])
			}
			if s >= 0 {
				kinds["cut back"]++
				for f, i := range cp.free {
					if v := step.AtVec(f); v > 0 {
						cut = min(cut, (p.hi[i]-cp.point[i])/v)
					} else if v < 0 {
						cut = min(cut, (p.lo[i]-cp.point[i])/v)
					}
				}
			}
		}
		for f, i := range cp.free {
			want := clip(cp.point[i]+cut*step.AtVec(f), p.lo[i], p.hi[i])
			if !near(sub.point[i], want, 1e-7) { // B may be ill-conditioned
				t.Fatalf("seed %d: point[%d] = %v, want %v", seed, i, sub.point[i], want)
			}
		}
	}
	t.Log(kinds)
	for _, k := range []string{"nothing to do", "all free", "some active", "projected"} {
		if kinds[k] < 20 {
			t.Errorf("weak test: only %d cases %q", kinds[k], k)
		}
	}
}

// TestSubspaceCutBack constructs the rare case of project: the clipped step goes uphill, so the step is shortened
// instead.
func TestSubspaceCutBack(t *testing.T) {
	h := newHistory(2, 1)
	sub := newSubspace(h)
	x, g := []float64{0, 0}, []float64{-1, 1}
	lo, hi := []float64{-10, -10}, []float64{0.1, 10}
	cp := []float64{0.05, 0}
	copy(sub.point, cp)
	sub.project(x, g, lo, hi, []int{0, 1}, []float64{10, 5}, cp)
	// Clipped: (0.1, 5), slope 4.9. Cut back to the bound at t = 0.005: (0.1, 0.025).
	if !near(sub.point[0], 0.1, tolSum) || !near(sub.point[1], 0.025, tolSum) {
		t.Errorf("point %v, want (0.1, 0.025)", sub.point)
	}
}
