package trial

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/problem"
)

func TestOptionsAndPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, o := range []problem.TasteOptions{{Shape: problem.Box}, {Shape: problem.Mixed, Dim: 5}, {Shape: problem.Mixed, Dim: 8}, {Shape: problem.List}, {Shape: problem.PlainList}} {
		for i := range 4 {
			taste, err := problem.NewTaste(5, i, o)
			if err != nil {
				t.Fatal(err)
			}
			r := TasteSpace{Taste: taste}
			s, err := prefer.New(context.Background(), prefer.Config{Space: r.Space()})
			if err != nil {
				t.Fatal(err)
			}
			for range 5 {
				x, y := taste.Random(rng), taste.Random(rng)
				if got := r.Point(r.Option(x)); !slices.Equal(got, x) {
					t.Errorf("%+v: %v becomes %v", o, x, got)
				}
				d := prefer.Duel{First: r.Option(x), Second: r.Option(y), Answer: prefer.Answer{Choice: prefer.First}}
				if _, err := s.Observe(context.Background(), d); err != nil && !slices.Equal(x, y) {
					t.Errorf("%+v: %v", o, err)
				}
			}
		}
	}
}
