package live

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
)

// TestBackground: a job that waits is not added twice, one too many is dropped, a panic is survived, and it stops.
func TestBackground(t *testing.T) {
	m := new(Counters)
	ctx, stop := context.WithCancel(t.Context())
	c := newBackground(ctx, 1, m, slog.New(slog.DiscardHandler))
	begun, release := make(chan struct{}), make(chan struct{})
	c.add("first", func(context.Context) { close(begun); <-release })
	<-begun
	var ran []string
	for i := range queueLength + 10 {
		name := fmt.Sprint(i)
		for range 2 {
			c.add(name, func(context.Context) { ran = append(ran, name) })
		}
	}
	done := make(chan struct{})
	if got := m.Dropped.Load(); got != 20 {
		t.Errorf("%d jobs were dropped, want 20", got)
	}
	close(release)
	for {
		c.mu.Lock()
		left := len(c.waiting)
		c.mu.Unlock()
		if left == 0 {
			break
		}
		runtime.Gosched()
	}
	c.add("bad", func(context.Context) { panic("a bug") })
	c.add("last", func(context.Context) { close(done) })
	<-done
	stop()
	c.wait()
	if len(ran) != queueLength {
		t.Errorf("%d jobs ran, want %d", len(ran), queueLength)
	}
}

// TestBackgroundBegin: what is begun is done while all workers are busy, a panic in it is survived, its end is waited for,
// and nothing is begun once it stops.
func TestBackgroundBegin(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	c := newBackground(ctx, 1, new(Counters), slog.New(slog.DiscardHandler))
	busy, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	c.add("slow", func(context.Context) { close(busy); <-release })
	<-busy
	if !c.begin("a task", func(context.Context) { close(done) }) || !c.begin("a task", func(context.Context) { panic("a bug") }) {
		t.Error("not begun")
	}
	<-done
	ended := false
	c.begin("a task", func(ctx context.Context) { <-ctx.Done(); ended = true })
	close(release)
	stop()
	c.wait()
	if !ended {
		t.Error("its end was not waited for")
	}
	if c.begin("a task", func(context.Context) {}) {
		t.Error("begun after the end")
	}
}
