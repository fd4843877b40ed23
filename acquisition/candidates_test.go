package acquisition

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// cornered is a posterior whose mean rises towards the corner (1, 0) of three coordinates, and is highest on that edge.
func cornered(t testing.TB) *gp.Posterior {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	f := func(x []float64) float64 { return 8*x[0] - 8*x[1] - 8*(x[2]-0.4)*(x[2]-0.4) }
	d := &gp.Duels{Dim: 3}
	for range 60 {
		a, b := make([]float64, 3), make([]float64, 3)
		for j := range a {
			a[j], b[j] = min(max(2*rng.Float64()-0.5, 0), 1), min(max(2*rng.Float64()-0.5, 0), 1)
		}
		o := gp.Outcome(1)
		if f(a) < f(b) {
			o = -1
		}
		if err := d.Add(a, b, o); err != nil {
			t.Fatal(err)
		}
	}
	p, err := gp.Model{}.Condition(d, gp.Hyper{Kernel: gp.Kernel{Lengthscale: []float64{1.5, 1.5, 0.7}, Outputscale: 30}, Cuts: gp.Cuts{0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestInward: x̂ held by two faces has candidates off each of them that differ from it in that coordinate alone; they may
// be the best while pairs are ranked, of which no more than a quarter is near x̂ otherwise. On a constrained domain
// there are some off the wall, too.
func TestInward(t *testing.T) {
	p := cornered(t)
	peaks := Recommend(t.Context(), nil, p, nil, nil, 1, 1)
	best := peaks[0].X
	if faces(best) != "10." {
		t.Fatalf("x̂ is %v, the test wants it on two faces", best)
	}
	task := Task{Posterior: p, Seed: 2}.withDefaults()
	c := newCandidates(task, peaks, nil, inward(p, best), nil)
	if len(c.inward) != 2*len(inwardSteps) {
		t.Fatalf("%d candidates off the faces, want %d", len(c.inward), 2*len(inwardSteps))
	}
	for k, i := range c.inward {
		x, j := clone(c.row(i)), k/len(inwardSteps)
		step := inwardSteps[k%len(inwardSteps)] * min(1, p.Hyper().Kernel.Lengthscale[j])
		if math.Abs(math.Abs(x[j]-best[j])-step) > 1e-12 || !(x[j] >= 0 && x[j] <= 1) {
			t.Errorf("candidate %v, want %v with coordinate %d moved by %g", x, best, j, step)
		}
		if x[j] = best[j]; !slices.Equal(x, best) {
			t.Errorf("candidate %v differs from %v in other coordinates", x, best)
		}
	}
	inner := newRanking(task.knowledge()[0].kg, c, newQuadratic(p, c)).inner
	near := 0
	for _, i := range inner[1:] {
		if c.near[i] && !slices.Contains(c.inward, i) {
			near++
		}
	}
	for _, i := range c.inward {
		if !slices.Contains(inner, i) {
			t.Errorf("candidate %d, off a face, may not be the best", i)
		}
	}
	if inner[0] != 0 || near > rankInner/nearRivals {
		t.Errorf("%d of %d that may be the best are near x̂", near, len(inner))
	}

	dom := &Domain{Parts: Cube(3).Parts, Feasible: func(x []float64) bool { return x[0]-x[1] <= 0.7 }}
	peaks = Recommend(t.Context(), dom, p, nil, nil, 1, 1)
	s, err := Task{Posterior: p, Domain: dom, Seed: 2}.withDefaults().space()
	if err != nil {
		t.Fatal(err)
	}
	off := 0
	rows := s.(*mixed).inward(p, peaks[0].X)
	for i := 0; i < len(rows); i += 3 {
		if x := rows[i : i+3]; !dom.Contains(x) {
			t.Errorf("%v is no option", x)
		} else if x[0]-x[1] < 0.68 {
			off++
		}
	}
	if off < 3 {
		t.Errorf("%d candidates off the wall that holds %v: %v", off, peaks[0].X, rows)
	}
}
