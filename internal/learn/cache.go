package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/memory"
)

// Cache computes posteriors and keeps the last few. Hyper-parameters are a function of the duels alone: they are fitted from the centres
// of the priors to the first duels that refitAt says, never from a state that earlier calls, an undo or a snapshot could have changed. So a study
// that is replayed, resumed or rewound has the same posterior. Set the exported fields before the first call.
type Cache struct {
	Model        gp.Model
	Alternatives []Alternative       // to Model
	Averaged     []gp.Model          // if not nil, hyper-parameters are averaged over these models; Model and Alternatives are ignored
	Many         *Cache              // whose fits serve the plain regime, where priors hardly matter; nil for its own
	Workers      int                 // models fitted at the same time; 0: as many as there are processors
	Kinship      gp.Prior            // prior of how alike raters are, where each has a utility of their own
	saved        map[string]gp.State // by Evidence.Key: posteriors of a snapshot; never changed
	means        map[string]Average  // by Evidence.Key: averages of a snapshot; never changed
	working      sync.Mutex          // held while a fit of more than RefitAtOnce duels is computed
	mu           sync.Mutex          // guards what follows
	prefixes     []prefixFit         // newest last
	ahead        *Fit                // whose hyper-parameters are being prepared; nil for none
	keep         int                 // how many fits are kept; 0 for KeptFits
	kept         []*Fit              // newest last
}

// Alternative is another prior, with its odds against Cache.Model before any answer.
type Alternative struct {
	Model gp.Model
	Odds  float64
	Until int // duels after which it is left out; 0 for never
}

// How many fits a cache keeps at most. Budget bounds the memory of all caches of the process.
const (
	KeptFits     = 8   // to ask from: after each of the answers a rater may give, too
	KeptBeliefs  = 4   // to tell by: a verdict looks at the answers before the last, too
	KeptPerRater = 256 // of both, where there is a utility per rater
)

var Budget = memory.Process // tests replace it

// Get returns the posterior of the evidence. A computation that has begun goes on when ctx ends: a caller that gives up does not
// change the result of one that waits.
func (f *Cache) Get(ctx context.Context, ev Evidence) (*Fit, error) {
	f.mu.Lock()
	var current *Fit
	if i := slices.IndexFunc(f.kept, func(k *Fit) bool { return k.TeachesSame(ev) }); i >= 0 {
		if current = f.kept[i]; current.entry != nil {
			current.entry.Use()
		}
	} else if ctx.Err() != nil { // callers without time would pile up fits that no caller waits for
		f.mu.Unlock()
		return nil, stopped(ctx)
	} else {
		current = newFit(ev)
		f.kept = append(f.kept, current)
		f.drop()
		if ctx.Done() == nil { // this caller cannot give up, so it computes the fit itself
			current.waiting = 1
			f.mu.Unlock()
			f.finish(current)
			return current, current.err
		}
		go f.finish(current)
	}
	current.waiting++
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		current.waiting--
		f.mu.Unlock()
	}()
	select {
	case <-current.done:
		return current, current.err
	default:
	}
	select {
	case <-current.done:
		return current, current.err
	case <-ctx.Done():
		return nil, stopped(ctx)
	}
}

// Spend says that the fit of this evidence is hardly wanted again, so that it makes room for others first.
func (f *Cache) Spend(ev Evidence) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.IndexFunc(f.kept, func(k *Fit) bool { return k.TeachesSame(ev) }); i >= 0 && f.kept[i].entry != nil {
		f.kept[i].entry.Spend()
	}
}

// ForRater returns the fit of a rater's utility. Where raters have utilities of their own it is derived from the fit of all of them.
func (f *Cache) ForRater(ctx context.Context, ev Evidence, rater string) (*Fit, error) {
	all, err := f.Get(ctx, ev)
	if err != nil {
		return nil, err
	}
	if !ev.PerRater {
		return all, nil
	}
	r := slices.Index(all.Raters, rater)
	return &Fit{Evidence: all.Evidence, Post: all.Post.For(r), Belief: all.Belief.forRater(r), marginal: math.NaN(), Using: all.Using}, nil
}

