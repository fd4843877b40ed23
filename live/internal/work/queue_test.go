package work

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
)

// TestQueue: a job that waits is not added twice, one too many is dropped, a panic is survived, and it stops.
func TestQueue(t *testing.T) {
	dropped := new(atomic.Int64)
	ctx, stop := context.WithCancel(t.Context())
	c := NewQueue(ctx, 1, dropped, slog.New(slog.DiscardHandler))
	begun, release := make(chan struct{}), make(chan struct{})
	c.Add("first", func(context.Context) { close(begun); <-release })
	<-begun
	var ran []string
	for i := range queueLength + 10 {
		name := fmt.Sprint(i)
		for range 2 {
			c.Add(name, func(context.Context) { ran = append(ran, name) })
		}
	}
	done := make(chan struct{})
	if got := dropped.Load(); got != 20 {
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
	c.Add("bad", func(context.Context) { panic("a bug") })
	c.Add("last", func(context.Context) { close(done) })
	<-done
	stop()
	c.Wait()
	if len(ran) != queueLength {
		t.Errorf("%d jobs ran, want %d", len(ran), queueLength)
	}
}

// TestQueueBegin: what is begun is done while all workers are busy, a panic in it is survived, its end is waited for,
// and nothing is begun once it stops.
func TestQueueBegin(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	c := NewQueue(ctx, 1, new(atomic.Int64), slog.New(slog.DiscardHandler))
	busy, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	c.Add("slow", func(context.Context) { close(busy); <-release })
	<-busy
	if !c.Begin("a task", func(context.Context) { close(done) }) || !c.Begin("a task", func(context.Context) { panic("a bug") }) {
		t.Error("not begun")
	}
	<-done
	ended := false
	c.Begin("a task", func(ctx context.Context) { <-ctx.Done(); ended = true })
	close(release)
	stop()
	c.Wait()
	if !ended {
		t.Error("its end was not waited for")
	}
	if c.Begin("a task", func(context.Context) {}) {
		t.Error("begun after the end")
	}
}
