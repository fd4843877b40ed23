package live

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// TestWander: raters who change between two servers on one store at every step are never refused, even
// without keys, nobody has two questions at once, and the log replays.
func TestWander(t *testing.T) {
	one := newTestStudies(t, nil)
	two := openTestStudies(t, one.path, nil)
	processes := []*testStudies{one, two}
	const raters, rounds = 4, 6
	var all sync.WaitGroup
	for i := range raters {
		all.Go(func() {
			rater := fmt.Sprint("rater", i)
			q := processes[i%2].ask(rater)
			for k := range rounds {
				if again := processes[(i+k)%2].ask(rater); again.ID != q.ID {
					t.Errorf("%s has %s and %s open", rater, q.ID, again.ID)
				}
				out, err := processes[(i+k+1)%2].Tell(t.Context(), "coffee", Tell{Question: q.Asked.ID, Rater: rater, Answer: prefer.Answer{Choice: prefer.First}, Next: true})
				if err != nil || out.Next == nil && out.Status.Verdict == string(prefer.KeepGoing) {
					t.Errorf("no question after %d answers: %v", k+1, err)
					return
				}
				if out.Next == nil { // chance may look like an ending, and a rater may go on
					q = processes[(i+k)%2].ask(rater)
					continue
				}
				q = *out.Next
			}
		})
	}
	all.Wait()
	events, err := one.store.Events(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 1+raters*(2*rounds+1) {
		t.Errorf("the log has %d events, want %d", len(events), 1+raters*(2*rounds+1))
	}
	if _, err := prefer.Open(context.Background(), events, prefer.OpenOptions{}); err != nil {
		t.Error(err)
	}
	if err := one.store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestCatchUp: a study that another server has moved on is not opened again, unless somebody was forgotten in it.
func TestCatchUp(t *testing.T) {
	one := newTestStudies(t, nil)
	two := openTestStudies(t, one.path, nil)
	two.tell(two.ask("ann"), prefer.First)
	held := two.open()
	one.tell(one.ask("ann"), prefer.Second)
	if q := two.ask("ann"); q.Status.Answers != 2 || two.open() != held {
		t.Errorf("after an answer elsewhere: %+v", q.Status)
	}
	one.ask("bob")
	if _, err := one.store.Forget(t.Context(), "coffee", "bob"); err != nil {
		t.Fatal(err)
	}
	if q := two.ask("cat"); q.ID == "" || two.open() == held {
		t.Error("a study in which somebody was forgotten was not opened again")
	}
}

// TestSharedAhead: a question that one server has chosen ahead the other one asks.
func TestSharedAhead(t *testing.T) {
	one := busyTestStudies(t, nil)
	two := openTestStudies(t, one.path, nil)
	q := one.ask("ann")
	probe, err := two.store.Study(t.Context(), "coffee")
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the next question", func() bool {
		kept, err := two.store.UseAhead(t.Context(), probe, "ann")
		if err != nil {
			t.Error(err)
		}
		return kept || err != nil
	})
	two.tell(q, prefer.Tie)
	two.ask("ann")
	if n := two.Counters.Shared.Load(); n != 1 || two.Counters.Hits.Load() != 1 {
		t.Errorf("%d questions were shared, %d ready, want 1", n, two.Counters.Hits.Load())
	}
	// With others about nothing is chosen ahead.
	two.ask("bob")
	r := two.open()
	if now := time.Now(); r.situation("ann", now).others != 1 || r.situation("ann", now.Add(2*looking)).others != 0 {
		t.Error("two raters are a crowd, but not the day after")
	}
}
