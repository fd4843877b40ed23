package prefer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// follower answers questions whose sides a coin draws: with probability share by the order, always for what is shown first or second, else by the number in the item's name, less
// being better.
type follower struct {
	first bool
	share float64
	rng   *rand.Rand
}

func (f follower) answer(q Question) Answer {
	a := Answer{Choice: First, Swapped: f.rng.IntN(2) == 1}
	if f.rng.Float64() < f.share {
		if f.first == a.Swapped {
			a.Choice = Second
		}
	} else if q.First.Item() > q.Second.Item() {
		a.Choice = Second
	}
	return a
}

// letters are n items.
func letters(n int) space.Space {
	var items []space.Item
	for i := range n {
		items = append(items, space.Item{ID: string(rune('a' + i))})
	}
	return list(items...)
}

// TestFollowsOrder: a rater who follows the order ends no study by a verdict, a budget does, and everything says why; a rater who answers by
// taste is believed, and the same events say the same again.
func TestFollowsOrder(t *testing.T) {
	for name, c := range map[string]struct {
		by      follower
		items   int
		answers int
		budget  int
		follows bool
	}{
		"first":         {follower{true, 1, nil}, 6, 24, 0, true},
		"second":        {follower{false, 1, nil}, 6, 24, 0, true},
		"budget":        {follower{true, 1, nil}, 6, 12, 12, true},
		"half the time": {follower{true, 0.5, nil}, 12, 60, 60, true},
		"by taste":      {follower{true, 0, nil}, 6, 24, 0, false},
	} {
		done, method := 0, ""
		if c.answers > 50 { // the verdicts of a study in which nothing is searched for
			method = "random"
		}
		c.by.rng = rand.New(rand.NewPCG(1, 5))
		s := start(t, Config{Space: letters(c.items), Seed: 1, Budget: c.budget, Modelling: Modelling{Search: little}, Method: method})
		for n := range c.answers {
			q := ask(t, s, "")
			if _, err := s.Tell(t.Context(), q.ID, c.by.answer(q)); err != nil {
				t.Fatal(err)
			}
			if n+1 < 10 || n%3 != 2 || method != "" {
				continue
			}
			v, err := s.Verdict(t.Context(), Look{})
			if err != nil {
				t.Fatal(err)
			}
			if v.Kind.Sure() {
				done++
			}
			if c.by.share == 1 && (!v.FollowsOrder || !strings.Contains(v.Sentence, ": most answers follow the order")) {
				t.Errorf("%s: after %d answers FollowsOrder is %v, %q", name, n+1, v.FollowsOrder, v.Sentence)
			}
		}
		v, err := s.Verdict(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		raters, err := s.Raters(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if v.FollowsOrder != c.follows || raters[0].FollowsOrder != c.follows || strings.Contains(v.Sentence, "follow the order") != c.follows || c.by.share != 0.5 && (done > 0) == c.follows {
			t.Errorf("%s: %d endings, %+v of %+v", name, done, v, raters)
		}
		if c.budget > 0 && v.Kind != BudgetReached {
			t.Errorf("%s: %s at the budget", name, v.Kind)
		}
		if again, err := reopen(t, s.Events(0)).Verdict(t.Context(), Look{}); err != nil || marshal(t, again) != marshal(t, v) {
			t.Errorf("%s: opened again %+v, %v; it was %+v", name, again, err, v)
		}
	}
}

// TestFollowersCount: sides count where they were drawn at random; a few followers among many raters keep nobody from an ending.
func TestFollowersCount(t *testing.T) {
	say := func(s *Study, rater string, n int, as func(int) Answer) {
		for i := range n {
			q := ask(t, s, rater)
			if _, err := s.Tell(t.Context(), q.ID, as(i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := func(i int) Answer { return Answer{Choice: []Choice{First, Second}[i%2], Swapped: i%2 == 1} }
	turns := func(i int) Answer {
		return Answer{Choice: []Choice{First, First, Second, Second}[i%4], Swapped: i%2 == 1}
	}
	for name, c := range map[string]struct {
		tell    func(*Study)
		names   []string
		verdict bool
	}{
		"nine":          {func(s *Study) { say(s, "a", 9, first) }, nil, false},
		"ten":           {func(s *Study) { say(s, "a", 10, first) }, []string{"a"}, true},
		"never swapped": {func(s *Study) { say(s, "a", 20, func(int) Answer { return Answer{Choice: First} }) }, []string{"a"}, true},
		"ties":          {func(s *Study) { say(s, "a", 20, func(i int) Answer { return Answer{Choice: Tie, Swapped: i%2 == 1} }) }, nil, false},
		"one of two":    {func(s *Study) { say(s, "a", 12, first); say(s, "b", 12, turns) }, []string{"a"}, false},
		"two of two":    {func(s *Study) { say(s, "a", 12, first); say(s, "b", 12, first) }, []string{"a", "b"}, true},
		"left out": {func(s *Study) {
			say(s, "a", 12, first)
			say(s, "b", 10, turns)
			if err := s.Change(t.Context(), Change{Exclude: []string{"a"}}); err != nil {
				t.Fatal(err)
			}
		}, []string{"a"}, false},
		"imported": {func(s *Study) {
			for i := range 20 {
				if _, err := s.Observe(t.Context(), Duel{First: space.ItemOption("a"), Second: space.ItemOption(string(rune('b' + i%5))), Answer: Answer{Choice: First}, Rater: "a"}); err != nil {
					t.Fatal(err)
				}
			}
		}, nil, false},
	} {
		s := start(t, Config{Space: letters(6), Seed: 1, Modelling: Modelling{Search: little}})
		c.tell(s)
		raters, err := s.Raters(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range raters {
			if r.FollowsOrder {
				names = append(names, r.Name)
			}
			if name == "imported" && (r.Left.Of != 0 || r.Careless) {
				t.Errorf("imported duels have sides: %+v", r)
			}
		}
		v, err := s.Verdict(t.Context(), Look{})
		if err != nil || !slices.Equal(names, c.names) || v.FollowsOrder != c.verdict {
			t.Errorf("%s: %q follow the order, the verdict says %v, %v; want %q and %v", name, names, v.FollowsOrder, err, c.names, c.verdict)
		}
	}
}
