package learn

import (
	"slices"
	"testing"

	"github.com/prefer-bo/prefer/gp"
)

// TestChosen: what a rater prefers counts from their first "both bad" on, and only the last of it.
func TestChosen(t *testing.T) {
	ev := Evidence{Duels: &gp.Duels{Dim: 1}}
	ev.Add([]float64{0.1}, []float64{0.2}, 1, "ann")
	ev.AddLevel([]float64{0.3}, false, "ann")
	ev.Add([]float64{0.4}, []float64{0.5}, 1, "bob")
	ev.Add([]float64{0.6}, []float64{0.7}, -1, "ann")
	ev.Add([]float64{0.8}, []float64{0.9}, 0, "ann")
	if got := ev.Chosen(0); !slices.Equal(got, []float64{0.7}) || ev.Chosen(1) != nil || ev.Chosen(-1) != nil {
		t.Errorf("ann %v, bob %v, nobody %v", got, ev.Chosen(1), ev.Chosen(-1))
	}
	for range chosenMost {
		ev.Add([]float64{0.55}, []float64{0.65}, 1, "ann")
	}
	if got := ev.Chosen(0); !slices.Equal(got, slices.Repeat([]float64{0.55}, chosenMost)) {
		t.Errorf("the last are %v", got)
	}
	if others := ev.Without(0); others.Duels.Len() != 1 || !slices.Equal(others.Raters, []string{"bob"}) || others.Duels.Rater[0] != 0 {
		t.Errorf("without ann: %+v", others)
	}
}

// TestFirst: two raters who learn from the same first answers share what is fitted to these, although each has answers of their own after them.
func TestFirst(t *testing.T) {
	of := func(rater string) Evidence {
		ev := Evidence{Duels: &gp.Duels{Dim: 1}, PerRater: true}
		for i := range 4 {
			ev.Add([]float64{float64(i)}, []float64{9}, 1, []string{"ann", "ben"}[i%2])
		}
		ev.Add([]float64{5}, []float64{9}, 1, rater)
		return ev
	}
	cat, dan := of("cat"), of("dan")
	if a, b := cat.first(4), dan.first(4); !a.TeachesSame(b) || len(a.Raters) != 2 || a.TeachesSame(cat.first(3)) {
		t.Errorf("the first four answers are of %v and of %v", a.Raters, b.Raters)
	}
	if cat.first(5).TeachesSame(dan.first(5)) || len(cat.first(0).Raters) != 3 {
		t.Error("all answers of cat are those of dan")
	}
}
