// Package memory bounds how much a process keeps of what it can compute again. Everybody who keeps such values counts them in one
// Budget; when they are too much, those used least recently are evicted, whichever study keeps them. An evicted value that is wanted again is
// computed again, so the bound changes how long things take and nothing else.
package memory

import (
	"container/list"
	"sync"
)

// Default is the limit of Process, in bytes.
const Default = 256_000_000

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
func (e *Entry) Use() {
	e.budget.mu.Lock()
	defer e.budget.mu.Unlock()
	if e.at != nil {
		e.budget.entries.MoveToBack(e.at)
	}
}

// Spend says that the value of an entry is hardly wanted again: it is the next to be evicted.
func (e *Entry) Spend() {
	e.budget.mu.Lock()
	defer e.budget.mu.Unlock()
	if e.at != nil {
		e.budget.entries.MoveToFront(e.at)
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
