package memory

import (
	"fmt"
	"maps"
	"runtime"
	"testing"
	"time"
)

// TestMemo: the last values are remembered, the oldest forgotten, a value without a key never kept.
func TestMemo(t *testing.T) {
	var m Memo[int]
	m.Put("", 1)
	if v, ok := m.Get(""); ok || v != 0 {
		t.Errorf("a value without a key: %d, %t", v, ok)
	}
	for i := range 256 + 1 {
		m.Put(fmt.Sprint(i), i)
	}
	m.Put("7", -7)
	if v, ok := m.Get("0"); ok {
		t.Errorf("the oldest of %d is still %d", 256+1, v)
	}
	if v, ok := m.Get("7"); !ok || v != -7 || len(m.by) != 256 || len(m.order) != 256 {
		t.Errorf("7 is %d, %t; %d values, %d keys", v, ok, len(m.by), len(m.order))
	}
	if got, want := m.Last(2), map[string]int{"255": 255, "256": 256}; !maps.Equal(got, want) {
		t.Errorf("the last two are %v, want %v", got, want)
	}
}

// TestPutCounted: a value that is too much for the budget is forgotten, the one used longest ago first, and one that nobody holds is no longer counted.
func TestPutCounted(t *testing.T) {
	var m Memo[*[64]string]
	b := NewBudget(40)
	for i := range 4 {
		PutCounted(&m, b, fmt.Sprint(i), new([64]string), 10)
	}
	if _, ok := m.Get("0"); !ok {
		t.Error("0 was forgotten while there was room")
	}
	PutCounted(&m, b, "4", new([64]string), 10)
	if _, ok := m.Get("1"); ok || len(m.order) != 4 {
		t.Errorf("1 was used longest ago and is kept; keys %v", m.order)
	}
	if _, ok := m.Get("0"); !ok {
		t.Error("0 was used and is forgotten")
	}
	m.forget("0")
	for range 100 {
		runtime.GC()
		if b.Stats().Used == 30 {
			break
		}
		time.Sleep(time.Millisecond) // the cleanup runs beside
	}
	if used := b.Stats().Used; used != 30 {
		t.Errorf("%d bytes are counted after one of four values of 10 went", used)
	}
	runtime.KeepAlive(&m)
}
