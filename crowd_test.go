package prefer

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

var (
	crowds     = flag.Int("crowds", 0, "seeds of TestCrowdGap; 0: it does not run")
	crowdsFrom = flag.Uint64("crowds-from", 0, "the first of them")
)

// crowdMode is how the questions of simulated raters come about. With a stock it is renewed when two that are not
// older than the stock is large are left.
type crowdMode struct {
	name   string
	raters int
	inTurn bool // nobody asks before the one before them has answered
	stock  int  // 0: every question is searched for when it is asked
	any    bool // who answers next is drawn; otherwise they take turns
}

// TestCrowdGap prints the gap of the model that asks, after 30 and 60 answers of a crowd, by where its questions come from;
// docs/dev/experiments.md has the table:
//
//	go test . -run CrowdGap -crowds 20 -v
func TestCrowdGap(t *testing.T) {
	if *crowds == 0 {
		t.Skip("an experiment; run with -crowds 80")
	}
	for _, name := range []string{"branin2", "hartmann6"} {
		p, err := problem.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		hears, err := problem.NewRater(p, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []crowdMode{
			{name: "one rater", raters: 1, inTurn: true}, {name: "ten in turn", raters: 10, inTurn: true},
			{name: "three at once", raters: 3}, {name: "ten at once", raters: 10}, {name: "in any order", raters: 10, any: true},
			{name: "stock of 3", raters: 10, stock: 3}, {name: "stock of 5", raters: 10, stock: 5}, {name: "stock of 9", raters: 10, stock: 9},
		} {
			gaps := make([][2]float64, *crowds)
			var all sync.WaitGroup
			slots := make(chan struct{}, 2)
			for seed := range gaps {
				all.Go(func() {
					slots <- struct{}{}
					defer func() { <-slots }()
					gaps[seed] = crowdGaps(t, hears, *crowdsFrom+uint64(seed), mode)
				})
			}
			all.Wait()
			for i, n := range []int{30, 60} {
				at := make([]float64, len(gaps))
				for j, g := range gaps {
					at[j] = g[i]
				}
				slices.Sort(at)
				t.Logf("%-9s %-13s after %d: median %.4f, quartiles %.4f to %.4f", name, mode.name, n, at[len(at)/2], at[len(at)/4], at[3*len(at)/4])
			}
		}
	}
}

// crowdGaps returns the gap of one study after 30 and after 60 answers.
func crowdGaps(t *testing.T, hears problem.Rater, seed uint64, mode crowdMode) (gaps [2]float64) {
	var params []space.Parameter
	for i := range hears.Dim {
		params = append(params, space.Float(fmt.Sprint("x", i), 0, 1))
	}
	cfg := Config{Space: space.Box(params...), Seed: seed, Answers: Answers{Forced: true}, Modelling: Modelling{Belief: beliefLikeliest}, Now: clock()}
	s, err := New(ctx, cfg)
	must := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	must(err)
	open := make([]Question, mode.raters)
	next := func(i int) {
		rater := fmt.Sprint("r", i)
		if mode.stock > 0 && s.Host().Stocked(mode.stock-1) <= 2 {
			_, err := s.Host().Stock(ctx, mode.stock)
			must(err)
		}
		q, ok, err := s.Host().AskStocked(ctx, rater, mode.raters)
		if !ok && err == nil {
			q, err = s.Ask(ctx, Request{Rater: rater})
		}
		must(err)
		open[i] = q
	}
	for i := range open {
		if !mode.inTurn {
			next(i)
		}
	}
	order := rand.New(rand.NewPCG(seed, 77))
	for k := range 60 {
		i := k % mode.raters
		if mode.any {
			i = order.IntN(mode.raters)
		}
		if mode.inTurn {
			next(i)
		}
		a, err := unitOf(cfg.Space, open[i].First)
		must(err)
		b, err := unitOf(cfg.Space, open[i].Second)
		must(err)
		choice := Second
		if hears.Answer(a, b, problem.At(seed, uint64(k))) {
			choice = First
		}
		_, err = s.Tell(ctx, open[i].ID, Answer{Choice: choice})
		must(err)
		if (k+1)%30 == 0 {
			belief, err := s.Belief(ctx, Look{})
			must(err)
			x, err := unitOf(cfg.Space, belief.Best())
			must(err)
			gaps[k/30] = hears.Gap(x)
		}
		if !mode.inTurn {
			next(i)
		}
	}
	return gaps
}
