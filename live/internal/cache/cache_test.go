package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/store"
)

// value stands in for an open study.
type value struct {
	name   string
	weight int64
}

func newCache(size int, memory int64, open func(context.Context, string) (*value, error), keep func(context.Context, *value) error) *Cache[value] {
	return &Cache[value]{Size: size, Memory: memory, Wait: time.Minute, Open: open, Keep: keep, Weight: func(v *value) int64 { return v.weight }}
}

// TestCache: a study is opened once for many, the least recently used is put away, and errors are not kept.
func TestCache(t *testing.T) {
	var mu sync.Mutex
	opened, away := map[string]int{}, []string{}
	h := newCache(2, 0, func(_ context.Context, name string) (*value, error) {
		time.Sleep(time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		opened[name]++
		if name == "none" {
			return nil, store.ErrNoStudy
		}
		return &value{name: name}, nil
	}, func(_ context.Context, r *value) error { away = append(away, r.name); return nil })
	get := func(name string) *value {
		r, err := h.Get(t.Context(), name)
		if (err != nil) != (name == "none") {
			t.Errorf("%s: %v", name, err)
		}
		return r
	}
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() { get("a") })
	}
	wait.Wait()
	get("b")
	a := get("a")
	get("c")
	get("none")
	get("none")
	if fmt.Sprint(opened) != "map[a:1 b:1 c:1 none:2]" || fmt.Sprint(away) != "[b a]" && fmt.Sprint(away) != "[b]" {
		t.Errorf("opened %v, put away %v", opened, away)
	}
	h.Drop("a", a)
	if h.Peek("a") != nil || h.Peek("c") == nil {
		t.Error("dropped the wrong one")
	}
	if err := h.Shrink(t.Context(), 0); err != nil || h.Len() != 0 {
		t.Errorf("%d are left, %v", h.Len(), err)
	}
}

// TestCacheMemory: studies that have grown are put away, the least recently used first, and never the last one.
func TestCacheMemory(t *testing.T) {
	var away []string
	h := newCache(100, 4<<20, func(_ context.Context, name string) (*value, error) {
		return &value{name: name}, nil
	}, func(_ context.Context, r *value) error { away = append(away, r.name); return nil })
	grow := func(name string) {
		r, err := h.Get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		r.weight = 64<<10 + 500*3<<10 // as a study of 500 answers
		_ = h.Shrink(t.Context(), h.Size)
	}
	for _, name := range []string{"a", "b", "a", "c", "d"} {
		grow(name)
	}
	if fmt.Sprint(away) != "[b a]" || h.Len() != 2 {
		t.Errorf("put away %v, %d are left", away, h.Len())
	}
	h.Memory = 1
	_ = h.Shrink(t.Context(), h.Size)
	if fmt.Sprint(away) != "[b a c]" || h.Peek("d") == nil {
		t.Errorf("put away %v", away)
	}
}

// TestCloseLost: a room that is closed while the store is away waits for it once, not for every study.
func TestCloseLost(t *testing.T) {
	tried := 0
	h := newCache(10, 0, func(_ context.Context, name string) (*value, error) {
		return &value{name: name}, nil
	}, func(context.Context, *value) error { tried++; return fmt.Errorf("lost: %w", store.ErrUnavailable) })
	for i := range 3 {
		if _, err := h.Get(t.Context(), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Shrink(t.Context(), 0); !errors.Is(err, store.ErrUnavailable) || tried != 1 {
		t.Errorf("%v after %d tries, want one", err, tried)
	}
}
