package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/store"
)

// TestCache: a study is opened once for many, the least recently used is put away, and errors are not kept.
func TestCache(t *testing.T) {
	var mu sync.Mutex
	opened, away := map[string]int{}, []string{}
	h := newCache(2, 0, func(_ context.Context, name string) (*Study, error) {
		time.Sleep(time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		opened[name]++
		if name == "none" {
			return nil, store.ErrNoStudy
		}
		return &Study{Name: name, Study: new(prefer.Study)}, nil
	}, func(_ context.Context, r *Study) error { away = append(away, r.Name); return nil })
	get := func(name string) *Study {
		r, err := h.get(t.Context(), name)
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
	h.drop(a)
	if h.peek("a") != nil || h.peek("c") == nil {
		t.Error("dropped the wrong one")
	}
	if err := h.shrink(t.Context(), 0); err != nil || h.count() != 0 {
		t.Errorf("%d are left, %v", h.count(), err)
	}
}

// TestCacheMemory: studies that have grown are put away, the least recently used first, and never the last one.
func TestCacheMemory(t *testing.T) {
	var away []string
	h := newCache(100, 4<<20, func(_ context.Context, name string) (*Study, error) {
		return &Study{Name: name, Study: new(prefer.Study)}, nil
	}, func(_ context.Context, r *Study) error { away = append(away, r.Name); return nil })
	grow := func(name string) {
		r, err := h.get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		r.mu.Lock()
		r.index.standing = 500
		r.mu.Unlock()
		_ = h.shrink(t.Context(), h.size)
	}
	for _, name := range []string{"a", "b", "a", "c", "d"} {
		grow(name)
	}
	if fmt.Sprint(away) != "[b a]" || h.count() != 2 {
		t.Errorf("put away %v, %d are left", away, h.count())
	}
	h.memory = 1
	_ = h.shrink(t.Context(), h.size)
	if fmt.Sprint(away) != "[b a c]" || h.peek("d") == nil {
		t.Errorf("put away %v", away)
	}
}

// TestCloseLost: a room that is closed while the store is away waits for it once, not for every study.
func TestCloseLost(t *testing.T) {
	tried := 0
	h := newCache(10, 0, func(_ context.Context, name string) (*Study, error) {
		return &Study{Name: name, Study: new(prefer.Study)}, nil
	}, func(context.Context, *Study) error { tried++; return fmt.Errorf("lost: %w", store.ErrUnavailable) })
	for i := range 3 {
		if _, err := h.get(t.Context(), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.shrink(t.Context(), 0); !errors.Is(err, store.ErrUnavailable) || tried != 1 {
		t.Errorf("%v after %d tries, want one", err, tried)
	}
}
