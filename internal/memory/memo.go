package memory

import (
	"runtime"
	"slices"
	"sync"
	"weak"
)

// Memo remembers the last results by all that they depend on. They outlive the fits they were computed from, which take a thousand times as much memory: in a
// study of sixty people one more answer changes what is known of one of them.
type Memo[T any] struct {
	mu    sync.Mutex // guards what follows
	by    map[string]memoized[T]
	order []string // of the keys, oldest first
}

type memoized[T any] struct {
	value T
	entry *Entry // in a budget, or nil
}

// memoSize is how many results are remembered.
const memoSize = 256

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
	if len(m.order) > memoSize {
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
