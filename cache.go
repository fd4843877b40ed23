package prefer

import (
	"errors"
	"runtime"
	"slices"
	"weak"

	"github.com/prefer-bo/prefer/gp"
	"github.com/prefer-bo/prefer/internal/memory"
)

// How many fits a study keeps at most: for one utility, and for one per rater. How much memory they take up is bounded for all studies
// of the process together (package memory).
const (
	keptFits = 8
	keptMany = 64
)

var budget = memory.Process // tests have one of their own

// keepAtMost sets how many are kept.
func (f *fits) keepAtMost(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep = n
	f.drop()
}

// drop lets go of the oldest that are too many. The caller holds mu.
func (f *fits) drop() {
	if old := len(f.kept) - max(f.keep, keptFits); old > 0 {
		for _, k := range f.kept[:old] {
			k.release()
		}
		f.kept = slices.Delete(f.kept, 0, old)
	}
}

// count has a fit that is ready counted in the memory of the process. The budget knows it by weak pointers, so that it keeps no study
// alive that nobody uses; what goes with its study is no longer counted.
func (f *fits) count(k *fit) {
	keeper, ready := weak.Make(f), weak.Make(k)
	entry := budget.Keep(k.size(), func() {
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

// errAbandoned is what nobody hears: of a fit that was given up, for which nobody waited.
var errAbandoned = errors.New("prefer: a fit was given up")

// abandon lets go of a fit that nobody waits for, unless it is the latest, and reports whether it did.
func (f *fits) abandon(k *fit) bool {
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

// work returns how many bytes it takes to compute a fit of n duels: dense inference works on six n×n matrices for each model that is
// looked at, and of those that are averaged all are looked at together; sparse inference on some of n×200.
func (f *fits) work(n int) int64 {
	columns, models := n, max(1, len(f.tells))
	if n > denseLimit {
		columns, models = min(n, 200), 1
	}
	return 6 * 8 * int64(n) * int64(columns) * int64(models)
}

// forget lets go of a fit.
func (f *fits) forget(k *fit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.kept, k); i >= 0 {
		f.kept = slices.Delete(f.kept, i, i+1)
	}
}

// release has a fit no longer counted. The caller holds the mu of its fits.
func (f *fit) release() {
	if f.entry != nil {
		f.entry.Release()
	}
}

// size returns how many bytes a fit takes up: its posteriors, each once, and its duels.
func (f *fit) size() int64 {
	seen := map[*gp.Posterior]bool{}
	d := f.duels
	total := 8 * int64(len(d.A)+len(d.B)+len(d.Outcome)+len(d.Rater))
	for _, p := range slices.Concat(f.posts, f.law.parts) {
		if !seen[p] {
			seen[p] = true
			total += p.Size()
		}
	}
	return total
}
