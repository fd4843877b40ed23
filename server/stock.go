package server

import (
	"context"
	"time"

	"github.com/prefer-bo/prefer"
)

// While the processors have other work a crowd of this many others is served from a stock of questions that one
// search has found: half as many as there are others, at least stockSize. It is renewed when of the fresh ones, with
// fewer answers since than there were questions, stockLow are left; older ones may be asked until every one of the
// crowd has answered since. docs/speed.md says what that costs the study.
const (
	crowd     = 4
	stockSize = 5
	stockLow  = 2
)

// maxRenewals is how many renewals one request waits for: others may be quicker and leave nothing of the first.
const maxRenewals = 3

// renewal is a search for the stock of a study, waiting for a processor or under way.
type renewal struct {
	calm context.Context // ends when somebody waits for it
	want context.CancelFunc
	done chan struct{} // closed at its end
}

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

// askStocked asks a rater in a crowd a question in stock. When there is none it waits for the renewal; when few are
// left it has one begun. Where ok is false there is nothing in stock for her, or was not in time.
func (s *Server) askStocked(ctx, patient context.Context, r *running, rater string, others int) (q prefer.Question, ok bool, err error) {
	if others == 0 {
		return q, false, nil
	}
	lasting, stop := lasting(ctx)
	defer stop()
	start := time.Now()
	defer func() { timing(ctx).add("stock", time.Since(start)) }()
	size := max(stockSize, others/2)
	for try := 0; ; try++ {
		q, ok, err = r.study.Host().AskStocked(lasting, rater, others)
		if ok && r.study.Host().Stocked(size-1) <= stockLow {
			s.renew(r, size)
		}
		if ok || err != nil || try == maxRenewals || r.study.Host().Stocked(others) > 0 { // not for her
			return q, ok, err
		}
		n := s.renew(r, size)
		if n == nil {
			return q, false, nil
		}
		s.metrics.stockWaits.add(1)
		n.want()
		select {
		case <-n.done:
		case <-patient.Done():
			return q, false, nil
		}
	}
}

// renew has the stock of a study renewed and returns the renewal, which may have begun before; nil if the server
// closes. It leaves a processor free until somebody waits for it.
func (s *Server) renew(r *running, size int) *renewal {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.renewal != nil {
		return r.renewal
	}
	n := &renewal{done: make(chan struct{})}
	n.calm, n.want = context.WithCancel(context.Background())
	begun := s.behind.begin(func(ctx context.Context) {
		defer close(n.done)
		defer func() {
			r.mu.Lock()
			r.renewal = nil
			r.mu.Unlock()
		}()
		defer context.AfterFunc(ctx, n.want)()
		defer n.want()
		if !s.slots.take(n.calm, true) && !s.slots.take(ctx, false) {
			return
		}
		defer s.slots.give()
		made, err := r.study.Host().Stock(ctx, size)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("nothing in stock", "study", r.name, "error", err)
		}
		s.metrics.stocked.add(made)
	})
	if !begun {
		n.want()
		return nil
	}
	r.renewal = n
	return n
}
