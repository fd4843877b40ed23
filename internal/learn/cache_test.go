package learn

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/internal/memory"
)

// bounded has studies made by a test keep posteriors of so many bytes together.
func bounded(t *testing.T, limit int64) *memory.Budget {
	b := memory.NewBudget(limit)
	lower(t, &Budget, b)
	return b
}

// TestMemoryOfOldFits: what a study keeps is counted while it is kept and no longer, and a study that nobody uses is kept by nobody.
func TestMemoryOfOldFits(t *testing.T) {
	b := bounded(t, 0)
	all := simulated(60, 2, 6)
	f := &Cache{Model: tiesModel()}
	for n := range 30 {
		if _, err := f.Get(ctx, Evidence{Duels: head(all, n)}); err != nil {
			t.Fatal(err)
		}
	}
	total := int64(0)
	for _, k := range f.kept {
		total += k.size()
	}
	if got := b.Stats().Used; got != total || len(f.kept) != KeptFits {
		t.Errorf("%d bytes are counted, the %d kept have %d", got, len(f.kept), total)
	}
	runtime.KeepAlive(f)
	f = nil
	for range 100 { // cleanups run in a goroutine of their own
		runtime.GC()
		if runtime.Gosched(); b.Stats().Used == 0 {
			return
		}
	}
	t.Errorf("%d bytes are counted of what nobody keeps", b.Stats().Used)
}

// TestPrepareEvicts: a fit that is prepared may take the memory of one that the same cache keeps.
func TestPrepareEvicts(t *testing.T) {
	lower(t, &RefitAlways, 40)
	lower(t, &RefitAtOnce, 40)
	lower(t, &RefitEarly, 20)
	b := bounded(t, 0)
	all := simulated(42, 2, 6)
	f := &Cache{Model: tiesModel()}
	get := func(n int) {
		if _, err := f.Get(ctx, Evidence{Duels: head(all, n)}); err != nil {
			t.Error(err)
		}
	}
	get(40)
	get(41)
	last := newFit(Evidence{Duels: head(all, 42)})
	b.SetLimit(b.Stats().Used + f.work(last) + 1) // enough for the fit, not for what it prepares beside it
	done := make(chan struct{})
	go func() {
		get(42)
		get(41)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the cache waits for itself")
	}
	for start := time.Now(); b.Stats().Evicted == 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > 20*time.Second {
			t.Fatal("nothing was evicted")
		}
	}
}

// TestFitsDoNotPileUp: of fits of many duels that nobody waits for any longer when their turn comes, the latest alone is computed; one that
// was given up is computed when it is wanted.
func TestFitsDoNotPileUp(t *testing.T) {
	lower(t, &RefitAlways, 20)
	lower(t, &RefitAtOnce, 20)
	b := bounded(t, 0)
	all := simulated(40, 2, 6)
	f := &Cache{Model: tiesModel()}
	f.working.Lock() // a fit is being computed
	hurried, stop := context.WithCancel(ctx)
	var left, begun sync.WaitGroup
	for n := 21; n <= 26; n++ {
		begun.Add(1)
		left.Go(func() {
			begun.Done()
			if _, err := f.Get(hurried, Evidence{Duels: head(all, n)}); err == nil {
				t.Errorf("%d duels were learned from while another fit was computed", n)
			}
		})
		begun.Wait()
		for { // they come in this order
			f.mu.Lock()
			count := len(f.kept)
			f.mu.Unlock()
			if count == n-20 {
				break
			}
			runtime.Gosched()
		}
	}
	waiting := slices.Clone(f.kept)
	stop()
	left.Wait()
	f.working.Unlock()
	for i, k := range waiting {
		if <-k.done; (k.err == nil) != (i == len(waiting)-1) {
			t.Errorf("of six fits that nobody waits for number %d ended with %v", i, k.err)
		}
	}
	if s := b.Stats(); s.Used != waiting[5].size() || !slices.Equal(f.kept, waiting[5:]) {
		t.Errorf("%d bytes are counted of %d fits", s.Used, len(f.kept))
	}
	got, err := f.Get(ctx, Evidence{Duels: head(all, 23)})
	if err != nil {
		t.Fatal(err)
	}
	want, err := (&Cache{Model: tiesModel()}).Get(ctx, Evidence{Duels: head(all, 23)})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fingerprint(got.Post), fingerprint(want.Post)) {
		t.Error("a fit that was given up has other bits when it is wanted again")
	}
}
