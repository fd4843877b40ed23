package server

import (
	"context"
	"errors"
	"sync"
	"time"
)

// jobs are those this server looks after: it takes in what came of them even if nobody asks.
type jobs struct {
	changing chan struct{} // held while one is handed in or taken in; a channel, so that waiting honours a context

	mu  sync.Mutex
	all map[followed]bool
}

type followed struct{ study, key string }

func newJobs() *jobs {
	return &jobs{changing: make(chan struct{}, 1), all: map[followed]bool{}}
}

func (e *jobs) follow(study, key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all[followed{study, key}] = true
}

// leave reports whether the job was looked after until now.
func (e *jobs) leave(study, key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	f := followed{study, key}
	was := e.all[f]
	delete(e.all, f)
	return was
}

func (e *jobs) list() (all []followed) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for f := range e.all {
		all = append(all, f)
	}
	return all
}

// change runs do while no other job of this server changes.
func (e *jobs) change(ctx context.Context, do func() error) error {
	select {
	case e.changing <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-e.changing }()
	return do()
}

// lookAfter takes in what came of jobs until ctx ends.
func (s *Server) lookAfter(ctx context.Context) {
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		tick.Reset(glance)
		for _, f := range s.jobs.list() {
			patient, stop := context.WithTimeout(ctx, maxWait)
			_, _, err := s.see(patient, f.study, f.key)
			if errors.Is(err, errNoJob) { // deleted, or somebody was forgotten
				s.jobs.leave(f.study, f.key)
				err = s.deskTrouble(patient, s.desk.Drop(patient, f.key))
			}
			stop()
			if err != nil { // store or desk cannot be reached
				tick.Reset(seldomGlance)
				break
			}
		}
	}
}
