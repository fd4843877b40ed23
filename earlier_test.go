package prefer

import (
	"math"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// TestEarlier: a new study begins with what the people of an earlier one have in common, less sure of it than they were, one for the
// team or each her own; who likes something else gets that.
func TestEarlier(t *testing.T) {
	likes := map[string]func(space.Option) float64{"ann": likesAt(0.2), "bob": likesAt(0.25), "cat": likesAt(0.2), "dan": likesAt(0.8)}
	cfg := Config{Space: unitSquare(), Answers: Answers{Forced: true}, People: PerRater, Seed: 4, Search: little}
	old := start(t, cfg)
	answering(t, old, 12, []string{"ann", "bob", "cat"}, likes)
	duels, skipped, err := old.Earlier(t.Context(), cfg)
	if err != nil || skipped != 0 || len(duels) != 36 || duels[35].Rater != "3" {
		t.Fatalf("%d answers for a new study, %d skipped: %v", len(duels), skipped, err)
	}
	hers, err := old.Best(t.Context(), Look{Rater: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Earlier = duels
	for _, people := range []People{PerRater, Shared} {
		cfg.People = people
		s := start(t, cfg)
		b, err := s.Best(t.Context(), Look{Rater: "dan"})
		if err != nil {
			t.Fatal(err)
		}
		if x := b.Option.Float("x"); math.Abs(x-0.2) > 0.15 || b.Confidence >= hers.Confidence || b.Beats < 0.7 {
			t.Errorf("%s: before any answer dan's favourite has x = %g, %.2f sure; ann's was %.2f sure", people, x, b.Confidence, hers.Confidence)
		}
		if n := s.view("dan").answers; n != 0 {
			t.Errorf("%s: dan has given %d answers", people, n)
		}
		answering(t, s, 14, []string{"dan"}, likes)
		if x := bestX(t, s, "dan"); math.Abs(x-0.8) > 0.2 {
			t.Errorf("%s: after 14 answers dan's favourite has x = %g, want 0.8", people, x)
		}
		again, err := Open(t.Context(), s.Events(0), OpenOptions{})
		if err != nil || bestX(t, again, "dan") != bestX(t, s, "dan") {
			t.Errorf("%s: opened again it is another study (%v)", people, err)
		}
	}
}

// TestEarlierFairly: everybody is heard as much as the others, evenly over what she said.
func TestEarlierFairly(t *testing.T) {
	said := map[string][]Duel{}
	for r, n := range map[string]int{"few": 10, "many": 200, "more": 300} {
		for i := range n {
			said[r] = append(said[r], Duel{Rater: r, Answer: Answer{Strength: i}})
		}
	}
	got := fairly([]string{"many", "few", "more"}, said)
	if len(got[0]) != 40 || len(got[1]) != 10 || len(got[2]) != 40 {
		t.Fatalf("%d, %d and %d answers are taken", len(got[0]), len(got[1]), len(got[2]))
	}
	if a, b := got[0][0].Answer.Strength, got[0][39].Answer.Strength; a != 2 || b != 197 {
		t.Errorf("of 200 the first taken is %d, the last %d", a, b)
	}
}

func TestEarlierRefused(t *testing.T) {
	old := start(t, Config{Space: unitSquare()})
	for range 6 {
		tell(t, old, ask(t, old, "").ID, Tie)
	}
	if _, skipped, err := old.Earlier(t.Context(), Config{Space: unitSquare(), Answers: Answers{Forced: true}}); err == nil || skipped != 6 {
		t.Errorf("ties for a study without: %d skipped, %v", skipped, err)
	}
	if _, _, err := old.Earlier(t.Context(), Config{Space: space.Box(space.Float("z", 0, 1))}); err == nil || !strings.Contains(err.Error(), `"z"`) {
		t.Errorf("answers about other parameters: %v", err)
	}
	duels, _, err := old.Earlier(t.Context(), Config{Space: unitSquare()})
	if err != nil {
		t.Fatal(err)
	}
	bad := duels[0]
	bad.Answer.Choice = BothBad
	for want, cfg := range map[string]Config{
		"Kinship = none":      {Earlier: duels, Kinship: gp.None()},
		"want at most 90":     {Earlier: make([]Duel, 91)},
		`Choice = "both_bad"`: {Earlier: []Duel{bad}},
		"Config.Earlier[0]":   {Earlier: make([]Duel, 1)},
	} {
		cfg.Space = unitSquare()
		if _, err := New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, have %v", want, err)
		}
	}
}
