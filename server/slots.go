package server

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// slots bound how many searches and fits run at a time, for more than there are processors only get into
// each other's way, and into that of requests which need none. Somebody who waits comes before work in the
// background, except now and then, so that verdicts are not put off for ever.
type slots struct {
	mu    sync.Mutex
	free  int
	turns int
	last  time.Time       // when one was given back
	first []chan struct{} // of raters who wait
	later []chan struct{} // of the crew
}

// everySlot is which turn goes to the background even if raters wait.
const everySlot = 8

func newSlots() *slots { return &slots{free: runtime.NumCPU()} }

// take waits for a slot; false if the context ended first. background says that nobody waits for the result.
func (s *slots) take(ctx context.Context, background bool) bool {
	s.mu.Lock()
	if s.free > 0 && (!background || s.free > 1 || runtime.NumCPU() == 1) { // the crew leaves one
		s.free--
		s.mu.Unlock()
		return true
	}
	mine := make(chan struct{})
	queue := &s.first
	if background {
		queue = &s.later
	}
	*queue = append(*queue, mine)
	s.mu.Unlock()
	select {
	case <-mine:
		return true
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range *queue {
		if c == mine {
			*queue = append((*queue)[:i:i], (*queue)[i+1:]...)
			return false
		}
	}
	return true // it came at the last moment
}

// rest is for how long nothing must have run for the processors to have no other work. Between the renewals of many
// stocks there are moments without a search; one for a single rater that began then would be in the way of the next.
const rest = 30 * time.Millisecond

// idle reports whether nothing runs, and for a while nothing has.
func (s *slots) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.free == runtime.NumCPU() && time.Since(s.last) > rest
}

// give hands a slot on: to who waits longest, to the crew if that leaves one free or it is its turn.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns++
	s.last = time.Now()
	turn := len(s.later) > 0 && s.turns%everySlot == 0
	switch {
	case len(s.first) > 0 && !turn:
		close(s.first[0])
		s.first = s.first[1:]
	case len(s.later) > 0 && (turn || s.free > 0):
		close(s.later[0])
		s.later = s.later[1:]
	default:
		s.free++
	}
}
