package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Local is a runner that does jobs in this process, first come, first served. It remembers them until they are dropped, or the process ends.
type Local struct {
	kinds  Kinds
	before func(context.Context) error
	ctx    context.Context // ends with Close
	stop   context.CancelFunc
	done   sync.WaitGroup

	mu   sync.Mutex
	wake *sync.Cond
	jobs []*local // in the order of submission
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

// NewLocal returns a runner with one part at a time, each after before has returned. Close stops it.
func NewLocal(kinds Kinds, before func(context.Context) error) *Local {
	l := &Local{kinds: kinds, before: before}
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.wake = sync.NewCond(&l.mu)
	l.done.Go(l.work)
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
		return errors.New("job: the runner is closed")
	}
	have := l.find(j.Key())
	if have == nil {
		have = &local{Job: j, key: j.Key()}
		have.ctx, have.cancel = context.WithCancel(l.ctx)
		l.jobs = append(l.jobs, have)
	}
	for p, s := range have.states {
		if s == failed {
			have.states[p] = waiting
		}
	}
	if more := j.Parts - len(have.states); more > 0 {
		have.states, have.results = append(have.states, make([]state, more)...), append(have.results, make([][]byte, more)...)
	}
	have.failure = ""
	l.wake.Broadcast()
	return nil
}

// find returns the job of a key, or nil. The caller holds mu.
func (l *Local) find(key string) *local {
	if at := slices.IndexFunc(l.jobs, func(e *local) bool { return e.key == key }); at >= 0 {
		return l.jobs[at]
	}
	return nil
}

func (l *Local) work() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.ctx.Err() == nil {
		first := slices.IndexFunc(l.jobs, func(e *local) bool { return slices.Contains(e.states, waiting) })
		if first < 0 {
			l.wake.Wait()
			continue
		}
		e := l.jobs[first]
		part := slices.Index(e.states, waiting)
		e.states[part] = running
		l.mu.Unlock()
		var result []byte
		err := l.before(e.ctx)
		if err == nil {
			result, err = l.kinds.Do(e.ctx, e.Kind, e.Body, part)
		}
		l.mu.Lock()
		switch {
		case err == nil:
			e.states[part], e.results[part] = finished, result
		case l.ctx.Err() != nil: // cut short by Close, which is no failure of its own
			e.states[part] = waiting
		default:
			e.states[part] = failed
			e.failure = cmp.Or(e.failure, err.Error())
		}
	}
}

// look runs do on a job, alone.
func (l *Local) look(key string, do func(*local)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.find(key)
	if e == nil {
		return fmt.Errorf("job: %q: %w", key, ErrUnknown)
	}
	do(e)
	return nil
}

func (l *Local) Progress(_ context.Context, key string) (p Progress, err error) {
	err = l.look(key, func(e *local) {
		p = Progress{Parts: len(e.states), Failure: e.failure, Workers: 1}
		for _, s := range e.states {
			*[]*int{&p.Waiting, &p.Running, &p.Done, &p.Failed}[s]++
		}
	})
	return p, err
}

func (l *Local) Results(_ context.Context, key string) (results [][]byte, err error) {
	err = l.look(key, func(e *local) { results = slices.Clone(e.results) })
	return results, err
}

func (l *Local) Drop(_ context.Context, key string) error {
	_ = l.look(key, func(e *local) { // one that is not there is no error
		e.cancel()
		l.jobs = slices.DeleteFunc(l.jobs, func(other *local) bool { return other == e })
	})
	return nil
}
