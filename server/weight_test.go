package server

import (
	"context"
	"fmt"
	"testing"

	"github.com/prefer-bo/prefer"
)

// TestWeight: the estimate is what BenchmarkStudyMemory measured, to a third, and grows with what a study holds.
func TestWeight(t *testing.T) {
	weight := func(n int, people prefer.People, raters int) float64 {
		r := &running{cfg: prefer.Config{People: people}}
		r.book.standing = n
		r.book.said = map[string][]*entry{}
		for i := range raters {
			r.book.said[fmt.Sprint(i)] = make([]*entry, n/raters)
		}
		return float64(r.weight())
	}
	for n, measured := range map[int]float64{500: 34.5e6, 100: 1.2e6} {
		if got := weight(n, prefer.Shared, 1); got < measured/1.5 || got > measured*1.5 {
			t.Errorf("%d answers weigh %.2g, measured %.2g", n, got, measured)
		}
	}
	if many, one := weight(500, prefer.PerRater, 50), weight(500, prefer.Shared, 50); many > one/10 {
		t.Errorf("50 utilities of ten answers weigh %.2g, one of 500 %.2g", many, one)
	}
	if sparse, dense := weight(1001, prefer.Shared, 1), weight(1000, prefer.Shared, 1); sparse > dense/2 {
		t.Errorf("the sparse model weighs %.2g, the dense one %.2g", sparse, dense)
	}
}

// TestShelfMemory: studies that have grown are put away, the least recently used first, and never the last one.
func TestShelfMemory(t *testing.T) {
	var away []string
	h := newShelf(100, func(_ context.Context, name string) (*running, error) {
		return &running{name: name}, nil
	}, func(_ context.Context, r *running) error { away = append(away, r.name); return nil })
	h.memory = 70 << 20
	grow := func(name string) {
		r, err := h.get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		r.mu.Lock()
		r.book.standing = 500
		r.mu.Unlock()
		h.trim(t.Context())
	}
	for _, name := range []string{"a", "b", "a", "c", "d"} {
		grow(name)
	}
	if fmt.Sprint(away) != "[b a]" || h.count() != 2 {
		t.Errorf("put away %v, %d are left", away, h.count())
	}
	h.memory = 1
	h.trim(t.Context())
	if fmt.Sprint(away) != "[b a c]" || h.peek("d") == nil {
		t.Errorf("put away %v", away)
	}
}
