package prefer

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/space"
)

// earlierOf returns the answers of a study for Config.Earlier of another.
func earlierOf(s *Study) (out []Duel) {
	numbers := map[string]string{}
	for _, e := range s.History() {
		if numbers[e.Rater] == "" {
			numbers[e.Rater] = strconv.Itoa(len(numbers) + 1)
		}
		out = append(out, Duel{First: e.First, Second: e.Second, Rater: numbers[e.Rater], Answer: Answer{Choice: e.Answer.Choice}})
	}
	slices.SortStableFunc(out, func(a, b Duel) int { return strings.Compare(a.Rater, b.Rater) })
	return out
}

// TestEarlier: a new study begins with what the people of an earlier one have in common, less sure of it than they were, one for the
// team or one each; a rater who likes something else gets that.
func TestEarlier(t *testing.T) {
	likes := map[string]func(space.Option) float64{"ann": likesAt(0.2), "bob": likesAt(0.25), "cat": likesAt(0.2), "dan": likesAt(0.8)}
	cfg := Config{Space: unitSquare(), Answers: Answers{Forced: true}, People: PerRater, Seed: 4, Modelling: Modelling{Search: little}}
	old := start(t, cfg)
	answering(t, old, 12, []string{"ann", "bob", "cat"}, likes)
	duels := earlierOf(old)
	anns, err := old.Best(t.Context(), Look{Rater: "ann"})
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
		if x := b.Option.Float("x"); math.Abs(x-0.2) > 0.15 || b.Confidence >= anns.Confidence || b.Beats < 0.7 {
			t.Errorf("%s: before any answer dan's favourite has x = %g, %.2f sure; ann's was %.2f sure", people, x, b.Confidence, anns.Confidence)
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

func TestEarlierRefused(t *testing.T) {
	old := start(t, Config{Space: unitSquare()})
	for range 6 {
		tell(t, old, ask(t, old, "").ID, Tie)
	}
	duels := earlierOf(old)
	bad := duels[0]
	bad.Answer.Choice = BothBad
	for want, cfg := range map[string]Config{
		"Kinship = none":      {Modelling: Modelling{Earlier: duels, Kinship: gp.None()}},
		"want at most 90":     {Modelling: Modelling{Earlier: make([]Duel, 91)}},
		`Choice = "both_bad"`: {Modelling: Modelling{Earlier: []Duel{bad}}},
		"Config.Earlier[0]":   {Modelling: Modelling{Earlier: make([]Duel, 1)}},
	} {
		cfg.Space = unitSquare()
		if _, err := New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, have %v", want, err)
		}
	}
}
