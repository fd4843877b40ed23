package server

import (
	"context"
	"fmt"
	"time"

	"github.com/prefer-bo/prefer"
)

// turn waits for this server's turn to choose a question of the study, catches up with what others have done,
// and takes what one of them has chosen ahead. A rater who has a question open needs no turn.
//
// Waiting saves work and no more: after half of the time there is, a server goes on out of turn, and the log
// decides.
func (s *Server) turn(ctx, patient context.Context, r *running, rater string) (release func(), err error) {
	var open bool
	r.look(func(k *book) { open = k.open[rater] != nil })
	if open {
		return func() {}, nil
	}
	start := time.Now()
	defer func() { timing(ctx).add("turn", time.Since(start)) }()
	wait := maxWait
	if end, ok := patient.Deadline(); ok {
		wait = min(wait, time.Until(end)/2)
	}
	waiting, stop := context.WithTimeout(patient, wait)
	defer stop()
	release, err = s.cfg.Store.Lease(waiting, r.study)
	if err != nil {
		s.metrics.outOfTurn.add(1)
		release = func() {}
	}
	if err := s.catchUp(ctx, r, rater); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// catchUp brings a study to the end of its log, and has it use what was chosen ahead elsewhere.
func (s *Server) catchUp(ctx context.Context, r *running, rater string) error {
	lasting, stop := lasting(ctx)
	defer stop()
	_, ok, err := s.cfg.Store.Follow(lasting, r.study)
	if err != nil {
		return err
	}
	if !ok { // it must be opened again
		return fmt.Errorf("server: study %q has another past: %w", r.name, prefer.ErrConflict)
	}
	var fresh bool // what was chosen ahead is for the log with one answer of hers more
	r.look(func(k *book) { fresh = k.answered != nil && k.answered.question.Rater == rater })
	if !fresh || r.study.Ready(rater) {
		return nil
	}
	if used, err := s.cfg.Store.UseAhead(lasting, r.study, rater); err != nil {
		s.log.Warn("what was chosen ahead cannot be read", "study", r.name, "error", err)
	} else if used && r.study.Ready(rater) {
		s.metrics.shared.add(1)
	}
	return nil
}

// looking is how long a rater is taken to look at a question.
const looking = time.Minute

// crowded reports whether other raters are looking at questions. Then nothing is worth choosing ahead: it is
// good for a log in which this rater's answer is the next event, and theirs will come between.
func (r *running) crowded(rater string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for other, q := range r.book.open {
		if other != rater && now.Sub(q.time) < looking {
			return true
		}
	}
	return false
}
