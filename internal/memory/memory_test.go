package memory

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

// TestBudget: the least recently used go first, across all users of the budget; the last two stay whatever their size; what is released or reserved
// counts.
func TestBudget(t *testing.T) {
	b := NewBudget(100)
	var gone []string
	entries := map[string]*Entry{}
	keep := func(name string, bytes int64) {
		entries[name] = b.Keep(bytes, func() { gone = append(gone, name) })
	}
	expect := func(what string, used int64, want ...string) {
		t.Helper()
		if s := b.Stats(); s.Used != used || !slices.Equal(gone, want) || s.Evicted != int64(len(want)) {
			t.Errorf("%s: %d bytes are used and %q were evicted (%d), want %d and %q", what, s.Used, gone, s.Evicted, used, want)
		}
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		keep(name, 25)
	}
	expect("full", 100)
	entries["a"].Use()
	keep("e", 25)
	expect("one more", 100, "b")
	entries["c"].Release()
	entries["c"].Release()
	entries["b"].Release()
	keep("f", 25)
	expect("one released", 100, "b")
	keep("g", 1000)
	expect("too large for all others but one", 1025, "b", "d", "a", "e")
	entries["a"].Use()
	b.SetLimit(0)
	keep("h", 1000)
	expect("no limit", 2025, "b", "d", "a", "e")
	b.SetLimit(3000)
	b.Reserve(990)
	expect("reserved", 2000, "b", "d", "a", "e", "f")
	b.Reserve(-990)
	keep("i", 1000)
	expect("given back", 3000, "b", "d", "a", "e", "f")
}

// TestBudgetConcurrently: keepers who are told to let go may use the budget meanwhile, and what is counted adds up in the end.
func TestBudgetConcurrently(t *testing.T) {
	b := NewBudget(1000)
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			var mu sync.Mutex
			kept := map[string]*Entry{}
			for i := range 200 {
				name := fmt.Sprint(k, i)
				e := b.Keep(int64(i%7)*10, func() {
					mu.Lock()
					defer mu.Unlock()
					if e := kept[name]; e != nil {
						e.Release()
					}
					delete(kept, name)
				})
				mu.Lock()
				kept[name] = e
				mu.Unlock()
				e.Use()
			}
			mu.Lock()
			defer mu.Unlock()
			for _, e := range kept {
				e.Release()
			}
		})
	}
	wg.Wait()
	if s := b.Stats(); s.Used != 0 || s.Evicted == 0 {
		t.Errorf("%d bytes are left of nothing, %d were evicted", s.Used, s.Evicted)
	}
}
