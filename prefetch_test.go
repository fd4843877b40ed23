package prefer

import (
	"testing"

	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/space"
)

// TestPrefetch: a question chosen ahead is the one that would have been chosen, whatever the answer is, and
// a study that prefetches has the log of one that does not.
func TestPrefetch(t *testing.T) {
	spaces := map[string]space.Space{"floats": unitSquare(), "mixed": poster(), "items": list(gallery(20)...)}
	if testing.Short() {
		delete(spaces, "mixed")
	}
	for name, space := range spaces {
		plain, quick := start(t, Config{Space: space, Seed: 8, Modelling: Modelling{Search: little}}), start(t, Config{Space: space, Seed: 8, Modelling: Modelling{Search: little}})
		ready := 0
		for k := range 10 {
			p, q := ask(t, plain, "ann"), ask(t, quick, "ann")
			if p.First.String() != q.First.String() || p.Second.String() != q.Second.String() || p.Value != q.Value || p.Incumbent.String() != q.Incumbent.String() {
				t.Fatalf("%s: question %d is %+v, prefetched %+v", name, k, p, q)
			}
			n, err := quick.Host().Prefetch(t.Context(), "ann")
			if err != nil {
				t.Fatal(err)
			}
			ready += n
			next, all := quick.Host().Ahead("ann")
			if len(next) != 3 || !all {
				t.Errorf("%s: %d questions are known ahead, all of them: %t, want 3", name, len(next), all)
			}
			c := []Choice{First, Tie, Second, First, BothBad}[k%5]
			tell(t, plain, p.ID, c)
			tell(t, quick, q.ID, c)
			if next, all := quick.Host().Ahead("ann"); len(next) > 0 || all {
				t.Errorf("%s: after the answer %d questions are still said to come", name, len(next))
			}
			if _, ok := quick.ahead["ann"].after(quick.state.seq, quick.events[len(quick.events)-1].Answered); ok != (c != BothBad) {
				t.Errorf("%s: after %s a question was ready: %t", name, c, ok)
			}
		}
		if ready != 30 {
			t.Errorf("%s: %d questions were prefetched, want 30", name, ready)
		}
	}
}

// TestPrefetchClearly: so is one for an answer that is clear, where a study has grades.
func TestPrefetchClearly(t *testing.T) {
	cfg := Config{Space: unitSquare(), Seed: 8, Modelling: Modelling{Search: little}, Answers: Answers{Grades: 1}}
	plain, quick := start(t, cfg), start(t, cfg)
	for k := range 7 {
		p, q := ask(t, plain, "ann"), ask(t, quick, "ann")
		if p.First.String() != q.First.String() || p.Second.String() != q.Second.String() {
			t.Fatalf("question %d is %+v, prefetched %+v", k, p, q)
		}
		if n, err := quick.Host().Prefetch(t.Context(), "ann"); err != nil || n != 5 {
			t.Fatalf("%d questions were prefetched, %v, want 5", n, err)
		}
		a := Answer{Choice: []Choice{First, Second}[k%2], Strength: k % 3 % 2}
		for _, s := range []*Study{plain, quick} {
			if _, err := s.Tell(t.Context(), q.ID, a); err != nil {
				t.Fatal(err)
			}
		}
		if !quick.Host().Ready("ann") {
			t.Errorf("after %+v no question was ready", a)
		}
	}
}

// TestEnqueue: options people want tried are asked about in turn, and nobody else's.
func TestEnqueue(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Seed: 1})
	mine, any := space.Option{"x": space.ValueOf(0.125), "y": space.ValueOf(0.5)}, space.Option{"x": space.ValueOf(0.75), "y": space.ValueOf(0.25)}
	for _, e := range []Enqueued{{Option: mine, Rater: "ann"}, {Option: any}} {
		if err := s.Change(t.Context(), Change{Enqueue: []Enqueued{{Option: e.Option, Rater: e.Rater}}}); err != nil {
			t.Fatal(err)
		}
	}
	has := func(q Question, o space.Option) bool {
		return q.Enqueued && (q.First.String() == o.String() || q.Second.String() == o.String())
	}
	if q := ask(t, s, "bob"); !has(q, any) {
		t.Errorf("bob is asked %+v", q)
	}
	if q := ask(t, s, "cat"); q.Enqueued {
		t.Errorf("cat is asked %+v", q)
	}
	if q := ask(t, s, "ann"); !has(q, mine) {
		t.Errorf("ann is asked %+v", q)
	}
	if again, err := Open(ctx, s.Events(0), OpenOptions{}); err != nil || len(again.state.queue) != 0 {
		t.Errorf("%v in the queue after replay (%v)", again.state.queue, err)
	}
	unchanged(t, s, "enqueue", coded("option"), func() error {
		return s.Change(ctx, Change{Enqueue: []Enqueued{{Option: space.Option{"x": space.ValueOf(3)}}}})
	})
}

// TestChecks: a repeat has its options exchanged, a catch question is the pair given.
func TestChecks(t *testing.T) {
	s := start(t, Config{Space: unitSquare(), Seed: 1})
	q := ask(t, s, "ann")
	tell(t, s, q.ID, First)
	r, err := s.Ask(t.Context(), Request{Rater: "ann", Repeat: q.ID})
	if err != nil || r.RepeatOf != q.ID || r.First.String() != q.Second.String() || r.Second.String() != q.First.String() {
		t.Errorf("repeated as %+v, %v", r, err)
	}
	tell(t, s, r.ID, Second)
	pair := Duel{First: space.Option{"x": space.ValueOf(0), "y": space.ValueOf(0)}, Second: space.Option{"x": space.ValueOf(1), "y": space.ValueOf(1)}}
	c, err := s.Ask(t.Context(), Request{Rater: "ann", Catch: &pair})
	if err != nil || !c.Catch || c.First.String() != pair.First.String() {
		t.Errorf("caught with %+v, %v", c, err)
	}
	raters, err := s.Raters(t.Context())
	if err != nil || raters[0].Agreed.Count != 1 || raters[0].Agreed.Of != 1 {
		t.Errorf("%+v, %v", raters, err)
	}
	if _, err := s.Ask(t.Context(), Request{Rater: "bob", Repeat: q.ID}); errcode.Of(err) != "no_question" {
		t.Errorf("bob repeats ann's question: %v", err)
	}
}
