package prefer

import (
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
)

// TestChoices: the list of answers is what a study takes: each is told, or refused where there are no ties; the model
// learns from those that teach, a duel may be observed with those that say so, a side is counted for those that prefer one;
// and keys and words are different.
func TestChoices(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range Choices() {
		for _, word := range []string{c.Key, string(c.Choice), c.Label} {
			if word == "" || taken[word] {
				t.Errorf("%s: %q is empty or taken", c.Choice, word)
			}
			taken[word] = true
		}
		s := start(t, Config{Space: coffee()})
		play(t, s, "", 1) // for an incumbent
		before := s.view("").Duels.Len()
		tell(t, s, ask(t, s, "ann").ID, c.Choice)
		if learned := s.view("").Duels.Len() > before; learned != c.Teaches {
			t.Errorf("%s: the model learns: %t", c.Choice, learned)
		}
		raters, err := s.Raters(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if sided := raters[1].Left.Of == 1; sided != (c.Side != 0) || sided && (raters[1].Left.Count == 1) != (c.Side > 0) {
			t.Errorf("%s: left is %+v", c.Choice, raters[1].Left)
		}
		if o := (Answer{Choice: c.Choice}).outcome(); int(o) != c.Side {
			t.Errorf("%s: the outcome is %d", c.Choice, o)
		}
		if _, err := s.Observe(ctx, Duel{First: cup(0, 1), Second: cup(0.1, 1), Answer: Answer{Choice: c.Choice}}); (err == nil) != c.Compares {
			t.Errorf("%s: observed: %v", c.Choice, err)
		}
		forced := start(t, Config{Space: coffee(), Answers: Answers{Forced: true}})
		if _, err := forced.Tell(ctx, ask(t, forced, "").ID, Answer{Choice: c.Choice}); errcode.Of(err) == "answer" != c.Tied {
			t.Errorf("%s: told where there are no ties: %v", c.Choice, err)
		}
	}
	if list := Choices(); true {
		list[0].Key = "changed"
		if Choices()[0].Key == "changed" {
			t.Error("the list can be changed from outside")
		}
	}
}
