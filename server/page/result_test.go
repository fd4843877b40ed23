package page

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
)

// TestBeats: the chance to beat one at random is what the belief says on average, and options drawn at
// random are options of the space.
func TestBeats(t *testing.T) {
	studies, err := live.New(live.Config{Workers: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := studies.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	cfg := prefer.Config{Space: prefer.Box(prefer.LogFloat("l", 1, 100), prefer.Parameter{Name: "i", Type: "int", Low: 0, High: 9, Step: 3}, prefer.Switch("b"), prefer.Categorical("c", "x", "y"), prefer.Ordinal("o", prefer.ValueOf(1), prefer.ValueOf(4))), Seed: 3}
	if err := studies.Create(t.Context(), "mixed", cfg, live.Settings{Page: live.Appearance{Goal: 5}}); err != nil {
		t.Fatal(err)
	}
	err = studies.With(t.Context(), "mixed", func(open *live.Study) error {
		v := visitor{Study: open}
		belief, err := v.belief(t.Context())
		if err != nil {
			return err
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			o := v.random(rng)
			if _, _, err := belief.Utility(o); err != nil {
				t.Errorf("%v: %v", o, err)
			}
		}
		if p := v.beats(belief, belief.Best()); p != 0.5 {
			t.Errorf("knowing nothing, the pick beats one at random with %g", p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
