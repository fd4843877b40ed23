package memory

import (
	"fmt"
	"maps"
	"testing"
)

// TestMemo: the last values are remembered, the oldest forgotten, a value without a key never kept.
func TestMemo(t *testing.T) {
	var m Memo[int]
	m.Put("", 1)
	if v, ok := m.Get(""); ok || v != 0 {
		t.Errorf("a value without a key: %d, %t", v, ok)
	}
	for i := range memoSize + 1 {
		m.Put(fmt.Sprint(i), i)
	}
	m.Put("7", -7)
	if v, ok := m.Get("0"); ok {
		t.Errorf("the oldest of %d is still %d", memoSize+1, v)
	}
	if v, ok := m.Get("7"); !ok || v != -7 || len(m.by) != memoSize || len(m.order) != memoSize {
		t.Errorf("7 is %d, %t; %d values, %d keys", v, ok, len(m.by), len(m.order))
	}
	if got, want := m.Last(2), map[string]int{"255": 255, "256": 256}; !maps.Equal(got, want) {
		t.Errorf("the last two are %v, want %v", got, want)
	}
}
