// Package cache holds what is open by name, and closes the least recently used when there is too much of it.
package cache

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/store"
)

// Cache holds open values. A value that was closed still works for its users. All methods are safe for concurrent use.
type Cache[T any] struct {
	Size   int           // how many are held
	Memory int64         // bytes of all together; not positive: no bound
	Wait   time.Duration // how long Open may take, even if the caller leaves meanwhile: others may be waiting for it

	Open   func(ctx context.Context, name string) (*T, error)
	Keep   func(ctx context.Context, v *T) error // keeps what makes opening it again quick
	Weight func(v *T) int64                      // bytes

	mu       sync.Mutex
	entries  map[string]*entry[T]
	uses     int   // so far
	reserved int64 // bytes that the budget of the process was told of
}

// entry is a value that is open, or being opened.
type entry[T any] struct {
	used  int // the last use of all
	ready chan struct{}
	value *T
	err   error
}

// Get returns the value of a name, which is opened once however many ask for it.
func (h *Cache[T]) Get(ctx context.Context, name string) (*T, error) {
	h.mu.Lock()
	h.uses++
	if c := h.entries[name]; c != nil {
		c.used = h.uses
		h.mu.Unlock()
		select {
		case <-c.ready:
			return c.value, c.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if h.entries == nil {
		h.entries = map[string]*entry[T]{}
	}
	c := &entry[T]{used: h.uses, ready: make(chan struct{})}
	h.entries[name] = c
	old := h.excess(h.Size)
	h.mu.Unlock()
	_ = h.keepAll(ctx, old)                              // it has said what went wrong, and nothing is lost
	c.err = errors.New("live: the study was not opened") // what others hear if open panics
	defer func() {
		if c.err != nil {
			h.mu.Lock()
			delete(h.entries, name) // while it is being opened nobody else takes it out
			h.mu.Unlock()
		}
		close(c.ready)
	}()
	detachedCtx, stop := context.WithTimeout(context.WithoutCancel(ctx), h.Wait)
	defer stop()
	c.value, c.err = h.Open(detachedCtx, name)
	return c.value, c.err
}

// excess takes out the least recently used values above size or the memory limit, except the latest. The caller holds mu.
func (h *Cache[T]) excess(size int) (old []*T) {
	total := int64(0)
	weights := map[*T]int64{}
	for _, c := range h.entries {
		if v := c.opened(); v != nil {
			weights[v] = h.Weight(v)
			total += weights[v]
		}
	}
	least := func(a, b string) int { return h.entries[a].used - h.entries[b].used }
	for _, name := range slices.SortedFunc(maps.Keys(h.entries), least) {
		if len(h.entries) <= size && (h.Memory <= 0 || total <= h.Memory || len(h.entries) == 1) {
			break
		}
		if v := h.entries[name].opened(); v != nil {
			delete(h.entries, name)
			total -= weights[v]
			old = append(old, v)
		}
	}
	memory.Process.Reserve(total - h.reserved)
	h.reserved = total
	return old
}

func (c *entry[T]) opened() *T {
	select {
	case <-c.ready:
		return c.value
	default:
		return nil
	}
}

// Shrink closes what is more than size, or has grown to be too much.
func (h *Cache[T]) Shrink(ctx context.Context, size int) error {
	h.mu.Lock()
	old := h.excess(size)
	h.mu.Unlock()
	return h.keepAll(ctx, old)
}

// keepAll keeps what values leave behind.
func (h *Cache[T]) keepAll(ctx context.Context, old []*T) error {
	var errs []error
	for _, v := range old {
		err := h.Keep(ctx, v)
		errs = append(errs, err)
		if errors.Is(err, store.ErrUnavailable) {
			break // nor will the others be kept, and each would be waited for
		}
	}
	return errors.Join(errs...)
}

// Drop takes out a value that is outdated, if the name still has it.
func (h *Cache[T]) Drop(name string, v *T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.entries[name]; c != nil && c.opened() == v {
		delete(h.entries, name)
	}
}

// Peek returns the value of a name if it is open, else nil.
func (h *Cache[T]) Peek(name string) *T {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.entries[name]; c != nil {
		return c.opened()
	}
	return nil
}

// Len returns how many values are open or being opened.
func (h *Cache[T]) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.entries)
}
