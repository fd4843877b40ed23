// Package work shares processors between people who wait and work that nobody waits for, and measures where the time of a request went.
package work

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer/internal/cooperate"
	"github.com/prefer-bo/prefer/internal/xslices"
)

// Queue does tasks in the background. Each name waits once; if the queue is full a task is dropped.
type Queue struct {
	ctx     context.Context
	dropped *atomic.Int64
	log     *slog.Logger
	tasks   chan task
	done    sync.WaitGroup

	mu      sync.Mutex
	waiting map[string]bool
	running map[string]int
	stopped bool
}

type task struct {
	name string
	do   func(context.Context)
}

// queueLength is how many tasks may wait.
const queueLength = 512

// NewQueue returns a queue with so many workers, until ctx ends. It counts the tasks that it dropped.
func NewQueue(ctx context.Context, workers int, dropped *atomic.Int64, log *slog.Logger) *Queue {
	b := &Queue{ctx: ctx, dropped: dropped, log: log, tasks: make(chan task, queueLength), waiting: map[string]bool{}, running: map[string]int{}}
	for range workers {
		b.done.Go(b.work)
	}
	return b
}

func (b *Queue) work() {
	for {
		select {
		case <-b.ctx.Done():
			return
		case t := <-b.tasks:
			b.mu.Lock()
			delete(b.waiting, t.name)
			b.mu.Unlock()
			if b.ctx.Err() == nil {
				b.run(t)
			}
		}
	}
}

// run does a task. A panic in one does not end the process: a request that wants its result meets the same panic.
func (b *Queue) run(t task) {
	b.mu.Lock()
	b.running[t.name]++
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		if b.running[t.name]--; b.running[t.name] == 0 {
			delete(b.running, t.name)
		}
		b.mu.Unlock()
		if p := recover(); p != nil {
			b.log.Error("a background task panicked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	cooperate.Yield()
	t.do(b.ctx)
}

// Begin does a task beside the queue, at once; false after Wait. The caller sees to it that there are few.
func (b *Queue) Begin(name string, do func(context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return false
	}
	b.done.Go(func() { b.run(task{name, do}) })
	return true
}

// Add queues a task unless one of that name waits already.
func (b *Queue) Add(name string, do func(context.Context)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[name] {
		return
	}
	select {
	case b.tasks <- task{name, do}:
		b.waiting[name] = true
	default:
		b.dropped.Add(1)
	}
}

// Wait returns when nothing runs any more, after the context has ended.
func (b *Queue) Wait() {
	b.mu.Lock()
	b.stopped = true // a caller of Begin has counted its task by now, and nobody begins one any more
	b.mu.Unlock()
	b.done.Wait()
}

// Running returns the names of the tasks that are running.
func (b *Queue) Running() (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return xslices.Map(slices.Sorted(maps.Keys(b.running)), func(name string) string { return strings.ReplaceAll(name, "\x00", " ") })
}

// Go does work of its own beside the tasks, which Wait waits for.
func (b *Queue) Go(do func()) { b.done.Go(do) }

// Times are how long the parts of a request took.
type Times struct {
	mu    sync.Mutex
	spent map[string]time.Duration // by part
}

type timesKey struct{}

// WithTimes returns a context under which a request keeps its times.
func WithTimes(ctx context.Context) (context.Context, *Times) {
	t := &Times{spent: map[string]time.Duration{}}
	return context.WithValue(ctx, timesKey{}, t), t
}

// Timing returns the times of a request, nil if nobody reads them.
func Timing(ctx context.Context) *Times {
	t, _ := ctx.Value(timesKey{}).(*Times)
	return t
}

// Since adds the time from start to now to a part.
func (t *Times) Since(part string, start time.Time) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.spent[part] += time.Since(start)
	}
}

// String is the value of an HTTP header Server-Timing: "fit;dur=7.3, store;dur=0.1", in milliseconds.
func (t *Times) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(xslices.Map(slices.Sorted(maps.Keys(t.spent)), func(part string) string {
		return fmt.Sprintf("%s;dur=%.2f", part, float64(t.spent[part])/float64(time.Millisecond))
	}), ", ")
}
