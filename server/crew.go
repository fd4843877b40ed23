package server

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
)

// crew does what can be done while a rater looks: the next questions, verdicts, snapshots. The queue is
// short and a task that is waiting is not put there twice; one that finds no room is not done, for somebody
// will ask for its result anyway and compute it then. What raters are about to wait for does not queue.
type crew struct {
	ctx     context.Context
	metrics *metrics
	log     *slog.Logger
	tasks   chan task
	done    sync.WaitGroup

	mu      sync.Mutex
	waiting map[string]bool
	stopped bool
}

type task struct {
	name string
	do   func(context.Context)
}

// queueLength is how many tasks may wait.
const queueLength = 512

func newCrew(ctx context.Context, workers int, m *metrics, log *slog.Logger) *crew {
	c := &crew{ctx: ctx, metrics: m, log: log, tasks: make(chan task, queueLength), waiting: map[string]bool{}}
	for range workers {
		c.done.Go(c.work)
	}
	return c
}

func (c *crew) work() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case j := <-c.tasks:
			c.mu.Lock()
			delete(c.waiting, j.name)
			c.mu.Unlock()
			if c.ctx.Err() == nil {
				c.run(j.do)
			}
		}
	}
}

// run does a task. One that panics is not worth the server: whoever wants its result meets the same in a request.
func (c *crew) run(do func(context.Context)) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("a background task panicked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	do(c.ctx)
}

// begin does a task beside the queue, at once; false if the crew is stopping. The caller sees to it that there are few.
func (c *crew) begin(do func(context.Context)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return false
	}
	c.done.Go(func() { c.run(do) })
	return true
}

// add queues a task unless one of that name waits already.
func (c *crew) add(name string, do func(context.Context)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[name] {
		return
	}
	select {
	case c.tasks <- task{name, do}:
		c.waiting[name] = true
	default:
		c.metrics.dropped.add(1)
	}
}

// wait returns when the crew has stopped, after its context has ended.
func (c *crew) wait() {
	c.mu.Lock()
	c.stopped = true // who is in begin has counted its task, and nobody begins one any more
	c.mu.Unlock()
	c.done.Wait()
}
