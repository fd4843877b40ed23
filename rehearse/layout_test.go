package rehearse

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/gp"
)

func mixedSpace() prefer.Space {
	return prefer.Space{
		Parameters: []prefer.Parameter{
			prefer.LogFloat("grind", 0.1, 10), prefer.IntStep("cups", 2, 8, 2), prefer.Categorical("bean", "arabica", "robusta", "blend"),
			prefer.Switch("milk"), prefer.Ordinal("size", prefer.Word("S"), prefer.Word("M"), prefer.Word("L")), prefer.Float("sugar", 0, 5),
		},
		Constraints: []string{"sugar + cups <= 10"},
	}
}

func featuredList(n int) prefer.Space {
	rng := rand.New(rand.NewPCG(3, 4))
	var s prefer.Space
	for i := range n {
		s.Items = append(s.Items, prefer.Item{ID: fmt.Sprintf("item%d", i), Features: map[string]prefer.Value{
			"price": prefer.Number(rng.Float64() * 30), "tint": prefer.Word([]string{"red", "green", "blue"}[rng.IntN(3)]),
			"new": prefer.Bool(rng.IntN(2) == 1), "shape": prefer.Word([]string{"round", "square"}[rng.IntN(2)]),
		}})
	}
	return s
}

func plainList(n int) prefer.Space {
	var s prefer.Space
	for i := range n {
		s.Items = append(s.Items, prefer.Item{ID: fmt.Sprintf("item%d", i)})
	}
	return s
}

// TestLayout: a model fitted to duels in these coordinates predicts what the study's belief predicts.
func TestLayout(t *testing.T) {
	ctx := context.Background()
	for name, space := range map[string]prefer.Space{
		"mixed": mixedSpace(), "features": featuredList(40), "list": plainList(12), "box": prefer.Box(prefer.Float("x", -3, 4), prefer.Int("k", 1, 9)),
	} {
		t.Run(name, func(t *testing.T) {
			s, err := prefer.New(prefer.Config{Space: space, Answers: prefer.Answers{Forced: true}})
			if err != nil {
				t.Fatal(err)
			}
			l, err := newLandscape(space)
			if err != nil {
				t.Fatal(err)
			}
			duels := &gp.Duels{Dim: l.layout.dim}
			rng := rand.New(rand.NewPCG(1, 2))
			pair := func() (a, b prefer.Option) {
				i := rng.IntN(len(l.options))
				return l.options[i], l.options[(i+1+rng.IntN(len(l.options)-1))%len(l.options)]
			}
			for range 12 {
				a, b := pair()
				if _, err := s.Observe(ctx, prefer.Duel{First: a, Second: b, Answer: prefer.Answer{Choice: prefer.First}}); err != nil {
					t.Fatal(err)
				}
				if err := duels.Add(l.layout.point(a), l.layout.point(b), 1); err != nil {
					t.Fatal(err)
				}
			}
			belief, err := s.Belief(ctx)
			if err != nil {
				t.Fatal(err)
			}
			m := gp.Model{Scales: l.layout.scales}
			post, err := m.Fit(ctx, duels, nil)
			if err != nil {
				t.Fatal(err)
			}
			for range 20 {
				a, b := pair()
				want, err := belief.Prefers(a, b)
				if err != nil {
					t.Fatal(err)
				}
				if got := post.Prob(l.layout.point(a), l.layout.point(b), 1); math.Abs(got-want) > 1e-9 {
					t.Errorf("Pr(%v ≻ %v) = %.12f, the study says %.12f", a, b, got, want)
				}
			}
		})
	}
}
