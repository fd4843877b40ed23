package memory

import "sync"

// Memo remembers the last results by all that they depend on. They outlive the fits they were computed from, which take a thousand times as much memory: in a
// study of sixty people one more answer changes what is known of one of them.
type Memo[T any] struct {
	mu    sync.Mutex // guards what follows
	by    map[string]T
	order []string // of the keys, oldest first
}

// memoSize is how many results are remembered.
const memoSize = 256

func (m *Memo[T]) Get(key string) (T, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.by[key]
	return v, ok
}

// Last returns the newest n.
func (m *Memo[T]) Last(n int) map[string]T {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]T{}
	for _, key := range m.order[max(0, len(m.order)-n):] {
		out[key] = m.by[key]
	}
	return out
}

// Put remembers a value. One without a key is not remembered.
func (m *Memo[T]) Put(key string, v T) {
	if key == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.by == nil {
		m.by = map[string]T{}
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
