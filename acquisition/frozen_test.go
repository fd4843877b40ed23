package acquisition

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/maximize"
	"github.com/prefer-bo/prefer/internal/sobol"
	"github.com/prefer-bo/prefer/problem"
)

var (
	fractions  = flag.Bool("fractions", false, "measure the fraction of the best-known gain on frozen posteriors (minutes)")
	frozenSeed = flag.Uint64("frozen", 1, "seed of the first frozen study; the search was tuned looking at 1 and 2")
)

// frozen is the state of a study at one question: a task as a study would put it.
type frozen struct {
	name string
	at   int
	task Task
}

// freeze plays a KG study on a problem at low noise and keeps the tasks at the given questions.
func freeze(t testing.TB, name string, seed uint64, at ...int) []frozen {
	t.Helper()
	p, err := problem.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := problem.NewRater(p, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	d := p.Dim
	ds := &gp.Duels{Dim: d}
	var shown []float64
	tell := func(a, b []float64) {
		o := gp.Outcome(-1)
		if r.Answer(a, b, problem.At(seed, uint64(ds.Len()))) {
			o = 1
		}
		if err := ds.Add(a, b, o); err != nil {
			t.Fatal(err)
		}
		shown = append(append(shown, a...), b...)
	}
	design := sobol.Points(2*d, 4*d, seed)
	for i := range 4 * d {
		tell(design[i*2*d:i*2*d+d], design[i*2*d+d:(i+1)*2*d])
	}
	var out []frozen
	for q := 0; len(at) > 0; q++ {
		post, err := gp.Model{}.Fit(context.Background(), ds, nil)
		if err != nil {
			t.Fatal(err)
		}
		task := Task{Posterior: post, Shown: append([]float64(nil), shown...), Seed: seed*1000 + uint64(q), Count: q}
		if q == at[0] {
			out = append(out, frozen{fmt.Sprintf("%s/seed%d/q%d", name, seed, q), q, task})
			at = at[1:]
		}
		c, err := Ask(context.Background(), "kg", task)
		if err != nil {
			t.Fatal(err)
		}
		tell(c.A, c.B)
	}
	return out
}

// gold is a brute-force search for the best gain: many candidate sets, many starts, long searches,
// nested inner maxima, and everything the ordinary search found.
func gold(f frozen, known ...[]float64) float64 {
	t := f.task.withDefaults()
	p := t.Posterior
	d := p.Dim()
	kg := NewKG(p.Answers(), p.Hyper().Cuts, t.Noise)
	peaks := Recommend(context.Background(), nil, p, t.Shown, nil, 1, 2)
	kg.Base = peaks[0].Mean
	q := kg.Points()
	lo, hi := make([]float64, q*d), ones(q*d)
	var starts []float64
	for set := range 6 {
		s := t
		s.Seed = uint64(1000 + set)
		s.Search.Candidates = 150
		c := newCandidates(s, peaks, challengers(context.Background(), s, peaks[0].X))
		rank := newRanking(kg, c, newQuadratic(p, c))
		for _, pr := range rank.starts(p, rank.pairs(), 24) {
			x := make([]float64, q*d)
			rank.start(x, pr)
			starts = append(starts, x...)
		}
	}
	rng := rand.New(rand.NewPCG(99, 99))
	for range 60 { // random questions with inner maxima from random fantasy points
		for range q * d {
			starts = append(starts, rng.Float64())
		}
	}
	for _, k := range known {
		starts = append(starts, k...)
	}
	ms := maximize.MultiStart{Workers: 2, Settings: maximize.Settings{MaxEvals: 600, GradTol: 1e-7, ValueTol: 1e-10}}
	// The plain gain first, from wherever the starts are, then its logarithm.
	plain := func() maximize.Objective { return NewEvaluator(p, kg).At }
	_, all, _ := ms.From(context.Background(), plain, lo, hi, starts)
	starts = starts[:0]
	for _, r := range all {
		starts = append(starts, r.X...)
	}
	best, _, _ := ms.From(context.Background(), func() maximize.Objective { return gainObjective(p, kg) }, lo, hi, starts)
	return math.Exp(best.Value)
}

// TestFractionOfGain prints, with -fractions, what part of the best-known gain the default search
// finds on frozen posteriors; without, a short version with the goals as limits.
func TestFractionOfGain(t *testing.T) {
	names, seeds, at, reps := []string{"hartmann6", "branin2"}, []uint64{1}, []int{20}, 2
	if *fractions {
		names, seeds, at, reps = []string{"hartmann6", "levy6", "ackley6", "branin2"}, []uint64{*frozenSeed, *frozenSeed + 1}, []int{20, 60, 100}, 4
	} else if testing.Short() {
		t.Skip("plays a study; the full suite runs it")
	}
	checked := 0
	mean := map[string]*[2]float64{}
	for _, name := range names {
		for _, seed := range seeds {
			for _, f := range freeze(t, name, seed, at...) {
				var gains []float64
				var known [][]float64
				for rep := range reps {
					task := f.task
					task.Seed = uint64(7777 + rep)
					c, err := Ask(context.Background(), "kg", task)
					if err != nil {
						t.Fatal(err)
					}
					gains = append(gains, c.Value)
					x := append(append([]float64(nil), c.A...), c.B...)
					for _, fp := range c.Fantasy {
						x = append(x, fp...)
					}
					known = append(known, x)
				}
				top := gold(f, known...)
				var line string
				for _, g := range gains {
					line += fmt.Sprintf(" %.4f", g/top)
					key := fmt.Sprintf("%s/q%d", name, f.at)
					if mean[key] == nil {
						mean[key] = &[2]float64{}
					}
					mean[key][0] += g / top
					mean[key][1]++
				}
				t.Logf("%-22s gain %.3e  fractions%s", f.name, top, line)
				checked++
			}
		}
	}
	for key, m := range mean {
		f := m[0] / m[1]
		t.Logf("%-16s mean fraction %.4f", key, f)
		goal := 0.99
		if key[:6] == "branin" {
			goal = 0.97
		}
		if f < goal {
			t.Errorf("%s: the search finds %.4f of the best-known gain, want at least %.2f", key, f, goal)
		}
	}
	if checked == 0 {
		t.Fatal("nothing was measured")
	}
}
