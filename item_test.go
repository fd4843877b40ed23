package prefer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// gallery returns n items with a number, a word and a yes or no each.
func gallery(n int) []space.Item {
	var items []space.Item
	for i := range n {
		items = append(items, space.Item{ID: fmt.Sprint("p", i), Features: map[string]space.Value{
			"hue": space.ValueOf(float64(i*37%n) / float64(n)), "style": space.ValueOf([]string{"flat", "round", "sharp"}[i%3]), "dark": space.ValueOf(i%2 == 0),
		}})
	}
	return items
}

func names(n int) []space.Item {
	var items []space.Item
	for i := range n {
		items = append(items, space.Item{ID: fmt.Sprint("n", i)})
	}
	return items
}

func TestItemMistakes(t *testing.T) {
	one := func(change func(*space.Item)) []space.Item {
		items := gallery(4)
		change(&items[2])
		return items
	}
	for _, c := range []struct {
		space space.Space
		want  string
	}{
		{list(names(1)...), "1 items"},
		{list(one(func(i *space.Item) { i.ID = "" })...), "no id"},
		{list(one(func(i *space.Item) { i.ID = "p1" })...), `"p1"`},
		{list(one(func(i *space.Item) { delete(i.Features, "hue") })...), `item "p2" has 2 features`},
		{list(one(func(i *space.Item) { delete(i.Features, "hue"); i.Features["tint"] = space.ValueOf(1) })...), `"tint"`},
		{list(one(func(i *space.Item) { delete(i.Features, "hue"); i.Features["item"] = space.ValueOf(1) })...), `called "item"`},
		{list(one(func(i *space.Item) { i.Features["hue"] = space.ValueOf("red") })...), `"hue" = red`},
		{space.Space{Items: names(3), Constraints: []string{"x < 1"}}, "no parameters"},
	} {
		if _, err := coding.New(c.space); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one about %q", err, c.want)
		}
	}
	same := []space.Item{{ID: "a", Features: map[string]space.Value{"x": space.ValueOf(1)}}, {ID: "b", Features: map[string]space.Value{"x": space.ValueOf(1)}}}
	if _, err := New(ctx, Config{Space: list(same...)}); err == nil || !strings.Contains(err.Error(), "same features") {
		t.Errorf("items that cannot be told apart: %v", err)
	}
}

// TestItemCoding: items come back by name, those with the same features as the first of them.
func TestItemCoding(t *testing.T) {
	for name, items := range map[string][]space.Item{"features": gallery(30), "names": names(30)} {
		c, err := coding.New(list(items...))
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			x, err := c.Unit(space.ItemOption(it.ID))
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Option(x).Item(); got != it.ID {
				t.Errorf("%s: %s came back as %s", name, it.ID, got)
			}
		}
		for _, o := range []space.Option{space.ItemOption("nobody"), {}, {"item": space.ValueOf(3)}, {"item": space.ValueOf("n1"), "x": space.ValueOf(1)}} {
			if _, err := c.Unit(o); errcode.Of(err) != "option" {
				t.Errorf("%s: %v: %v", name, o, err)
			}
		}
	}
	twins := append(gallery(3), space.Item{ID: "twin", Features: gallery(3)[1].Features})
	c, err := coding.New(list(twins...))
	if err != nil {
		t.Fatal(err)
	}
	if x, err := c.Unit(space.ItemOption("twin")); err != nil || c.Option(x).Item() != "p1" {
		t.Errorf("the twin of p1 is %v (%v)", c.Option(x), err)
	}
}

// judge answers n questions by a hidden score of items and returns the pairs.
func judge(t *testing.T, s *Study, n int, score func(id string) float64) []Question {
	t.Helper()
	var asked []Question
	for range n {
		q := ask(t, s, "")
		if q.First.Item() == q.Second.Item() {
			t.Fatalf("%s against itself", q.First.Item())
		}
		c := Second
		if score(q.First.Item()) > score(q.Second.Item()) {
			c = First
		}
		tell(t, s, q.ID, c)
		asked = append(asked, q)
	}
	return asked
}

