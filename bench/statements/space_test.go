package statements

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
	for _, space := range []string{"1", "2", "5m", "8m", "list", "plain"} {
		o, err := options(space, "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			taste, err := problem.NewTaste(5, i, o)
			if err != nil {
				t.Fatal(err)
			}
			r := room{taste}
			s, err := prefer.New(context.Background(), prefer.Config{Space: r.space()})
			if err != nil {
				t.Fatal(err)
			}
			for range 5 {
				x, y := taste.Random(rng), taste.Random(rng)
				if got := r.point(r.option(x)); !slices.Equal(got, x) {
					t.Errorf("%s: %v becomes %v", space, x, got)
				}
				d := prefer.Duel{First: r.option(x), Second: r.option(y), Answer: prefer.Answer{Choice: prefer.First}}
				if _, err := s.Observe(context.Background(), d); err != nil && !slices.Equal(x, y) {
					t.Errorf("%s: %v", space, err)
				}
			}
		}
	}
	for _, bad := range []string{"0", "9", "m", "x", "2n"} {
		if _, err := options(bad, ""); err == nil {
			t.Errorf("%q is a space", bad)
		}
	}
}