// stopped returns the error of a context that has ended, with its cause.
func stopped(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
		return fmt.Errorf("prefer: %w: %w", ctx.Err(), cause)
	}
	return fmt.Errorf("prefer: %w", context.Cause(ctx))
}

// finish computes a fit. Fits of many duels are computed one at a time: later ones reuse the hyper-parameters of the first duels, and each needs several n×n
// matrices. A fit without a waiting caller is abandoned if there is a later one; otherwise fits would pile up when answers come faster than they are computed.
func (f *Cache) finish(current *Fit) {
	defer close(current.done)
	if current.Duels.Len() > RefitAtOnce {
		f.working.Lock()
		defer f.working.Unlock()
		if f.abandon(current) {
			current.err = errAbandoned
			return
		}
	}
	work := f.work(current)
	Budget.Reserve(work)
	current.err = f.compute(current)
	Budget.Reserve(-work)
	f.count(current)
	if current.err == nil {
		f.prepare(current)
	}
}

// work returns how many bytes it takes to compute a fit of n duels. Dense inference works on six n×n matrices for each model, and all
// models of an average are worked on together; beyond DenseLimit inference works on six matrices of n×200.
func (f *Cache) work(k *Fit) int64 {
	n := k.Duels.Len()
	columns, models := n, max(1, len(f.Averaged))
	if k.regime != dense {
		columns, models = min(n, 200), 1
	}
	return 6 * 8 * int64(n) * int64(columns) * int64(models)
}

func (f *Cache) KeepAtMost(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep = n
	f.drop()
}

// drop removes the oldest fits that are too many. The caller holds mu.
func (f *Cache) drop() {
	if old := len(f.kept) - cmp.Or(f.keep, KeptFits); old > 0 {
		for _, k := range f.kept[:old] {
			k.release()
		}
		f.kept = slices.Delete(f.kept, 0, old)
	}
}

// count registers a computed fit with Budget, by weak pointers, so that the budget does not keep a cache alive. When the cache is
// garbage collected the fit is no longer counted.
func (f *Cache) count(k *Fit) {
	keeper, ready := weak.Make(f), weak.Make(k)
	entry := Budget.Keep(k.size(), func() {
		if f, k := keeper.Value(), ready.Value(); f != nil && k != nil {
			f.forget(k)
		}
	})
	runtime.AddCleanup(k, (*memory.Entry).Release, entry)
	f.mu.Lock()
	defer f.mu.Unlock()
	if k.entry = entry; !slices.Contains(f.kept, k) { // it was dropped while it was computed
		k.release()
	}
}

// errAbandoned is the error of a fit that was abandoned. No caller sees it, because none waited.
var errAbandoned = errors.New("prefer: a fit was given up")

// abandon removes a fit that no caller waits for, unless it is the latest, and reports whether it did.
func (f *Cache) abandon(k *Fit) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.Index(f.kept, k)
	if k.waiting > 0 || i >= 0 && i == len(f.kept)-1 {
		return false
	}
	if i >= 0 {
		f.kept = slices.Delete(f.kept, i, i+1)
	}
	return true
}

func (f *Cache) forget(k *Fit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.kept, k); i >= 0 {
		f.kept = slices.Delete(f.kept, i, i+1)
	}
}

// release has a fit no longer counted. The caller holds Cache.mu.
func (f *Fit) release() {
	if f.entry != nil {
		f.entry.Release()
	}
}

// size returns how many bytes a fit takes: its posteriors, each once, and its duels.
func (f *Fit) size() int64 {
	seen := map[*gp.Posterior]bool{nil: true}
	d := f.Duels
	total := 8*int64(len(d.A)+len(d.B)+len(d.Outcome)+len(d.Rater)) + int64(len(d.Level)+len(d.Side))
	for _, p := range slices.Concat(f.posts, f.Belief.Parts) {
		if !seen[p] {
			seen[p] = true
			total += p.Size()
		}
	}
	return total
}
