package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// styles are how raters of this test answer; they go on as if there were no tomorrow.
var styles = []string{"taste", "ties", "skips", "regrets", "duels", "taste"}

// stay is after how many answers a rater makes themselves another study: logs stay short, and making studies is killed, too.
const stay = 40

// TestKills: a server under load is killed again and again, and raters send what was not acknowledged again, under its
// key. What they saw is then held against the tables.
func TestKills(t *testing.T) {
	if planned.kills == 0 {
		t.Skip("kills by the hundred take minutes: make kills, or go test ./internal/chaos -run '^TestKills$' -v -timeout 0 -kills 20")
	}
	t.Chdir("../..")
	t.Run("sqlite", func(t *testing.T) { testKills(t, filepath.Join(t.TempDir(), "store.db"), planned.kills) })
	t.Run("postgres", func(t *testing.T) {
		dir := t.TempDir()
		for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
			if err := os.Chmod(at, 0o755); err != nil { // the database may run as somebody else
				t.Fatal(err)
			}
		}
		if _, err := (&database{}).script(t.Context(), dir, "bin"); err != nil {
			t.Skip("SKIPPED: no PostgreSQL here")
		}
		db, err := startDatabase(t.Context(), dir, false)
		if err != nil {
			t.Fatal(err)
		}
		defer db.stop()
		testKills(t, db.address, planned.kills)
	})
}

func testKills(t *testing.T, address string, kills int) {
	ctx, start, l := t.Context(), time.Now(), newLedger()
	f, err := startFleet(ctx, plan{servers: 1, keep: planned.keep}, t.TempDir(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer f.stop()
	f.client.Timeout = giveUp // a server that is killed hangs up
	working, enough := context.WithCancel(ctx)
	defer enough()
	k := &killer{fleet: f, ledger: l, address: address, random: rand.New(rand.NewPCG(planned.seed, 0xdead)), told: make(chan struct{}, 1)}
	var raters sync.WaitGroup
	for i, style := range styles {
		r := newRater(plan{seed: planned.seed}, i, "", f, l)
		r.pause = 20 * time.Millisecond
		raters.Go(func() { r.persist(working, style, i > 1, k.told) })
	}
	for i := range kills {
		raters := 1
		if i%10 == 9 { // nobody waits for ever
			raters = len(styles)
		}
		if err := k.kill(ctx, moments[i%len(moments)], raters); err != nil {
			t.Fatalf("kill %d: %v", i+1, err)
		}
		if (i+1)%100 == 0 {
			t.Logf("%d kills after %v", i+1, time.Since(start).Round(time.Second))
		}
	}
	enough()
	raters.Wait()
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	found, err := verify(ctx, address, l)
	if err != nil {
		t.Fatal(err)
	}
	k.report(os.Stdout, strings.TrimPrefix(t.Name(), "TestKills/"), found, time.Since(start))
	for _, b := range found.broken {
		t.Error(b)
	}
	if hit := k.hit(found, "", anything); kills >= 100 && hit == 0 {
		t.Errorf("none of %d kills fell between COMMIT and reply: what matters was not tested", kills)
	}
}

// persist answers until ctx ends, in one study after the other, their own or with somebody; what was begun is finished.
func (r *rater) persist(ctx context.Context, style string, alone bool, told chan<- struct{}) {
	lasting := context.WithoutCancel(ctx)
	var q *question
	for n := 0; ctx.Err() == nil; n++ {
		if n%stay == 0 {
			if r.study = r.found(lasting, n/stay, alone); r.study == "" {
				return
			}
			q, r.open = nil, ""
		}
		if style == "duels" {
			offer(told)
			if r.observe(lasting) == nil {
				return
			}
			continue
		}
		if q == nil {
			if q = r.ask(lasting); q == nil {
				return
			}
		}
		choice := r.taste(q)
		switch style {
		case "ties":
			choice = []string{"tie", "both_bad"}[r.random.IntN(2)]
		case "skips":
			choice = "skip"
		}
		offer(told)
		var given *answer
		if given, q = r.tell(lasting, q, choice); given == nil {
			return
		}
		if style == "regrets" && r.random.IntN(2) == 0 {
			if !r.undo(lasting, given) {
				return
			}
			q = nil
		}
	}
}

// found makes a study and returns its name. Of those who are not alone one is the first.
func (r *rater) found(ctx context.Context, n int, alone bool) string {
	name := fmt.Sprintf("common-%d", n)
	if alone {
		name = fmt.Sprintf("%s-%d", r.name, n)
	}
	sent, err := r.sendOnce(ctx, "POST", "/v1/studies", smallStudy(name, n, "random", "shared"), http.StatusConflict)
	var refused *refusal
	switch {
	case errors.As(err, &refused) && refused.status == http.StatusConflict && !alone:
	case err != nil:
		r.ledger.violated("%s made a study: %v", r.name, err)
		return ""
	default:
		r.ledger.made(name, sent.last)
	}
	return name
}

func offer(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
