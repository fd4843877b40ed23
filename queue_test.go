package prefer

import (
	"bytes"
	"maps"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestEnqueuePair: the very pair is asked, once, of the next who is not excepted; others go on as ever; a restart knows it.
func TestEnqueuePair(t *testing.T) {
	s := start(t, Config{Space: coffee(), Seed: 5})
	a, b := cup(0.125, 1), cup(0.375, 3)
	for range 2 {
		if err := s.Change(ctx, Change{Enqueue: []Enqueued{{Option: a, Against: b, Except: []string{"judge", "other"}}}}); err != nil {
			t.Fatal(err)
		}
	}
	if judge, ann := s.Host().Waiting("judge", nil), s.Host().Waiting("ann", nil); judge != 0 || ann != 2 {
		t.Fatalf("%d pairs wait for the judge and %d for ann, want 0 and 2", judge, ann)
	}
	for name, s := range map[string]*Study{"as it was": reopen(t, s.Events(0)), "after a restart": reopen(t, s.Events(0))} {
		if q := ask(t, s, "judge"); q.Enqueued || maps.Equal(q.First, a) || maps.Equal(q.First, b) {
			t.Errorf("%s: the judge is asked %+v", name, q)
		}
		sides := map[bool]int{}
		for i, rater := range []string{"ann", "ben"} {
			q := ask(t, s, rater)
			same := maps.Equal(q.First, a) && maps.Equal(q.Second, b)
			if !q.Enqueued || q.Method != "enqueued" || !same && !(maps.Equal(q.First, b) && maps.Equal(q.Second, a)) {
				t.Fatalf("%s: %s is asked %+v", name, rater, q)
			}
			sides[same]++
			if n := s.Host().Waiting("cy", nil); n != 1-i {
				t.Errorf("%s: %d pairs wait after %d were asked", name, n, i+1)
			}
			tell(t, s, q.ID, First)
		}
		if n := s.view("").Duels.Len(); n != 2 {
			t.Errorf("%s: %d answers were learned from, want 2", name, n)
		}
		if q := ask(t, s, "ann"); q.Enqueued {
			t.Errorf("%s: the pair is asked a third time", name)
		}
	}
	unchanged(t, s, "one option twice", coded("option"), func() error { return s.Change(ctx, Change{Enqueue: []Enqueued{{Option: a, Against: cup(0.125, 1)}}}) })
	unchanged(t, s, "no option", coded("option"), func() error {
		return s.Change(ctx, Change{Enqueue: []Enqueued{{Option: a, Against: space.Option{"milk": space.ValueOf(9)}}}})
	})
	unchanged(t, s, "no name", coded("rater"), func() error {
		return s.Change(ctx, Change{Enqueue: []Enqueued{{Option: a, Against: b, Except: []string{"\xff"}}}})
	})
	left, n := Forget(s.Events(0), "judge")
	if n != 2 || bytes.Contains(lines(t, left), []byte("judge")) || !bytes.Contains(lines(t, left), []byte("other")) {
		t.Errorf("%d events were changed to forget the judge, and the log reads\n%s", n, lines(t, left))
	}
	if n := reopen(t, left).Host().Waiting("ann", nil); n != 2 {
		t.Errorf("%d pairs wait when the judge is forgotten, want 2", n)
	}
}
