package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/internal/maximize"
)

// bestKnown is a brute-force search for the best gain on a ground: many random questions with the fantasy
// points at random peaks, long climbs with exchanges, and what the ordinary search found with other seeds.
func bestKnown(t testing.TB, task Task, starts int) float64 {
	t.Helper()
	d := task.Posterior.Dim()
	top := 0.0
	var best Peak
	var known []float64
	for seed := range uint64(3) {
		task.Seed = 100 + seed
		c, err := Ask(t.Context(), "kg", task)
		if err != nil {
			t.Fatal(err)
		}
		top, best = math.Max(top, c.Value), Peak{c.Best, c.Mean}
		known = append(known, slices.Concat(c.A, c.B, c.Fantasy[0], c.Fantasy[1])...)
	}
	task = task.withDefaults()
	g := newRegion(task.Domain, d, 5)
	kg := task.knowledge()
	kg.over(best)
	a := ascent{in: g, limits: []limits{g.asked(task), g.asked(task), g.anywhere(), g.anywhere()}, pair: true}
	rng := rand.New(rand.NewPCG(6, 6))
	pool := g.dom.Points(400, 77)
	pick := func() []float64 { i := rng.IntN(len(pool) / d); return pool[i*d : (i+1)*d] }
	for range starts {
		x, y := pick(), pick()
		known = append(known, slices.Concat(x, y, y, best.X)...)
	}
	plain := func() maximize.Objective { return kg.evaluator().At }
	all := a.from(t.Context(), plain, known, maximize.Settings{MaxEvals: 200, GradTol: 1e-7, ValueTol: 1e-10}, exchangeRounds, 2)
	return math.Max(top, all[0].Value)
}

// worthFinding is a gain, in units of the noise, that a person would notice a part of; far below it the
// only pairs that gain anything are found by luck (docs/dev/search.md).
const worthFinding = 0.01

// TestMixedFraction: what part of the best-known gain the search finds on domains with levels and
// constraints, posteriors of several sizes. Where there is less to gain than is worth finding, no more than that
// can be missed.
func TestMixedFraction(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("nine brute-force searches; the full suite runs it")
	}
	free := smallMixed()
	cut := &Domain{Parts: free.Parts, Feasible: func(x []float64) bool { return x[0]+x[4] <= 1.2 && (x[1] == 0 || x[5] < 0.7) }}
	sum, worst, count := 0.0, 1.0, 0
	for name, dom := range map[string]*Domain{"small": free, "constrained": cut, "large": largeMixed()} {
		asked := []int{0, 12, 24}
		for k, p := range posteriorsOn(t, dom, fill(dom.coordinates(), 1), 15, asked, 1) {
			task := Task{Posterior: p, Domain: dom, Seed: uint64(k)}
			c, err := Ask(t.Context(), "kg", task)
			if err != nil {
				t.Fatal(err)
			}
			top := bestKnown(t, task, 16)
			t.Logf("%s, %d duels: gain %.3e, %.4f of the best known", name, 15+asked[k], c.Value, c.Value/top)
			if top < worthFinding*p.Noise() {
				continue
			}
			sum, worst, count = sum+c.Value/top, math.Min(worst, c.Value/top), count+1
		}
	}
	t.Logf("mean %.4f, worst %.4f", sum/float64(count), worst)
	if count == 0 || sum/float64(count) < 0.97 || worst < 0.9 {
		t.Errorf("the search finds %.4f of the best-known gain, %.4f in the worst case", sum/float64(count), worst)
	}
}

// BenchmarkAskDomain is a knowledge gradient question on domains made of parts.
func BenchmarkAskDomain(b *testing.B) {
	six := &Domain{Parts: Cube(6).Parts, Feasible: func(x []float64) bool { return x[0]+x[1]+x[2]+x[3]+x[4]+x[5] <= 3 }}
	for name, dom := range map[string]*Domain{"cube6": Cube(6), "constrained6": six, "small": smallMixed(), "large": largeMixed()} {
		p := posteriorOn(b, dom, fill(dom.coordinates(), 1), 128, 0, 1)
		b.Run(fmt.Sprintf("%s/n128", name), func(b *testing.B) {
			for b.Loop() {
				if _, err := Ask(b.Context(), "kg", Task{Posterior: p, Domain: dom, Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
