package statements

import (
	"context"
	"math"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// TestSpaces plays one study of every kind of space and group: all kinds of statements are made, and what is asked about is what it is called.
func TestSpaces(t *testing.T) {
	plan := Plan{Tastes: 1, Seed: 2, Spaces: append([]string{constrained, contexts, crossed}, shared, "kindred"), Families: []string{"smooth"}, Raters: []string{"ties", "random"}, Answers: 10, Marks: []int{10}}
	studies, err := plan.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		constrained: {"better than n of 100", "forecast", "confidence"}, contexts: {"better than n of 100", "forecast"}, crossed: {"places of a list"},
		shared:    {"does not answer carelessly", "says the same again"},
		"kindred": {"agreement of two", "agreement of all", "suits the group", "gives up for the group", "better than n of 100"},
	}
	for _, s := range studies {
		said := map[string]int{}
		for _, one := range s.Statements {
			if said[one.Kind]++; math.IsNaN(one.Said + one.Held) {
				t.Errorf("%s: %+v", s.Space, one)
			}
		}
		for _, kind := range want[s.Space] {
			if said[kind] == 0 {
				t.Errorf("%s, %s: nothing of kind %q is said", s.Space, s.Rater, kind)
			}
		}
		if n := map[string]int{contexts: 30, "kindred": 40}[s.Space]; s.Rater == "ties" && n > 0 && s.Answers != n {
			t.Errorf("%s: %d answers, want %d", s.Space, s.Answers, n)
		}
		if s.Space == contexts && said["better than n of 100"] != 3 {
			t.Errorf("%d statements about 3 contexts", said["better than n of 100"])
		}
	}
	plan.Spaces, plan.Raters = []string{"kindred"}, []string{"grumpy"}
	if _, err := plan.Run(context.Background(), nil); err == nil {
		t.Error("an unknown rater answers in a group")
	}
}

// TestGroupTruths holds what is said about two people of one taste and one of the contrary, who answers at random, against what is known of them.
func TestGroupTruths(t *testing.T) {
	c := cell{space: "same", family: "linear", rater: "random"}
	of, err := c.cast(Plan{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	g := game{cast: of}
	if len(g.asked) != groupPeople || len(g.opinions) != groupPeople-1 || g.asked[3].of.Careless == 0 || g.asked[3].about != nil {
		t.Fatalf("%d people, %d opinions", len(g.asked), len(g.opinions))
	}
	best := g.asked[0].of.Option(g.asked[0].of.At)
	wide := [][]float64{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}
	low := [][]float64{{0, 0.9, 0.9}, {0.9, 0, 0.9}, {0.9, 0.9, 0}}
	all := prefer.Group{Raters: []string{"p01", "p02", "p04"}, Best: best, Score: 1, Favourites: []space.Option{best, best, best}, Loss: []float64{0.2, 0, 0}, Low: low, High: wide,
		Disagrees: []string{"p01"}}
	all.Together.Low, all.Together.High = 0.2, 0.5
	held := map[string][]float64{}
	for _, s := range g.judgeTogether(all) {
		held[s.Kind] = append(held[s.Kind], s.Held)
	}
	who := g.asked[0].of
	if got := held["agreement of two"]; len(got) != 3 || got[0] != 1 || got[1]+got[2] != 0 { // whose answers are random agrees with nobody
		t.Errorf("agreement of two: %v", got)
	}
	if got := held["agreement of all"]; len(got) != 1 || got[0] != 1 { // a third
		t.Errorf("agreement of all: %v", got)
	}
	if got := held["suits the group"]; len(got) != 1 || math.Abs(got[0]-(who.Max-who.Mean)/who.Spread) > 1e-9 || held["gives up for the group"][0] != 0 || held["wants the contrary"][0] != 0 {
		t.Errorf("%v", held)
	}

	sure, coin := *g.asked[0], *g.asked[3]
	sure.of.Rater, coin.of.Rater = problem.TasteRater{}, problem.TasteRater{Rater: problem.Rater{Lapse: 1}}
	sure.again, coin.again = [][2]float64{{1, 0}, {0, 3}}, [][2]float64{{1, 0}, {0, 3}}
	if a, b := sure.saysTheSame(), coin.saysTheSame(); a != 1 || math.Abs(b-0.5) > 0.06 {
		t.Errorf("a sure person says the same in %g, a coin in %g", a, b)
	}
	for _, careless := range []bool{true, false} {
		said := coin.judgeRater(prefer.Rater{Odds: math.Log(3), Careless: careless, Agreed: prefer.Share{Count: 1, Of: 4, Low: 0.05, High: 0.7}})
		if len(said) != 2 || math.Abs(said[0].Said-0.5) > 1e-12 || said[0].Held == 1 != careless || said[1].Held != 1 {
			t.Errorf("called careless %t: %+v", careless, said)
		}
	}
}
