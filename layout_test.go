package prefer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

// TestLayout: a model fitted to duels in these coordinates predicts what the study's belief predicts.
func TestLayout(t *testing.T) {
	for name, sp := range map[string]space.Space{
		"mixed": poster(), "features": list(gallery(40)...), "list": list(names(12)...), "box": space.Box(space.Float("x", -3, 4), space.Int("k", 1, 9)),
		"category first": space.Box(space.Categorical("c", "a", "b", "d"), space.Float("x", 0, 1)),
	} {
		s := start(t, former(Config{Space: sp, Answers: Answers{Forced: true}, Modelling: Modelling{Belief: beliefLikeliest}}))
		l, err := coding.New(sp)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		option := func() space.Option {
			for len(sp.Items) == 0 {
				u := make([]float64, len(l.Axes))
				for j := range u {
					u[j] = rng.Float64()
				}
				if o, ok := l.At(u); ok {
					return o
				}
			}
			return space.ItemOption(sp.Items[rng.IntN(len(sp.Items))].ID)
		}
		point := func(o space.Option) []float64 {
			x, err := l.Unit(o)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		duels := &gp.Duels{Dim: l.Dim}
		for range 12 {
			a, b := option(), option()
			observe(t, s, a, b, First)
			if err := duels.Add(point(a), point(b), 1); err != nil {
				t.Fatal(err)
			}
		}
		belief, err := s.Belief(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		post, err := gp.Model{Scales: l.Scales}.Fit(t.Context(), duels, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			a, b := option(), option()
			want, err := belief.Prefers(a, b)
			if err != nil {
				t.Fatal(err)
			}
			if got := post.Prob(point(a), point(b), 1); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: Pr(%v ≻ %v) = %.12f, the study says %.12f", name, a, b, got, want)
			}
		}
	}
}
