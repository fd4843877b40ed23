package prefer

import (
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// crowded starts a study in which n raters have answered rounds times and are looking at a question each.
func crowded(t *testing.T, cfg Config, n, rounds int) *Study {
	t.Helper()
	s := start(t, cfg)
	for k := range rounds {
		for i := range n {
			q := ask(t, s, fmt.Sprint("r", i))
			tell(t, s, q.ID, []Choice{First, Second, First}[(k+i)%3])
		}
	}
	for i := range n {
		ask(t, s, fmt.Sprint("r", i))
	}
	return s
}

// TestStock: questions in stock are handed out in order and say which log they come from; a study with that log
// finds the same ones; and the log replays.
func TestStock(t *testing.T) {
	for name, space := range map[string]space.Space{"floats": unitSquare(), "items": list(gallery(20)...)} {
		s := crowded(t, Config{Space: space, Seed: 5}, 4, 3)
		from := s.Seq()
		n, err := s.Host().Stock(ctx, 3)
		if err != nil || n < 1 || n != s.Host().Stocked(0) || name == "items" && n != 3 {
			t.Fatalf("%s: %d in stock, %v", name, n, err)
		}
		if s.Seq() != from {
			t.Errorf("%s: Stock wrote to the log", name)
		}
		again, err := Open(ctx, s.Events(0), OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if m, err := again.Host().Stock(ctx, 3); err != nil || m != n {
			t.Fatalf("%s: %d in stock, then %d, %v", name, n, m, err)
		}
		for i := range n {
			want := again.stock.left[i].Question
			q, ok, err := s.Host().AskStocked(ctx, fmt.Sprint("new", i), 0)
			if err != nil || !ok {
				t.Fatalf("%s: question %d: %t, %v", name, i, ok, err)
			}
			want.ID, want.Rater = q.ID, fmt.Sprint("new", i)
			want = s.state.pose(want)
			if fmt.Sprint(q) != fmt.Sprint(want) || q.From != from {
				t.Errorf("%s: question %d is %+v, want %+v from %d", name, i, q, want, from)
			}
		}
		if q, ok, err := s.Host().AskStocked(ctx, "late", 0); ok || err != nil {
			t.Errorf("%s: an empty stock gave %+v, %v", name, q, err)
		}
		if replayed, err := Open(ctx, s.Events(0), OpenOptions{}); err != nil || len(replayed.state.open) != 4+n {
			t.Errorf("%s: %d questions open after replay, want %d (%v)", name, len(replayed.state.open), 4+n, err)
		}
	}
}

// TestStockSpares: a stock is for nobody who has a question, or an option of theirs in the queue, or answers in
// another way than the rest; not when it is old, or the past has changed; and never gives what somebody is looking at.
func TestStockSpares(t *testing.T) {
	events := crowded(t, former(Config{Space: unitSquare(), Seed: 5}), 4, 3).Events(0)
	filled := func() *Study {
		s, err := Open(ctx, events, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := s.Host().Stock(ctx, 3); err != nil || n < 2 {
			t.Fatalf("%d in stock, %v", n, err)
		}
		return s
	}
	option := space.Option{"x": space.ValueOf(0.5), "y": space.ValueOf(0.25)}
	for _, c := range []struct {
		name  string
		rater string
		stale int
		do    func(s *Study)
		want  bool
	}{
		{"as it is", "new", 0, func(*Study) {}, true},
		{"open", "r1", 0, func(*Study) {}, false},
		{"queued", "new", 0, func(s *Study) { s.Change(ctx, Change{Enqueue: []Enqueued{{Option: option, Rater: "new"}}}) }, false},
		{"queued for another", "new", 0, func(s *Study) { s.Change(ctx, Change{Enqueue: []Enqueued{{Option: option, Rater: "r1"}}}) }, true},
		{"an answer since", "r1", 0, func(s *Study) { tell(t, s, s.state.open["r1"][0].ID, First) }, false},
		{"an answer since that does not matter", "r1", 1, func(s *Study) { tell(t, s, s.state.open["r1"][0].ID, First) }, true},
		{"an answer taken back", "new", 9, func(s *Study) { undo(t, s, s.state.answers[0].id) }, false},
		{"ordinary noise", "r1", 9, func(s *Study) { tell(t, s, s.state.open["r1"][0].ID, First); s.stock.noise["r1"] = 1.9 }, true},
		{"careless", "r1", 9, func(s *Study) { tell(t, s, s.state.open["r1"][0].ID, First); s.stock.noise["r1"] = 2.1 }, false},
		{"careful", "r1", 9, func(s *Study) { tell(t, s, s.state.open["r1"][0].ID, First); s.stock.noise["r1"] = 0.4 }, false},
	} {
		s := filled()
		c.do(s)
		seq := s.Seq()
		_, ok, err := s.Host().AskStocked(ctx, c.rater, c.stale)
		if err != nil || ok != c.want || (s.Seq() > seq) != c.want {
			t.Errorf("%s: asked %t, %v, want %t", c.name, ok, err, c.want)
		}
	}
	s := filled()
	first, second := s.stock.left[0].Question, s.stock.left[1].Question
	if _, err := s.Ask(ctx, Request{Rater: "other", Catch: &Duel{First: first.Second, Second: first.First}}); err != nil {
		t.Fatal(err)
	}
	if q, ok, err := s.Host().AskStocked(ctx, "new", 0); err != nil || !ok || q.First.String() != second.First.String() || q.Second.String() != second.Second.String() {
		t.Errorf("while somebody looks at the best of the stock it gave %+v, %t, %v, want the next", q, ok, err)
	}
	if n, err := start(t, Config{Space: unitSquare(), People: PerRater}).Host().Stock(ctx, 3); n != 0 || err != nil {
		t.Errorf("%d in stock of a study per rater, %v", n, err)
	}
}

// TestStockAside: a stock changes no question of who asks as usual.
func TestStockAside(t *testing.T) {
	plain, beside := start(t, Config{Space: unitSquare(), Seed: 8}), start(t, Config{Space: unitSquare(), Seed: 8})
	for k := range 12 {
		if _, err := beside.Host().Stock(ctx, 3); err != nil {
			t.Fatal(err)
		}
		p, q := ask(t, plain, "ann"), ask(t, beside, "ann")
		if fmt.Sprint(p) != fmt.Sprint(q) || q.From != 0 {
			t.Fatalf("question %d is %+v, beside a stock %+v", k, p, q)
		}
		tell(t, plain, p.ID, []Choice{First, Tie, Second}[k%3])
		tell(t, beside, q.ID, []Choice{First, Tie, Second}[k%3])
	}
}

// TestStockOlder: what was in stock comes after what is new, and is gone when it is too old.
func TestStockOlder(t *testing.T) {
	s := crowded(t, Config{Space: unitSquare(), Seed: 5}, 4, 3)
	old, err := s.Host().Stock(ctx, 3)
	if err != nil || old < 1 {
		t.Fatalf("%d in stock, %v", old, err)
	}
	if again, err := s.Host().Stock(ctx, 3); err != nil || again != old || s.Host().Stocked(0) != old {
		t.Errorf("a second call at the same log made it %d of %d, %v", s.Host().Stocked(0), old, err)
	}
	from := s.Seq()
	tell(t, s, s.state.open["r0"][0].ID, Second)
	if s.Host().Stocked(0) != 0 || s.Host().Stocked(1) != old {
		t.Errorf("after an answer %d are fresh and %d an answer old, want 0 and %d", s.Host().Stocked(0), s.Host().Stocked(1), old)
	}
	young, err := s.Host().Stock(ctx, 3)
	if err != nil || young < 1 || s.Host().Stocked(0) != young || s.Host().Stocked(1) != young+old {
		t.Errorf("%d and %d in stock, want %d and %d more, %v", s.Host().Stocked(0), s.Host().Stocked(1), young, old, err)
	}
	if left := s.stock.left; left[0].From != from+1 || left[young].From != from {
		t.Errorf("the stock is from %d and %d, want %d before %d", left[0].From, left[young].From, from+1, from)
	}
	if _, ok, err := s.Host().AskStocked(ctx, "new", 0); err != nil || !ok || s.Host().Stocked(9) != young-1 {
		t.Errorf("asked %t, %v; %d are left of %d", ok, err, s.Host().Stocked(9), young)
	}
}
