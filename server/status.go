package server

import (
	"context"

	"github.com/prefer-bo/prefer"
)

// utilityOf returns the rater whose utility a question is about: her own in a study per rater, else
// everybody's.
func (r *running) utilityOf(rater string) string {
	if r.cfg.People == prefer.PerRater {
		return rater
	}
	return ""
}

// statusLocked returns where the study stands as far as is known. The caller holds mu.
func (r *running) statusLocked(rater string) Status {
	of := r.utilityOf(rater)
	st, ok := r.statuses[of]
	if !ok {
		st = Status{Verdict: string(prefer.KeepGoing), Sentence: "keep going: too early to say how far it is"}
	}
	st.Answers = r.countLocked(of)
	return st
}

// countLocked returns the number of answers about a utility that stand.
func (r *running) countLocked(of string) int {
	if of == "" {
		return r.book.standing
	}
	return len(r.book.said[of])
}

func (r *running) status(rater string) Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readLocked()
	return r.statusLocked(rater)
}

// verdict computes the verdict and remembers it as the status.
func (s *Server) verdict(ctx context.Context, r *running, rater string) (prefer.Verdict, error) {
	of := r.utilityOf(rater)
	var at int
	r.look(func(*book) { at = r.countLocked(of) })
	v, err := r.study.Verdict(ctx, of)
	if err != nil {
		return v, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses[of] = Status{Verdict: string(v.Kind), Confidence: v.Best.Confidence, Left: [2]int{v.Left.Low, v.Left.High}, At: at, Sentence: v.Sentence}
	return v, nil
}

// afterAnswer does in the background what follows from an answer: the verdict, and now and then a snapshot.
func (s *Server) afterAnswer(r *running, rater string) {
	of := r.utilityOf(rater)
	s.behind.add("verdict "+r.name+"\x00"+of, func(ctx context.Context) {
		var stale bool
		others := r.others(rater, s.cfg.Now())
		r.look(func(*book) {
			st, ok := r.statuses[of]
			n := r.countLocked(of)
			behind := behindCrowd(others > 0, n)
			if others >= crowd && of == "" {
				behind = max(n/4, 2*others)
			}
			stale = !ok || st.At > n || n-st.At > behind
		})
		if !stale || !s.slots.take(ctx, true) {
			return
		}
		defer s.slots.give()
		if _, err := s.verdict(ctx, r, rater); err != nil && ctx.Err() == nil {
			s.log.Warn("no verdict", "study", r.name, "error", err)
			return
		}
		s.bell.ring(r.name, r.end(), "verdict")
	})
	var due bool
	r.look(func(b *book) {
		if due = b.standing >= r.kept+snapshotEvery; due {
			r.kept = b.standing
		}
	})
	if due {
		s.behind.add("snapshot "+r.name, func(ctx context.Context) {
			_ = s.putAway(ctx, r)
			s.studies.trim(ctx)
		})
	}
}

// behindCrowd returns how many answers a verdict may be behind. It costs more than all else that an answer
// does; of one among many in a crowd nobody waits for it.
func behindCrowd(crowded bool, answers int) int {
	if !crowded {
		return 0
	}
	return answers / 10
}

// afterQuestion chooses in the background what comes next, for every answer the rater may give. It is of use
// only if her answer is the next thing that happens, so while others answer, too, nothing is chosen.
func (s *Server) afterQuestion(r *running, rater string) {
	s.behind.add("ahead "+r.name+"\x00"+rater, func(ctx context.Context) {
		if r.crowded(rater, s.cfg.Now()) || !s.slots.take(ctx, true) {
			return
		}
		defer s.slots.give()
		n, err := r.study.Host().Prefetch(ctx, rater)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("nothing chosen ahead", "study", r.name, "error", err)
			return
		}
		s.metrics.prefetched.add(n)
		if n == 0 {
			return
		}
		if err := s.cfg.Store.KeepAhead(ctx, r.study, rater); err != nil && ctx.Err() == nil {
			s.log.Warn("what was chosen ahead is not shared", "study", r.name, "error", err)
		}
	})
}

// end returns the number of the last event.
func (r *running) end() int {
	var seq int
	r.look(func(b *book) { seq = b.seq })
	return seq
}
