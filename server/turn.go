package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prefer-bo/prefer"
)

// leaseWait is the least that is waited for other servers, so that who is late already does not collide with
// them for certain.
const leaseWait = 100 * time.Millisecond

// turn waits until it is this request's turn to search for a question of the study: within the server, for a
// processor, and then among the servers on the store. Only who has a processor keeps other servers waiting. A
// rater who has a question open, or one chosen ahead, here or elsewhere, needs no turn.
//
// Waiting saves work and no more: after half of the time there is, a server goes on out of turn, and the log
// decides.
func (s *Server) turn(ctx, patient context.Context, r *running, rater string, plain bool) (release func(), err error) {
	var given []func()
	release = func() {
		for _, give := range slices.Backward(given) {
			give()
		}
	}
	var open, fresh bool // fresh: what was chosen ahead is for a log with one answer of hers more
	r.look(func(k *book) {
		open = k.open[rater] != nil
		fresh = k.answered != nil && k.answered.question.Rater == rater
	})
	if open || plain && fresh && s.ready(ctx, r, rater) {
		return release, nil
	}
	start := time.Now()
	defer func() { timing(ctx).add("queue", time.Since(start)) }()
	select {
	case r.searching <- struct{}{}:
		given = append(given, func() { <-r.searching })
	case <-patient.Done():
	}
	if s.slots.take(patient, false) {
		given = append(given, s.slots.give)
	}
	wait := leaseWait
	if end, ok := patient.Deadline(); ok {
		wait = max(wait, time.Until(end)/2)
	}
	waiting, stop := context.WithTimeout(context.WithoutCancel(ctx), wait)
	defer stop()
	if back, err := s.cfg.Store.Lease(waiting, r.study); err == nil {
		given = append(given, back)
	} else {
		s.metrics.outOfTurn.add(1)
	}
	lasting, stop := lasting(ctx)
	defer stop()
	_, ok, err := s.cfg.Store.Follow(lasting, r.study)
	if err == nil && !ok { // it must be opened again
		err = fmt.Errorf("server: study %q has another past: %w", r.name, prefer.ErrConflict)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// askInTurn asks, and as long as answers elsewhere come between catches up and asks again without giving its turn
// away: the study still has the question it chose.
func (s *Server) askInTurn(ctx, patient context.Context, r *running, request prefer.Request) (prefer.Question, error) {
	lasting, stop := lasting(ctx)
	defer stop()
	for try := 1; ; try++ {
		if end, ok := patient.Deadline(); ok {
			request.Within = max(1, time.Until(end))
		}
		q, err := r.study.AskFor(lasting, request)
		if !errors.Is(err, prefer.ErrConflict) || try == maxTries {
			return q, err
		}
		s.metrics.conflicts.add(1)
		if _, ok, lost := s.cfg.Store.Follow(lasting, r.study); lost != nil || !ok {
			return q, err
		}
	}
}

// ready reports whether a rater's next question has been chosen ahead, by this server or by another one.
func (s *Server) ready(ctx context.Context, r *running, rater string) bool {
	if r.study.Host().Ready(rater) {
		return true
	}
	lasting, stop := lasting(ctx)
	defer stop()
	used, err := s.cfg.Store.UseAhead(lasting, r.study, rater)
	if err != nil {
		s.log.Warn("what was chosen ahead cannot be read", "study", r.name, "error", err)
	}
	if !used || !r.study.Host().Ready(rater) {
		return false
	}
	s.metrics.shared.add(1)
	return true
}

// looking is how long a rater is taken to look at a question.
const looking = time.Minute

// others counts the other raters who are looking at questions.
func (r *running) others(rater string, now time.Time) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for other, q := range r.book.open {
		if other != rater && now.Sub(q.time) < looking {
			n++
		}
	}
	return n
}

// crowded reports whether other raters are looking at questions. Then nothing is worth choosing ahead for this
// one: it is good for a log in which her answer is the next event, and theirs will come between.
func (r *running) crowded(rater string, now time.Time) bool { return r.others(rater, now) > 0 }
