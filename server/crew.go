package server

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
)

// crew does what can be done while a rater looks: the next questions, verdicts, snapshots. The queue is
// short and a job that is waiting is not put there twice; one that finds no room is not done, for somebody
// will ask for its result anyway and compute it then. What raters are about to wait for is urgent: it has a
// queue and workers of its own.
type crew struct {
	metrics *metrics
	log     *slog.Logger
	jobs    chan job
	urgent  chan job
	done    sync.WaitGroup

	mu      sync.Mutex
	waiting map[string]bool
}

type job struct {
	name string
	do   func(context.Context)
}

// queueLength is how many jobs may wait.
const queueLength = 512

func newCrew(ctx context.Context, workers int, m *metrics, log *slog.Logger) *crew {
	c := &crew{metrics: m, log: log, jobs: make(chan job, queueLength), urgent: make(chan job, queueLength), waiting: map[string]bool{}}
	for range workers {
		c.done.Go(func() { c.work(ctx, c.jobs) })
		c.done.Go(func() { c.work(ctx, c.urgent) })
	}
	return c
}

func (c *crew) work(ctx context.Context, jobs <-chan job) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-jobs:
			c.mu.Lock()
			delete(c.waiting, j.name)
			c.mu.Unlock()
			if ctx.Err() == nil {
				c.run(ctx, j)
			}
		}
	}
}

// run does a job. One that panics is not worth the server: whoever wants its result meets the same in a request.
func (c *crew) run(ctx context.Context, j job) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("a background job panicked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	j.do(ctx)
}

// add queues a job unless one of that name waits already.
func (c *crew) add(name string, do func(context.Context)) { c.put(c.jobs, name, do) }

// hurry is add for what is urgent.
func (c *crew) hurry(name string, do func(context.Context)) { c.put(c.urgent, name, do) }

func (c *crew) put(jobs chan<- job, name string, do func(context.Context)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[name] {
		return
	}
	select {
	case jobs <- job{name, do}:
		c.waiting[name] = true
	default:
		c.metrics.dropped.add(1)
	}
}

// wait returns when the crew has stopped, after its context has ended.
func (c *crew) wait() { c.done.Wait() }
