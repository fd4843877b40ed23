package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer"
)

// What the log says is open is what the study asks again, through answers, undone answers and questions that
// were withdrawn.
func TestOpenQuestion(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(20) {
		study, err := prefer.New(t.Context(), prefer.Config{Space: prefer.Box(prefer.Float("sugar", 0, 5)), Method: "random", Initial: 1000})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		for range 40 {
			rater := []string{"", "ann"}[rng.IntN(2)]
			before, open := openQuestion(study.Events(), rater)
			switch history := study.History(); {
			case rng.IntN(3) == 0 && len(history) > 0:
				if err := study.Undo(ctx, history[rng.IntN(len(history))].ID); err != nil && !errors.Is(err, prefer.ErrNoAnswer) {
					t.Fatal(err)
				}
			case open && rng.IntN(2) == 0:
				if _, err := study.Tell(ctx, before.ID, prefer.Answer{Choice: prefer.First}); err != nil {
					t.Fatalf("seed %d: question %q looks open: %v", seed, before.ID, err)
				}
			default:
				q, err := study.Ask(ctx, rater)
				if err != nil {
					t.Fatal(err)
				}
				if open && q.ID != before.ID {
					t.Fatalf("seed %d: %q is asked while %q looks open", seed, q.ID, before.ID)
				}
				if after, ok := openQuestion(study.Events(), rater); !ok || after.ID != q.ID {
					t.Fatalf("seed %d: %q was asked, and %q looks open", seed, q.ID, after.ID)
				}
			}
		}
	}
}