// TestJoin: items that join a running study are asked about and can win, nothing told before is lost, and
// the log replays to the same study.
func TestJoin(t *testing.T) {
	for name, c := range map[string]struct{ items, more []space.Item }{
		"features": {gallery(12), []space.Item{{ID: "star", Features: map[string]space.Value{"hue": space.ValueOf(1.4), "style": space.ValueOf("new"), "dark": space.ValueOf(true)}}}},
		"names":    {names(6), []space.Item{{ID: "star"}, {ID: "dust"}}},
	} {
		s := start(t, Config{Space: list(c.items...), Answers: Answers{Forced: true}, Seed: 4})
		score := func(id string) float64 {
			if id == "star" {
				return 100
			}
			return float64(slices.IndexFunc(c.items, func(i space.Item) bool { return i.ID == id }))
		}
		judge(t, s, 8, score)
		before := s.view("").Duels.Len()
		if err := s.Change(t.Context(), Change{Join: c.more}); err != nil {
			t.Fatal(err)
		}
		if s.view("").Duels.Len() != before || len(s.Items(false)) != len(c.items)+len(c.more) {
			t.Fatalf("%s: %d duels and %d items after joining", name, s.view("").Duels.Len(), len(s.Items(false)))
		}
		judge(t, s, 25, score)
		best, err := s.Best(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		if best.Option.Item() != "star" {
			t.Errorf("%s: the best is %v, want star", name, best.Option)
		}
		again, err := Open(ctx, s.Events(0), OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(fingerprint(learned(t, s)), fingerprint(learned(t, again))) {
			t.Errorf("%s: replayed with other bits", name)
		}
	}
}

func TestJoinMistakes(t *testing.T) {
	s := start(t, Config{Space: list(gallery(6)...)})
	for _, items := range [][]space.Item{nil, {{ID: "p1"}}, {{ID: "new"}}, gallery(7)[5:6],
		{{ID: "far", Features: map[string]space.Value{"hue": space.ValueOf(1e9), "style": space.ValueOf("flat"), "dark": space.ValueOf(true)}}}} {
		unchanged(t, s, "join", coded("option"), func() error { return s.Change(context.Background(), Change{Join: items}) })
	}
	box := start(t, Config{Space: coffee()})
	unchanged(t, box, "join", coded("option"), func() error { return box.Change(context.Background(), Change{Join: []space.Item{space.Item{ID: "a"}}}) })
}

// TestUnseenVerdict: a verdict on items without features says how many were never looked at.
func TestUnseenVerdict(t *testing.T) {
	s := start(t, Config{Space: list(names(40)...), Confidence: 0.3, Seed: 2})
	var v Verdict
	for n := 0; n < 30 && !v.Kind.Done(); n++ {
		judge(t, s, 1, func(id string) float64 { return float64(len(id)) })
		var err error
		if v, err = s.Verdict(t.Context(), Look{}); err != nil {
			t.Fatal(err)
		}
	}
	unseen := s.state.code.List.Unseen(s.view("").shown, s.state.code.Dim)
	if want := fmt.Sprintf("%d of 40 items were never shown", unseen); unseen == 0 || v.Kind == KeepGoing || !strings.Contains(v.Sentence, want) {
		t.Errorf("%d unseen, %s: %q", unseen, v.Kind, v.Sentence)
	}
}

// TestItemRepeats: a list of three has three pairs; then they are asked again, never one against itself.
func TestItemRepeats(t *testing.T) {
	s := start(t, Config{Space: list(names(3)...), Answers: Answers{Forced: true}})
	pairs := map[string]int{}
	for _, q := range judge(t, s, 12, func(id string) float64 { return float64(id[1]) }) {
		ids := []string{q.First.Item(), q.Second.Item()}
		slices.Sort(ids)
		pairs[ids[0]+ids[1]]++
	}
	if len(pairs) != 3 {
		t.Errorf("pairs asked: %v, want all three", pairs)
	}
}

// list returns the space of the items.
func list(items ...space.Item) space.Space { return space.Space{Items: items} }

// TestOwn: beside features an item has something of its own. What is said about one says something about those like it, and nothing about
// those that are not; twins in every feature are told apart; one that nobody has described lies in the middle; and joining moves none of them.
func TestOwn(t *testing.T) {
	number := func(id string, v float64) space.Item {
		return space.Item{ID: id, Features: space.Option{"light": space.ValueOf(v)}}
	}
	items := []space.Item{{ID: "plain"}, number("dark", 0), number("twin", 0), number("dim", 2), number("light", 9), number("bright", 10)}
	s := start(t, Config{Space: space.Space{Items: items, Own: true}, Answers: Answers{Forced: true}})
	at := func(id string) []float64 {
		x, err := s.state.code.Unit(space.ItemOption(id))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	want := map[string][]float64{"plain": {0.42, 0}, "dark": {0, 1}, "twin": {0, 2}, "dim": {0.2, 3}, "light": {0.9, 4}, "bright": {1, 5}}
	for range 2 {
		for id, x := range want {
			if got := at(id); len(got) != 2 || math.Abs(got[0]-x[0]) > 1e-12 || got[1] != x[1] {
				t.Errorf("%s is at %v, want %v", id, got, x)
			}
		}
		if err := s.Change(t.Context(), Change{Join: []space.Item{number("white"+fmt.Sprint(len(s.Items(false))), 20), space.Item{ID: "new" + fmt.Sprint(len(s.Items(false)))}}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		observe(t, s, space.ItemOption("dark"), space.ItemOption("twin"), First)
		observe(t, s, space.ItemOption("dark"), space.ItemOption("bright"), First)
		observe(t, s, space.ItemOption("dim"), space.ItemOption("light"), First)
	}
	b, err := s.Belief(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	prefers := func(a, c string) float64 {
		p, err := b.Prefers(space.ItemOption(a), space.ItemOption(c))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := prefers("dark", "twin"); !(p > 0.7) {
		t.Errorf("the liked twin is preferred with %g", p)
	}
	if p := prefers("new6", "white6"); !(p > 0.51) { // neither was ever shown: the one is darker
		t.Errorf("what was learned about light does not reach who was never shown: %g", p)
	}
	for name, space := range map[string]space.Space{
		"no features":  {Items: names(3), Own: true},
		"parameters":   {Parameters: coffee().Parameters, Own: true},
		"undescribed":  {Items: items},
		"another word": {Items: append(slices.Clone(items), space.Item{ID: "x", Features: space.Option{"light": space.ValueOf("dark")}}), Own: true},
	} {
		if err := (Config{Space: space}).Validate(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
