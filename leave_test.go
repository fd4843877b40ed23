package prefer

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// TestLeave: items that have left are not asked about, ranked or picked, what was said about them teaches as before, the log
// replays to the same study, and who comes back is where it was.
func TestLeave(t *testing.T) {
	for name, items := range map[string][]space.Item{"features": gallery(12), "names": names(12)} {
		s := start(t, Config{Space: list(items...), Answers: Answers{Forced: true}, Seed: 4})
		score := func(id string) float64 {
			return float64(slices.IndexFunc(items, func(i space.Item) bool { return i.ID == id }))
		}
		judge(t, s, 14, score)
		was, err := s.Best(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		taught := fingerprint(learned(t, s))
		out := []string{was.Option.Item(), items[5].ID}
		if err := s.Change(t.Context(), Change{Leave: out}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(fingerprint(learned(t, s)), taught) {
			t.Errorf("%s: what was learned has other bits after items have left", name)
		}
		if len(s.Items(false)) != 10 || len(s.Items(true)) != 12 {
			t.Errorf("%s: %d items now, %d ever, want 10 and 12", name, len(s.Items(false)), len(s.Items(true)))
		}
		for _, q := range judge(t, s, 16, score) {
			for _, o := range []space.Option{q.First, q.Second, q.Incumbent} {
				if slices.Contains(out, o.Item()) {
					t.Errorf("%s: question %s has %s, which has left", name, q.ID, o.Item())
				}
			}
		}
		best, err := s.Best(t.Context(), Look{})
		if err != nil || best.Option.Item() != bestOf(s.Items(false), score) {
			t.Errorf("%s: the pick is %v (%v), the best that is left %s", name, best.Option, err, bestOf(s.Items(false), score))
		}
		b, err := s.Belief(t.Context(), Look{})
		if err != nil {
			t.Fatal(err)
		}
		ranked := b.Ranking(99)
		if len(ranked) != 10 || slices.ContainsFunc(ranked, func(r Ranked) bool { return slices.Contains(out, r.Option.Item()) }) {
			t.Errorf("%s: ranking of %d has items that have left: %v", name, len(ranked), ranked)
		}
		if v, err := s.Verdict(t.Context(), Look{}); err != nil || v.Items != 10 || v.Unseen < 0 || v.Unseen > 10 {
			t.Errorf("%s: %d of %d unseen (%v)", name, v.Unseen, v.Items, err)
		}
		if p, err := b.Prefers(was.Option, space.ItemOption(items[0].ID)); err != nil || !(p > 0.5) {
			t.Errorf("%s: what is known of %v is lost: %g, %v", name, was.Option, p, err)
		}
		if err := s.Change(t.Context(), Change{Join: []space.Item{items[placeOf(items, out[0])]}}); err != nil {
			t.Fatal(err)
		}
		if again, err := s.Best(t.Context(), Look{}); err != nil || again.Option.Item() != out[0] {
			t.Errorf("%s: %s came back, and the pick is %v (%v)", name, out[0], again.Option, err)
		}
		judge(t, s, 3, score)
		again, err := Open(ctx, s.Events(0), OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(fingerprint(learned(t, s)), fingerprint(learned(t, again))) {
			t.Errorf("%s: replayed with other bits", name)
		}
		if q, r := ask(t, s, ""), ask(t, again, ""); !slices.Equal([]string{q.First.Item(), q.Second.Item()}, []string{r.First.Item(), r.Second.Item()}) {
			t.Errorf("%s: replayed it asks %v against %v, not %v against %v", name, r.First, r.Second, q.First, q.Second)
		}
	}
}

func bestOf(items []space.Item, score func(string) float64) string {
	return slices.MaxFunc(items, func(a, b space.Item) int { return int(score(a.ID) - score(b.ID)) }).ID
}

func placeOf(items []space.Item, id string) int {
	return slices.IndexFunc(items, func(i space.Item) bool { return i.ID == id })
}

// TestLeaveOpen: a question about an item that has left is withdrawn, and a rater who has seen it may still answer; nothing else
// can be asked about the item, until it comes back.
func TestLeaveOpen(t *testing.T) {
	s := start(t, Config{Space: list(names(8)...), Answers: Answers{Forced: true}})
	judge(t, s, 4, func(id string) float64 { return float64(id[1]) })
	answered := s.History()[0].Question
	first, _ := s.Question(answered)
	open := ask(t, s, "")
	id := open.First.Item()
	if err := s.Change(t.Context(), Change{Leave: []string{id}}); err != nil {
		t.Fatal(err)
	}
	if got := s.OpenQuestions(""); len(got) != 0 {
		t.Errorf("open: %v", got)
	}
	next := ask(t, s, "")
	if next.ID == open.ID || next.First.Item() == id || next.Second.Item() == id {
		t.Errorf("asked %+v after %s has left", next, id)
	}
	before := s.view("").Duels.Len()
	if tell(t, s, open.ID, First); s.view("").Duels.Len() != before+1 {
		t.Error("an answer about what was seen was not learned from")
	}
	other := first.First.Item()
	if other == id {
		other = first.Second.Item()
	}
	unchanged(t, s, "enqueue", coded("option"), func() error {
		return s.Change(context.Background(), Change{Enqueue: []Enqueued{{Option: space.ItemOption(id)}}})
	})
	for what, r := range map[string]Request{
		"hold":  {Another: true, Hold: space.ItemOption(id)},
		"catch": {Another: true, Catch: &Duel{First: space.ItemOption(id), Second: space.ItemOption(other)}},
	} {
		unchanged(t, s, what, coded("option"), func() error { _, err := s.Ask(context.Background(), r); return err })
	}
	item := names(8)[slices.IndexFunc(names(8), func(i space.Item) bool { return i.ID == id })]
	changed := item
	changed.Sum = "other"
	if err := s.Change(context.Background(), Change{Join: []space.Item{changed}}); errcode.Of(err) != "option" || !strings.Contains(err.Error(), "another sum") {
		t.Errorf("a changed item came back: %v", err)
	}
	if err := s.Change(t.Context(), Change{Join: []space.Item{item}}); err != nil {
		t.Fatal(err)
	}
	if q, err := s.Ask(t.Context(), Request{Another: true, Hold: space.ItemOption(id)}); err != nil || q.First.Item() != id && q.Second.Item() != id {
		t.Errorf("%s came back and is not asked about: %v, %v", id, q, err)
	}
}

// TestLeaveQueue: what waits to be tried leaves the queue, and a repeat of a question about it is refused.
func TestLeaveQueue(t *testing.T) {
	s := start(t, Config{Space: list(names(6)...), Answers: Answers{Forced: true}})
	q := judge(t, s, 1, func(id string) float64 { return float64(id[1]) })[0]
	id := q.First.Item()
	if err := s.Change(t.Context(), Change{Enqueue: []Enqueued{{Option: space.ItemOption(id)}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Change(t.Context(), Change{Leave: []string{id}}); err != nil {
		t.Fatal(err)
	}
	unchanged(t, s, "repeat", coded("option"), func() error {
		_, err := s.Ask(context.Background(), Request{Repeat: q.ID})
		return err
	})
	if next := ask(t, s, ""); next.Enqueued || next.First.Item() == id || next.Second.Item() == id {
		t.Errorf("asked about what has left: %+v", next)
	}
}

func TestLeaveMistakes(t *testing.T) {
	s := start(t, Config{Space: list(names(4)...)})
	leave := func(ids ...string) func() error {
		return func() error { return s.Change(context.Background(), Change{Leave: ids}) }
	}
	for _, ids := range [][]string{nil, {"nobody"}, {"n1", "n1"}, {"n0", "n1", "n2"}} {
		unchanged(t, s, "leave", coded("option"), leave(ids...))
	}
	if err := s.Change(t.Context(), Change{Leave: []string{"n0", "n1"}}); err != nil {
		t.Fatal(err)
	}
	unchanged(t, s, "leave", coded("option"), leave("n0"))
	unchanged(t, s, "leave", coded("option"), leave("n2"))
	box := start(t, Config{Space: coffee()})
	unchanged(t, box, "leave", coded("option"), func() error { return box.Change(context.Background(), Change{Leave: []string{"a"}}) })
}

// TestLeaveSnapshot: a snapshot of before the pick has left does not bring it back.
func TestLeaveSnapshot(t *testing.T) {
	s := start(t, Config{Space: list(names(6)...), Answers: Answers{Forced: true}})
	judge(t, s, 10, func(id string) float64 { return float64(id[1]) })
	best, err := s.Best(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	text := s.Host().Snapshot()
	if err := s.Change(t.Context(), Change{Leave: []string{best.Option.Item()}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Change(t.Context(), Change{Join: []space.Item{space.Item{ID: "new"}}}); err != nil { // as many as before
		t.Fatal(err)
	}
	again, err := Open(ctx, s.Events(0), OpenOptions{Snapshot: text})
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.Best(t.Context(), Look{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Best(t.Context(), Look{}); err != nil || got.Option.Item() != want.Option.Item() || got.Option.Item() == best.Option.Item() {
		t.Errorf("the pick is %v (%v), want %v; %v has left", got.Option, err, want.Option, best.Option)
	}
}

// TestJoinRange: a number outside the range that the study began with lies outside 0 … 1 by as much, and no other item moves.
func TestJoinRange(t *testing.T) {
	number := func(id string, v float64) space.Item {
		return space.Item{ID: id, Features: space.Option{"size": space.ValueOf(v)}}
	}
	s := start(t, Config{Space: list(number("a", 10), number("b", 20), number("c", 30))})
	at := func(id string) float64 {
		x, err := s.state.code.Unit(space.ItemOption(id))
		if err != nil {
			t.Fatal(err)
		}
		return x[0]
	}
	was := []float64{at("a"), at("b"), at("c")}
	if err := s.Change(t.Context(), Change{Join: []space.Item{number("d", 50), number("e", 0)}}); err != nil {
		t.Fatal(err)
	}
	if got := []float64{at("a"), at("b"), at("c")}; !slices.Equal(got, was) || !slices.Equal(got, []float64{0, 0.5, 1}) {
		t.Errorf("items were at %v and are at %v, want 0, ½, 1", was, got)
	}
	if d, e := at("d"), at("e"); math.Abs(d-2) > 1e-12 || math.Abs(e+0.5) > 1e-12 {
		t.Errorf("50 and 0 of 10 … 30 are at %g and %g, want 2 and −½", d, e)
	}
}
