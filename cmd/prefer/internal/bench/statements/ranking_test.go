package statements

import (
	"context"
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/bench/trial"
	"github.com/prefer-bo/prefer/problem"
	"github.com/prefer-bo/prefer/space"
)

// TestRankings plays a list against judges by hand: with every duel of neighbours answered by the truth, order and places
// must all be true; turned round, the order must be false.
func TestRankings(t *testing.T) {
	who := someone(t, problem.TasteOptions{Shape: problem.PlainList, Family: "own", Items: 6}, "exact")
	for _, turned := range []bool{false, true} {
		s, err := prefer.New(context.Background(), prefer.Config{Space: who.Space()})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			for k := range i {
				a, b := space.ItemOption(fmt.Sprint(i)), space.ItemOption(fmt.Sprint(k))
				choice := prefer.First
				if who.Worth(a) < who.Worth(b) != turned {
					choice = prefer.Second
				}
				for range 3 {
					if _, err := s.Observe(context.Background(), prefer.Duel{First: a, Second: b, Answer: prefer.Answer{Choice: choice}}); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		b, err := s.Belief(context.Background(), prefer.Look{})
		if err != nil {
			t.Fatal(err)
		}
		m := moment{Person: who, belief: b}
		order, places := judgeOrder(m), judgePlaces(m)
		if len(order) == 0 || len(places) != 6 {
			t.Fatalf("%d and %d statements", len(order), len(places))
		}
		for _, one := range order {
			if one.Held != trial.Share(!turned) {
				t.Errorf("turned %v: %+v", turned, one)
			}
		}
		if places[0].Held != trial.Share(!turned) || places[5].Held != trial.Share(!turned) {
			t.Errorf("turned %v: the first and the last place: %+v, %+v", turned, places[0], places[5])
		}
	}
}
