package queue

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// running is the set of jobs a worker is at, each with what stops it.
type running struct {
	mu  sync.Mutex
	all map[int64]context.CancelCauseFunc
}

func (r *running) add(id int64, stop context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[int64]context.CancelCauseFunc{}
	}
	r.all[id] = stop
}

func (r *running) remove(id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, id)
}

// list returns their numbers, never nil, which would be NULL.
func (r *running) list() []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.AppendSeq(make([]int64, 0, len(r.all)), maps.Keys(r.all))
}

// stop stops jobs that were taken away.
func (r *running) stop(ids []int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		if stop := r.all[id]; stop != nil {
			stop(errTaken)
		}
	}
}
