package server

import (
	"context"
	"time"

	"github.com/prefer-bo/prefer"
)

// While the processors have other work a crowd of this many others is served from a stock of a few questions that
// one search has found. It is renewed when of the fresh ones, with at most this many answers since, one is left;
// the others may be asked until every one of the crowd has answered since. docs/speed.md says what that costs
// the study.
const (
	crowd      = 4
	stockSize  = 5
	stockLow   = 1
	stockFresh = 4
)

// crowdOf returns how many others there are if a rater who asks is in a crowd, has no question, may be asked
// anything and would have to wait for a search, else 0. Several questions for one rater are no crowd: nobody
// answers between them.
func (s *Server) crowdOf(r *running, rater string, plain bool) int {
	others := r.others(rater, s.cfg.Now())
	if !plain || others < crowd || r.cfg.People == prefer.PerRater || base(rater) != rater || s.slots.idle() {
		return 0
	}
	r.look(func(k *book) {
		if _, due := k.check(r.settings.Checks, rater); due || k.open[rater] != nil {
			others = 0
		}
	})
	return others
}

// askStocked asks a question in stock, if there is one, and has the stock renewed when it runs low.
func (s *Server) askStocked(ctx context.Context, r *running, rater string, others int) (q prefer.Question, ok bool, err error) {
	if others == 0 {
		return q, false, nil
	}
	lasting, stop := lasting(ctx)
	defer stop()
	q, ok, err = r.study.AskStocked(lasting, rater, others)
	low := func() bool { return r.study.Stocked(stockFresh) <= stockLow }
	if !ok || !low() {
		return q, ok, err
	}
	s.behind.hurry("stock "+r.name, func(ctx context.Context) {
		if !low() || !s.slots.take(ctx, false) { // soon all of the crowd will wait for it
			return
		}
		defer s.slots.give()
		if err := s.renew(ctx, r); err != nil {
			s.log.Warn("nothing in stock", "study", r.name, "error", err)
		}
	})
	return q, ok, err
}

// renew chooses questions for the stock.
func (s *Server) renew(ctx context.Context, r *running) error {
	n, err := r.study.Stock(ctx, stockSize)
	s.metrics.prefetched.add(n)
	return err
}

// askInCrowd is askStocked for a request that has its turn: what it searches for is for others, too.
func (s *Server) askInCrowd(ctx, patient context.Context, r *running, rater string, others int) (q prefer.Question, ok bool, err error) {
	if others == 0 {
		return q, false, nil
	}
	if q, ok, err = s.askStocked(ctx, r, rater, others); ok || err != nil || r.study.Stocked(others) > 0 { // it came in while this one waited
		return q, ok, err
	}
	start := time.Now()
	if err := s.renew(patient, r); err != nil {
		return q, false, err
	}
	timing(ctx).add("search", time.Since(start))
	return s.askStocked(ctx, r, rater, others)
}
