// Package memory bounds how much a process keeps of what it can compute again. Everybody who keeps such values counts them in one
// Budget; when they are too much, those used least recently are evicted, whichever study keeps them. An evicted value that is wanted again is
// computed again, so the bound changes how long things take and nothing else.
package memory

import (
	"cmp"
	"container/list"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// Default is the limit of Process, in bytes.
const Default = 128_000_000

// newest is how many values of those used last are never evicted, however large they are: what the study that somebody asks now chooses
// its question by, and what it tells by.
const newest = 2

// Process is the budget of all studies of this process.
var Process = NewBudget(Default)

// Budget is a bound on the bytes of values that several keepers hold. All methods are safe for concurrent use.
type Budget struct {
	mu       sync.Mutex // guards what follows
	limit    int64      // not positive: none
	used     int64
	reserved int64
	evicted  int64
	entries  list.List // of *Entry, least recently used first
}

// Entry is one value in a budget.
type Entry struct {
	budget *Budget
	bytes  int64
	evict  func()
	at     *list.Element // nil when it is no longer counted
}

// NewBudget returns a budget of limit bytes; without a bound where that is not positive.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// Keep counts a value of so many bytes as used now. evict is called, without locks, at most once, if the value has to go: it lets go of
// the value. It must not keep the value alive itself.
func (b *Budget) Keep(bytes int64, evict func()) *Entry {
	e := &Entry{budget: b, bytes: bytes, evict: evict}
	b.change(func() {
		e.at = b.entries.PushBack(e)
		b.used += bytes
	})
	return e
}

// Use says that the value of an entry is in use now.
func (e *Entry) Use() { e.move((*list.List).MoveToBack) }

// Spend says that the value of an entry is hardly wanted again: it is the next to be evicted.
func (e *Entry) Spend() { e.move((*list.List).MoveToFront) }

func (e *Entry) move(to func(*list.List, *list.Element)) {
	e.budget.mu.Lock()
	defer e.budget.mu.Unlock()
	if e.at != nil {
		to(&e.budget.entries, e.at)
	}
}

// Release says that the value is gone. Releasing twice, or after an eviction, is a no-op.
func (e *Entry) Release() {
	e.budget.mu.Lock()
	defer e.budget.mu.Unlock()
	e.budget.remove(e)
}

// remove stops counting an entry. The caller holds mu.
func (b *Budget) remove(e *Entry) {
	if e.at != nil {
		b.entries.Remove(e.at)
		b.used -= e.bytes
		e.at = nil
	}
}

// SetLimit changes the limit, in bytes.
func (b *Budget) SetLimit(bytes int64) { b.change(func() { b.limit = bytes }) }

// Reserve takes bytes away from what values may use, for what cannot be evicted, or gives them back where they are negative.
func (b *Budget) Reserve(bytes int64) { b.change(func() { b.reserved += bytes }) }

// change does something to the budget and evicts what is then too much.
func (b *Budget) change(do func()) {
	b.mu.Lock()
	do()
	var old []*Entry
	for b.limit > 0 && b.used+b.reserved > b.limit && b.entries.Len() > newest {
		e := b.entries.Front().Value.(*Entry)
		b.remove(e)
		b.evicted++
		old = append(old, e)
	}
	b.mu.Unlock()
	for _, e := range old {
		e.evict()
	}
}

// Stats is what a budget holds at one moment.
type Stats struct {
	Used    int64 // bytes of values
	Limit   int64 // bytes that these and what is reserved may take up
	Evicted int64 // values evicted so far
}

// Stats returns what the budget holds.
func (b *Budget) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Stats{b.used, b.limit, b.evicted}
}

// Memo remembers the last results by all that they depend on. They outlive the fits they were computed from, which take a thousand times as much memory: in a
// study of sixty people one more answer changes what is known of one of them.
type Memo[T any] struct {
	Size int // how many are remembered; 0 for 256

	mu    sync.Mutex // guards what follows
	by    map[string]memoized[T]
	order []string // of the keys, oldest first
}

type memoized[T any] struct {
	value T
	entry *Entry // in a budget, or nil
}

func (m *Memo[T]) Get(key string) (T, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.by[key]
	if v.entry != nil {
		v.entry.Use()
	}
	return v.value, ok
}

// Last returns the newest n.
func (m *Memo[T]) Last(n int) map[string]T {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]T{}
	for _, key := range m.order[max(0, len(m.order)-n):] {
		out[key] = m.by[key].value
	}
	return out
}

// Put remembers a value. One without a key is not remembered.
func (m *Memo[T]) Put(key string, v T) { m.put(key, memoized[T]{value: v}) }

func (m *Memo[T]) put(key string, v memoized[T]) {
	if key == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.by == nil {
		m.by = map[string]memoized[T]{}
	}
	if _, ok := m.by[key]; !ok {
		m.order = append(m.order, key)
	}
	m.by[key] = v
	if len(m.order) > cmp.Or(m.Size, 256) {
		delete(m.by, m.order[0])
		m.order = m.order[1:]
	}
}

// PutCounted remembers a value that takes so many bytes of the budget. It is forgotten when values that were used later need them.
func PutCounted[T any](m *Memo[*T], b *Budget, key string, v *T, bytes int64) {
	keeper := weak.Make(m) // the budget does not keep a memo alive
	entry := b.Keep(bytes, func() {
		if m := keeper.Value(); m != nil {
			m.forget(key)
		}
	})
	runtime.AddCleanup(v, (*Entry).Release, entry)
	m.put(key, memoized[*T]{v, entry})
}

func (m *Memo[T]) forget(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.by, key)
	m.order = slices.DeleteFunc(m.order, func(k string) bool { return k == key })
}
