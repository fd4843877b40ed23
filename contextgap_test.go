package prefer

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

var contextSeeds = flag.Uint64("contexts", 1, "studies of each kind of TestContextGap")

// TestContextGap: two bests that differ in one of two parameters, one under each context, after twelve noisy answers under each by turns:
// what the picks miss with a context, with an ordinary parameter that asks fix, and in a study for each (docs/results/spaces.md).
func TestContextGap(t *testing.T) {
	for _, kind := range []string{"context", "fixed", "separate"} {
		var gaps []float64
		for seed := range *contextSeeds {
			gaps = append(gaps, contextGaps(t, kind, seed)...)
		}
		slices.Sort(gaps)
		mean := 0.0
		for _, g := range gaps {
			mean += g / float64(len(gaps))
		}
		t.Logf("%-8s gap %.3f, median %.3f, worst %.3f", kind, mean, gaps[len(gaps)/2], gaps[len(gaps)-1])
		if kind == "context" && mean > 0.25 {
			t.Errorf("under a context the gap is %.3f on average, want at most 0.25", mean)
		}
	}
}

func contextGaps(t *testing.T, kind string, seed uint64) (gaps []float64) {
	noise := space.Categorical("noise", "quiet", "babble")
	noise.Context = kind == "context"
	rng := rand.New(rand.NewPCG(seed, 7))
	x, y := rng.Float64(), [2]float64{rng.Float64(), rng.Float64()}
	worth := func(o space.Option, c int) float64 {
		return -6 * (math.Pow(o.Float("x")-x, 2) + math.Pow(o.Float("y")-y[c], 2))
	}
	under := func(c int) space.Option { return space.Option{"noise": noise.Choices[c]} }
	studies := []*Study{start(t, Config{Space: space.Box(space.Float("x", 0, 1), space.Float("y", 0, 1), noise), Seed: seed})}
	if kind == "separate" {
		studies = []*Study{start(t, Config{Space: unitSquare(), Seed: seed}), start(t, Config{Space: unitSquare(), Seed: seed + 100})}
		under = func(int) space.Option { return nil }
	}
	for k := range 24 {
		c := k % 2
		s := studies[c%len(studies)]
		q, err := s.Ask(t.Context(), Request{Fixed: under(c)})
		if err != nil {
			t.Fatal(err)
		}
		choice := First
		if worth(q.First, c)-worth(q.Second, c)+0.3*rng.NormFloat64() < 0 {
			choice = Second
		}
		tell(t, s, q.ID, choice)
	}
	for c := range 2 {
		b, err := studies[c%len(studies)].Best(t.Context(), Look{Fixed: under(c)})
		if err != nil {
			t.Fatal(err)
		}
		gaps = append(gaps, -worth(b.Option, c))
	}
	return gaps
}
