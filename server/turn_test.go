package server

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// TestWander: raters who change between two servers on one store at every step are never refused, even
// without keys, nobody has two questions at once, and the log replays.
func TestWander(t *testing.T) {
	one := newHouse(t, nil)
	one.want(201, "POST", "/v1/studies", coffee, nil)
	two := openHouse(t, one.path, nil)
	houses := []*house{one, two}
	const raters, rounds = 4, 6
	var all sync.WaitGroup
	for i := range raters {
		all.Go(func() {
			rater := fmt.Sprint("rater", i)
			q := houses[i%2].ask(rater)
			for k := range rounds {
				if again := houses[(i+k)%2].ask(rater); again.ID != q.ID {
					t.Errorf("%s has %s and %s open", rater, q.ID, again.ID)
				}
				var out told
				houses[(i+k+1)%2].want(200, "POST", "/v1/studies/coffee/tell?next=true", fmt.Sprintf(`{"question_id":%q,"choice":"first","rater":%q}`, q.ID, rater), &out)
				if out.Next == nil {
					t.Errorf("no question after %d answers", k+1)
					return
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
	if _, err := prefer.Open(t.Context(), events, prefer.OpenOptions{}); err != nil {
		t.Error(err)
	}
	if err := one.store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestCatchUp: a study that another server has moved on is not opened again, unless somebody was forgotten in it.
func TestCatchUp(t *testing.T) {
	one := newHouse(t, nil)
	one.want(201, "POST", "/v1/studies", coffee, nil)
	two := openHouse(t, one.path, nil)
	two.tell(two.ask("ann"), "first")
	held := two.server.studies.peek("coffee")
	one.tell(one.ask("ann"), "second")
	if q := two.ask("ann"); q.Status.Answers != 2 || two.server.studies.peek("coffee") != held {
		t.Errorf("after an answer elsewhere: %+v", q.Status)
	}
	one.ask("bob")
	if _, err := one.store.Forget(t.Context(), "coffee", "bob"); err != nil {
		t.Fatal(err)
	}
	if q := two.ask("cat"); q.ID == "" || two.server.studies.peek("coffee") == held {
		t.Error("a study in which somebody was forgotten was not opened again")
	}
}

// TestSharedAhead: a question that one server has chosen ahead the other one asks.
func TestSharedAhead(t *testing.T) {
	one := busyHouse(t, nil)
	one.want(201, "POST", "/v1/studies", coffee, nil)
	two := openHouse(t, one.path, nil)
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
	two.tell(q, "tie")
	two.ask("ann")
	if n := two.server.metrics.shared.n.Load(); n != 1 || two.server.metrics.hits.n.Load() != 1 {
		t.Errorf("%d questions were shared, %d ready, want 1", n, two.server.metrics.hits.n.Load())
	}
	// With others about nothing is chosen ahead.
	two.ask("bob")
	r := two.server.studies.peek("coffee")
	if now := time.Now(); !r.crowded("ann", now) || r.crowded("ann", now.Add(2*looking)) {
		t.Error("two raters are a crowd, but not the day after")
	}
}

// TestStoreAway: while the store is locked a request is refused with a time to come back, and afterwards the
// server goes on as if nothing had been.
func TestStoreAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	h := openHouse(t, path, func(c *Config) {
		impatient, err := store.Open(context.Background(), path, store.Options{Patience: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { impatient.Close() })
		c.Store = impatient
	})
	h.want(201, "POST", "/v1/studies", coffee, nil)
	q := h.ask("ann")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(30000)") // a question may be chosen ahead meanwhile
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lock, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := lock.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	answer := fmt.Sprintf(`{"question_id":%q,"choice":"first","key":"k"}`, q.ID)
	status, head, text := h.do("POST", "/v1/studies/coffee/tell", answer)
	if status != 503 || head.Get("Retry-After") != "1" || !strings.Contains(string(text), "store_unavailable") {
		t.Errorf("while the store is locked: %d, Retry-After %q, %s", status, head.Get("Retry-After"), text)
	}
	if _, err := lock.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", answer, nil)
	h.want(200, "POST", "/v1/studies/coffee/tell", answer, nil)
	h.want(200, "GET", "/healthz", "", nil)
	if last := h.lastAnswer(); last.Answer.Key != "k" {
		t.Errorf("the last answer is %+v", last)
	}
}
