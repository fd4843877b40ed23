package prefer

import (
	"reflect"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestRanking: places are ranges that hold the truth, what cannot be told apart is said to be so, and what was asked is
// counted.
func TestRanking(t *testing.T) {
	s := start(t, Config{Space: list(names(12)...), Seed: 3, Modelling: Modelling{Search: little}})
	value := func(o space.Option) float64 { return float64(len(o.Item() + o.Item()[1:])) } // nothing to go by but the item
	for i, it := range s.cfg.Space.Items {
		for _, other := range s.cfg.Space.Items[:i] {
			c := First
			if value(space.ItemOption(it.ID)) == value(space.ItemOption(other.ID)) {
				c = Tie
			} else if value(space.ItemOption(it.ID)) < value(space.ItemOption(other.ID)) {
				c = Second
			}
			observe(t, s, space.ItemOption(it.ID), space.ItemOption(other.ID), c)
		}
	}
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	ranking := b.Ranking(20)
	if len(ranking) != 12 || ranking[11].Above != 0 {
		t.Fatalf("%d items are ranked, the last above the next with %g", len(ranking), ranking[len(ranking)-1].Above)
	}
	for k, r := range ranking {
		if r.Low > k+1 || r.High < k+1 || r.Low < 1 || r.High > 12 || r.Shown != 11 {
			t.Errorf("place %d: %+v", k+1, r)
		}
		if k == 11 {
			continue
		}
		if alike := value(r.Option) == value(ranking[k+1].Option); alike != r.Tied() {
			t.Errorf("%v and %v: tied %t, above with %.2f", r.Option, ranking[k+1].Option, r.Tied(), r.Above)
		}
	}
}

// TestListNamesNoRunnerUp: a list says how probably another item is as good as the pick, and names none.
func TestListNamesNoRunnerUp(t *testing.T) {
	s := start(t, Config{Space: list(names(4)...), Seed: 2, Modelling: Modelling{Search: little}})
	for range 12 {
		tell(t, s, ask(t, s, "").ID, Tie)
	}
	v, err := s.Verdict(ctx, Look{})
	if err != nil {
		t.Fatal(err)
	}
	if best, err := s.Best(ctx, Look{}); err != nil || !reflect.DeepEqual(best, v.Best) || best.Rival != nil || best.RivalClose < 0.8 {
		t.Errorf("%+v, %v; the verdict has %+v", best, err, v.Best)
	}
}
