package sqlstore

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
)

// testLease: of many callers that want a study one at a time has it, a waiting one gives up with its context, and studies
// do not mind each other.
func testLease(t *testing.T, address string) {
	s := open(t, address)
	coffee, tea := create(t, s, "coffee"), create(t, s, "tea")
	holders := []*Store{s, s}
	studies := []*prefer.Study{coffee, study(t, s, "coffee")}
	if s.notifier != nil { // on SQLite it holds within a process
		other := open(t, address)
		holders, studies = append(holders, other), append(studies, study(t, other, "coffee"))
	}
	var inside, most, total atomic.Int64
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			release, err := holders[i%len(holders)].Lease(ctx, studies[i%len(holders)])
			if err != nil {
				t.Error(err)
				return
			}
			n := inside.Add(1)
			if n > most.Load() {
				most.Store(n)
			}
			total.Add(1)
			time.Sleep(time.Millisecond)
			inside.Add(-1)
			release()
		})
	}
	all.Wait()
	if most.Load() != 1 || total.Load() != 12 {
		t.Errorf("%d of 12 had the study, %d at a time", total.Load(), most.Load())
	}
	release, err := s.Lease(ctx, coffee)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range holders {
		short, stop := context.WithTimeout(ctx, 20*time.Millisecond)
		if _, err := h.Lease(short, studies[i]); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d: %v, want to have waited in vain", i, err)
		}
		stop()
	}
	free, err := s.Lease(ctx, tea)
	if err != nil {
		t.Fatal(err)
	}
	free()
	release()
	last := len(holders) - 1
	if release, err = holders[last].Lease(ctx, studies[last]); err != nil {
		t.Fatal(err)
	}
	release()
}

// TestLeaseLost: a session that ends gives its leases back, and its former holder can go on.
func TestLeaseLost(t *testing.T) {
	address := database(t)
	s, other := open(t, named(t, address, "holder")), open(t, address)
	held := create(t, s, "coffee")
	release, err := s.Lease(ctx, held)
	if err != nil {
		t.Fatal(err)
	}
	run(t, address, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'holder' AND query LIKE '%advisory%'")
	taken, err := other.Lease(ctx, study(t, other, "coffee"))
	if err != nil {
		t.Fatal(err)
	}
	ask(t, held, "ann") // the log decides, not the lease
	release()
	taken()
	if release, err = s.Lease(ctx, held); err != nil {
		t.Fatal(err)
	}
	release()
}

// TestLeaseFrozen: waiting for a lease of a silent database ends with the context, and giving one back does not
// wait at all, and afterwards the study can be leased again.
func TestLeaseFrozen(t *testing.T) {
	line := NewLine(t, prepared(t))
	s := open(t, line.Address(), Options{Patience: short})
	coffee, tea := create(t, s, "coffee"), create(t, s, "tea")
	var release func()
	await(t, "a lease", func() bool { // on a busy machine connecting takes longer than short
		var err error
		release, err = s.Lease(ctx, coffee)
		return err == nil
	})
	goroutines := runtime.NumGoroutine()
	line.Freeze()
	brief, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if err := ends(t, "a lease", func() error { _, err := s.Lease(brief, tea); return err }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want to have waited in vain", err)
	}
	_ = ends(t, "giving back", func() error { release(); return nil })
	line.Thaw()
	for _, study := range []*prefer.Study{coffee, tea} {
		await(t, "a lease", func() bool {
			brief, stop := context.WithTimeout(ctx, 5*time.Second)
			defer stop()
			release, err := s.Lease(brief, study)
			if err == nil {
				release()
			}
			return err == nil
		})
	}
	left(t, s, line, goroutines)
}

// TestLeaseIdle: a session that the server has ended is opened again, and nobody notices.
func TestLeaseIdle(t *testing.T) {
	address := database(t)
	s := open(t, named(t, address, "idle"))
	coffee := create(t, s, "coffee")
	for range 2 {
		release, err := s.Lease(ctx, coffee)
		if err != nil {
			t.Fatal(err)
		}
		release()
		var limit string
		await(t, "the lease given back", func() bool {
			for _, slot := range s.leases.held.Range {
				if len(slot.(chan struct{})) > 0 {
					return false
				}
			}
			return true
		})
		if err := s.leases.session.QueryRow("SELECT coalesce(current_setting('idle_session_timeout', true), '1min')").Scan(&limit); err != nil || limit != "1min" {
			t.Errorf("the session ends after %s, %v, want a minute", limit, err)
		}
		run(t, address, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'idle' AND (query LIKE '%idle_session%' OR query LIKE '%advisory%')")
	}
}
