package prefer

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/space"
)

// bounded has studies made by a test keep posteriors of so many bytes together.
func bounded(t *testing.T, limit int64) *memory.Budget {
	b := memory.NewBudget(limit)
	lower(t, &budget, b)
	return b
}

// TestMemoryOfStudies: posteriors of all studies share one bound, those used least recently go first, and a study whose posteriors are gone has
// the same ones when they are wanted again, also between two counts of the schedule, where hyper-parameters are remembered alone.
func TestMemoryOfStudies(t *testing.T) {
	all := simulated(160, 2, 4)
	option := func(x []float64) space.Option {
		return space.Option{"x": space.ValueOf(x[0]), "y": space.ValueOf(x[1])}
	}
	study := func(n int) *Study {
		s := start(t, Config{Space: unitSquare()})
		for i, o := range all.Outcome[:n] {
			observe(t, s, option(all.A[2*i:2*i+2]), option(all.B[2*i:2*i+2]), map[gp.Outcome]Choice{1: First, -1: Second, 0: Tie}[o])
		}
		return s
	}
	b := bounded(t, 0)
	first, second := study(154), study(152)
	both := func() (bits []uint64) {
		for _, s := range []*Study{first, second} {
			bits = append(bits, fingerprint(learned(t, s))...)
			belief, err := s.Belief(ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range belief.law.parts {
				bits = append(bits, fingerprint(p)...)
			}
		}
		return bits
	}
	want := both()
	large := b.Stats().Used
	if again := both(); !slices.Equal(again, want) || b.Stats() != (memory.Stats{Used: large}) {
		t.Fatalf("looking again changed something: %+v", b.Stats())
	}
	b.SetLimit(large / 2)
	if s := b.Stats(); s.Used > large/2 || s.Used == 0 || s.Evicted == 0 || len(first.fits.ready())+len(first.tells.ready()) != 0 {
		t.Errorf("%d bytes of %d are kept where half are allowed, %d evicted, %d of the study used first", s.Used, large, s.Evicted, len(first.fits.ready())+len(first.tells.ready()))
	}
	b.SetLimit(1)
	for range 2 {
		before := b.Stats().Evicted
		if got := both(); !slices.Equal(got, want) {
			t.Error("posteriors that had to be computed again have other bits")
		}
		if b.Stats().Evicted == before {
			t.Error("nothing was evicted")
		}
	}
	if len(second.fits.ready()) != 1 || len(second.tells.ready()) != 1 || len(first.fits.ready())+len(first.tells.ready()) != 0 {
		t.Error("the posteriors of the study used last are not kept, or others are")
	}
}

// TestMemoryOfOldFits: what a study keeps is counted while it is kept and no longer, and a study that nobody uses is kept by nobody.
func TestMemoryOfOldFits(t *testing.T) {
	b := bounded(t, 0)
	all := simulated(60, 2, 6)
	f := &fits{model: tiesModel()}
	for n := range 30 {
		if _, err := f.get(ctx, evidence{duels: head(all, n)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	total := int64(0)
	for _, k := range f.kept {
		total += k.size()
	}
	if got := b.Stats().Used; got != total || len(f.kept) != keptFits {
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

// TestFitsDoNotPileUp: of fits of many duels that nobody waits for any longer when their turn comes, the latest alone is computed; one that
// was given up is computed when it is wanted.
func TestFitsDoNotPileUp(t *testing.T) {
	lower(t, &refitAlways, 20)
	b := bounded(t, 0)
	all := simulated(40, 2, 6)
	f := &fits{model: tiesModel()}
	f.working.Lock() // a fit is being computed
	hurried, stop := context.WithCancel(ctx)
	var left, begun sync.WaitGroup
	for n := 21; n <= 26; n++ {
		begun.Add(1)
		left.Go(func() {
			begun.Done()
			if _, err := f.get(hurried, evidence{duels: head(all, n)}, nil); err == nil {
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
	got, err := f.get(ctx, evidence{duels: head(all, 23)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := (&fits{model: tiesModel()}).get(ctx, evidence{duels: head(all, 23)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fingerprint(got.post), fingerprint(want.post)) {
		t.Error("a fit that was given up has other bits when it is wanted again")
	}
}
