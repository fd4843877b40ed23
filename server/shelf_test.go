package server

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prefer-bo/prefer/store"
)

// TestShelf: a study is opened once for many, the least recently used is put away, and errors are not kept.
func TestShelf(t *testing.T) {
	var mu sync.Mutex
	opened, away := map[string]int{}, []string{}
	h := newShelf(2, func(_ context.Context, name string) (*running, error) {
		time.Sleep(time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		opened[name]++
		if name == "none" {
			return nil, store.ErrNoStudy
		}
		return &running{name: name}, nil
	}, func(_ context.Context, r *running) error { away = append(away, r.name); return nil })
	get := func(name string) *running {
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
	if err := h.empty(t.Context()); err != nil || h.count() != 0 {
		t.Errorf("%d are left, %v", h.count(), err)
	}
}
