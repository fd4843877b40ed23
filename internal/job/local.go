package job

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Local is a runner that does jobs in this process, first come, first served. It remembers them as long as the
// process lives, and of those that are over only the latest.
type Local struct {
	kinds   Kinds
	workers int
	ctx     context.Context // ends with Close
	stop    context.CancelFunc
	done    sync.WaitGroup

	mu    sync.Mutex
	wake  *sync.Cond
	all   map[string]*local
	queue []place // parts that wait
	over  []string
}

type place struct {
	*local
	part int
}

type local struct {
	Job
	key     string
	ctx     context.Context // ends when it is dropped, or the runner closed
	cancel  context.CancelFunc
	states  []state
	results [][]byte
	failure string
}

type state uint8

const (
	waiting state = iota
	running
	finished
	failed
)

// maxOver is how many jobs are remembered that are over.
const maxOver = 64

// NewLocal returns a runner with so many parts at a time, at least one. Close stops it.
func NewLocal(kinds Kinds, workers int) *Local {
	l := &Local{kinds: kinds, workers: max(1, workers), all: map[string]*local{}}
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.wake = sync.NewCond(&l.mu)
	for range l.workers {
		l.done.Go(l.work)
	}
	return l
}

// Close stops what is running, and waits for that.
func (l *Local) Close() {
	l.mu.Lock()
	l.stop()
	l.wake.Broadcast()
	l.mu.Unlock()
	l.done.Wait()
}

func (l *Local) Submit(_ context.Context, j Job) error {
	if err := j.Validate(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return fmt.Errorf("job: the runner is closed")
	}
	key := j.Key()
	have := l.all[key]
	if have == nil {
		have = &local{Job: j, key: key}
		have.ctx, have.cancel = context.WithCancel(l.ctx)
		l.all[key] = have
	}
	l.over = slices.DeleteFunc(l.over, func(k string) bool { return k == key })
	for p := range max(j.Parts, len(have.states)) {
		switch {
		case p >= len(have.states):
			have.states, have.results = append(have.states, waiting), append(have.results, nil)
		case have.states[p] == failed:
			have.states[p] = waiting
		default:
			continue
		}
		l.queue = append(l.queue, place{have, p})
	}
	have.Parts, have.failure = len(have.states), ""
	l.settle(have)
	l.wake.Broadcast()
	return nil
}

func (l *Local) work() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for len(l.queue) == 0 && l.ctx.Err() == nil {
			l.wake.Wait()
		}
		if l.ctx.Err() != nil {
			return
		}
		at := l.queue[0]
		l.queue = l.queue[1:]
		at.states[at.part] = running
		l.mu.Unlock()
		result, err := l.kinds.Do(at.ctx, at.Kind, at.Body, at.part)
		l.mu.Lock()
		switch {
		case err == nil:
			at.states[at.part], at.results[at.part] = finished, result
		case l.ctx.Err() != nil: // cut short by Close, which is no failure of its own
			at.states[at.part] = waiting
		default:
			at.states[at.part] = failed
			if at.failure == "" {
				at.failure = err.Error()
			}
		}
		l.settle(at.local)
	}
}

// settle notes that a job is over, and forgets the oldest of those. The caller holds mu.
func (l *Local) settle(e *local) {
	if l.all[e.key] != e || !e.progress(l.workers).Over() || slices.Contains(l.over, e.key) {
		return
	}
	l.over = append(l.over, e.key)
	if len(l.over) > maxOver {
		l.remove(l.over[0])
	}
}

func (l *Local) Progress(_ context.Context, key string) (Progress, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.all[key]; e != nil {
		return e.progress(l.workers), nil
	}
	return Progress{}, fmt.Errorf("job: %q: %w", key, ErrUnknown)
}

func (e *local) progress(workers int) Progress {
	p := Progress{Parts: e.Parts, Failure: e.failure, Workers: workers}
	for _, s := range e.states {
		*[]*int{&p.Waiting, &p.Running, &p.Done, &p.Failed}[s]++
	}
	return p
}

func (l *Local) Results(_ context.Context, key string) ([][]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.all[key]; e != nil {
		return slices.Clone(e.results), nil
	}
	return nil, fmt.Errorf("job: %q: %w", key, ErrUnknown)
}

func (l *Local) Drop(_ context.Context, key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remove(key)
	return nil
}

// remove forgets a job. The caller holds mu.
func (l *Local) remove(key string) {
	e := l.all[key]
	if e == nil {
		return
	}
	e.cancel()
	delete(l.all, key)
	l.queue = slices.DeleteFunc(l.queue, func(p place) bool { return p.local == e })
	l.over = slices.DeleteFunc(l.over, func(k string) bool { return k == key })
}
