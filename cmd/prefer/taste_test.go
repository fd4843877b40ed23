package main

import (
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer"
)

// Nothing is better than the favourite, and a rater takes it against anything that is far behind.
func TestTaste(t *testing.T) {
	spaces := []prefer.Space{mixed, prefer.Space{Items: []prefer.Item{prefer.Item{ID: "a"}, prefer.Item{ID: "b"}, prefer.Item{ID: "c"}}}}
	for _, d := range demos {
		spaces = append(spaces, d.space)
	}
	for i, space := range spaces {
		study, err := prefer.New(t.Context(), prefer.Config{Space: space})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			taste := newTaste(study, seed)
			rng := rand.New(rand.NewPCG(seed, 1))
			for range 100 {
				o := randomOption(space, rng)
				if len(space.Items) > 0 {
					o = prefer.ItemOption(space.Items[rng.IntN(len(space.Items))].ID)
				}
				behind := taste.utility(taste.best) - taste.utility(o)
				// A value between two that exist may be missed by half a step.
				if behind < -0.5 {
					t.Fatalf("space %d, seed %d: {%v} is better than the favourite {%v} by %v", i, seed, o, taste.best, -behind)
				}
				a := taste.answer(turn{Question: prefer.Question{First: o, Second: taste.best}, swapped: true}, prefer.Answers{})
				if behind > 6 && a.Choice != prefer.Second || !a.Swapped {
					t.Fatalf("space %d, seed %d: %+v although the first is behind by %v", i, seed, a, behind)
				}
			}
		}
	}
}

func TestNearness(t *testing.T) {
	list, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Space{Items: []prefer.Item{prefer.Item{ID: "a"}, prefer.Item{ID: "b"}, prefer.Item{ID: "c"}}}})
	if err != nil {
		t.Fatal(err)
	}
	taste := newTaste(list, 1)
	ranks := map[string]int{}
	for _, id := range []string{"a", "b", "c"} {
		ranks[taste.nearness(prefer.ItemOption(id))]++
	}
	for _, want := range []string{"the pick is the favourite, of 3", "the pick is number 2 of 3 by the hidden taste", "the pick is number 3 of 3 by the hidden taste"} {
		if ranks[want] != 1 {
			t.Errorf("%v, want %q once", ranks, want)
		}
	}
	box, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Box(prefer.Float("x", 0, 1), prefer.Float("y", 0, 1))})
	if err != nil {
		t.Fatal(err)
	}
	taste = newTaste(box, 1)
	if got, want := taste.nearness(taste.best), "the pick is better than 100.0 % of all options; in a blind test the favourite itself would win 50 times in 100"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
