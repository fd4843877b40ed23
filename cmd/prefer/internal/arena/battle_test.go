package arena

import (
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func TestBattles(t *testing.T) {
	s, err := prefer.New(t.Context(), prefer.Config{Space: space.Space{Items: []space.Item{{ID: "a"}, {ID: "b"}, {ID: "c"}}}})
	if err != nil {
		t.Fatal(err)
	}
	var want, ann []Battle
	for i, c := range []prefer.Choice{prefer.First, prefer.Second, prefer.Tie, prefer.Skip, prefer.BothBad, prefer.First, prefer.First} {
		rater := []string{"ann", "bo"}[i%2]
		q, err := s.Ask(t.Context(), prefer.Request{Rater: rater})
		if err != nil {
			t.Fatal(err)
		}
		id, err := s.Tell(t.Context(), q.ID, prefer.Answer{Choice: c, Swapped: i%3 == 0, Check: i == 5})
		if err != nil {
			t.Fatal(err)
		}
		b := Battle{q.First.Item(), q.Second.Item(), c == prefer.Tie || c == prefer.BothBad}
		if c == prefer.Second {
			b.Winner, b.Loser = b.Loser, b.Winner
		}
		switch i {
		case 3, 5:
		case 6:
			if err := s.Undo(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		default:
			want = append(want, b)
			if rater == "ann" {
				ann = append(ann, b)
			}
		}
	}
	if _, err := s.Observe(t.Context(), prefer.Duel{First: space.ItemOption("a"), Second: space.ItemOption("c"), Rater: "cy", Answer: prefer.Answer{Choice: prefer.Second}}); err != nil {
		t.Fatal(err)
	}
	want = append(want, Battle{Winner: "c", Loser: "a"})
	if got, err := Battles(s, ""); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if got, err := Battles(s, "ann"); err != nil || !slices.Equal(got, ann) {
		t.Errorf("ann: %v, %v; want %v", got, err, ann)
	}
	box, err := prefer.New(t.Context(), prefer.Config{Space: space.Box(space.Float("x", 0, 1))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Battles(box, ""); err == nil || !strings.Contains(err.Error(), "no names") {
		t.Error(err)
	}
}
