package work

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// How processors are shared.
const (
	backgroundShare = 8                     // how many processors are handed on for one that goes to the background even if raters wait
	rest            = 30 * time.Millisecond // for how long nothing must have run for the processors to be idle: between the renewals of stocks there are moments without a search
	pressure        = 5 * time.Second       // for how long a processor that came too late for somebody is a sign of more work than there are processors
)

// Processors bound how many searches and fits run at a time. Requests go before background work, except now and then.
type Processors struct {
	all   int // that there are
	mu    sync.Mutex
	free  int
	given int
	last  time.Time       // when one was given back
	judge time.Time       // when it is time for the next verdict of a crowd
	late  time.Time       // when somebody last gave up waiting for one, or for what it was to find
	first []chan struct{} // of raters who wait
	later []chan struct{} // of background work
}

// NewProcessors returns so many processors.
func NewProcessors(n int) *Processors { return &Processors{all: n, free: n} }

// Waiting returns how many requests and how many background tasks wait for a processor.
func (p *Processors) Waiting() (requests, background int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.first), len(p.later)
}

// Take waits for a processor; false if the context ended first. background says that nobody waits for the result.
func (p *Processors) Take(ctx context.Context, background bool) bool {
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

// Idle reports whether nothing runs, and for a while nothing has.
func (p *Processors) Idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.free == p.all && time.Since(p.last) > rest
}

// Pressed reports whether there is lately more to search for than the processors can do while people wait.
func (p *Processors) Pressed() bool {
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

// MayJudge reports whether it is time for the verdict of a crowd.
func (p *Processors) MayJudge() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !time.Now().Before(p.judge)
}

// Judged notes that a verdict was worked out, from start until now.
func (p *Processors) Judged(start time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := judgeRest * time.Since(start)
	if time.Since(p.late) < pressure {
		rest = pressedRest * time.Since(start)
	}
	p.judge = time.Now().Add(rest)
}

// TooLate notes that somebody gave up waiting.
func (p *Processors) TooLate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.late = time.Now()
}

// Give hands a processor on: to who waits longest, to the background if that leaves one free or it is due one.
func (p *Processors) Give() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.given++
	p.last = time.Now()
	background := len(p.later) > 0 && p.given%backgroundShare == 0
	switch {
	case len(p.first) > 0 && !background:
		close(p.first[0])
		p.first = p.first[1:]
	case len(p.later) > 0 && (background || p.free > 0):
		close(p.later[0])
		p.later = p.later[1:]
	default:
		p.free++
	}
}
