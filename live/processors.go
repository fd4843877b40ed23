package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
)

// How processors are shared.
const (
	leaseWait = 100 * time.Millisecond // the least time to wait for the lease of other servers
	everyTurn = 8                      // which turn goes to the background even if raters wait
	rest      = 30 * time.Millisecond  // for how long nothing must have run for the processors to be idle: between the renewals of stocks there are moments without a search
	pressure  = 5 * time.Second        // for how long a processor that came too late for somebody is a sign of more work than there are processors
)

// turn waits for the study, a processor and the lease among processes. After half of the time for a search it goes on without the lease: the log decides.
func (s *Studies) turn(w waiting, r *Study) (release func(), err error) {
	defer timing(w).since("queue", time.Now())
	var given []func()
	release = func() {
		for _, give := range slices.Backward(given) {
			give()
		}
	}
	select {
	case r.searching <- struct{}{}:
		given = append(given, func() { <-r.searching })
	case <-w.search.Done():
	}
	if s.processors.take(w.search, false) {
		given = append(given, s.processors.give)
	}
	wait := leaseWait
	if end, ok := w.search.Deadline(); ok {
		wait = max(wait, time.Until(end)/2)
	}
	leasing, stop := context.WithTimeout(context.WithoutCancel(w), wait)
	defer stop()
	if back, err := s.store.Lease(leasing, r.Study); err == nil {
		given = append(given, back)
	} else {
		s.Counters.OutOfTurn.Add(1)
	}
	lasting, stop := lasting(w)
	defer stop()
	_, ok, err := s.store.Follow(lasting, r.Study)
	if err == nil && !ok { // it must be opened again
		err = fmt.Errorf("live: study %q has another past: %w", r.Name, prefer.ErrConflict)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// processors bound how many searches and fits run at a time. Requests go before background work, except now and then.
type processors struct {
	all   int // that there are
	mu    sync.Mutex
	free  int
	turns int
	last  time.Time       // when one was given back
	judge time.Time       // when it is time for the next verdict of a crowd
	late  time.Time       // when somebody last gave up waiting for one, or for what it was to find
	first []chan struct{} // of raters who wait
	later []chan struct{} // of background work
}

// take waits for a processor; false if the context ended first. background says that nobody waits for the result.
func (p *processors) take(ctx context.Context, background bool) bool {
	p.mu.Lock()
	if p.free > 0 && (!background || p.free > 1 || p.all == 1) { // the background leaves one
		p.free--
		p.mu.Unlock()
		return true
	}
	mine := make(chan struct{})
	queue := &p.first
	if background {
		queue = &p.later
	}
	*queue = append(*queue, mine)
	p.mu.Unlock()
	select {
	case <-mine:
		return true
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := slices.Index(*queue, mine); at >= 0 {
		*queue = slices.Delete(*queue, at, at+1)
		if !background && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			p.late = time.Now()
		}
		return false
	}
	return true // it came at the last moment
}

// idle reports whether nothing runs, and for a while nothing has.
func (p *processors) idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.free == p.all && time.Since(p.last) > rest
}

// pressed reports whether there is lately more to search for than the processors can do while people wait.
func (p *processors) pressed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Since(p.late) < pressure
}

// judgeRest is how many times as long as the last verdict took it is until the next one of a crowd, and pressedRest while the processors are pressed:
// nobody there waits for it, and all of them together take a ninth of a processor, or a thirty-third.
const (
	judgeRest   = 8
	pressedRest = 32
)

// mayJudge reports whether it is time for the verdict of a crowd.
func (p *processors) mayJudge() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !time.Now().Before(p.judge)
}

// judged notes that a verdict was worked out, from start until now.
func (p *processors) judged(start time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := judgeRest * time.Since(start)
	if time.Since(p.late) < pressure {
		rest = pressedRest * time.Since(start)
	}
	p.judge = time.Now().Add(rest)
}

// tooLate notes that somebody gave up waiting.
func (p *processors) tooLate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.late = time.Now()
}

// give hands a processor on: to who waits longest, to the background if that leaves one free or it is its turn.
func (p *processors) give() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turns++
	p.last = time.Now()
	turn := len(p.later) > 0 && p.turns%everyTurn == 0
	switch {
	case len(p.first) > 0 && !turn:
		close(p.first[0])
		p.first = p.first[1:]
	case len(p.later) > 0 && (turn || p.free > 0):
		close(p.later[0])
		p.later = p.later[1:]
	default:
		p.free++
	}
}
