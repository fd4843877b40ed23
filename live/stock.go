package live

import (
	"context"
	"errors"
	"time"

	"github.com/prefer-bo/prefer"
)

// While the processors have other work a crowd of this many others is served from a stock of questions that one search has found: half as many as there are
// others, at least stockSize. It is renewed when of the fresh ones, with fewer answers since than there were questions, stockLow are left; older ones may be
// asked until every one of the crowd has answered since. While the processors are pressed it has one for each of the others, and is renewed when half of
// these are left: fewer searches, for worse questions. docs/speed.md says what that costs the study.
const (
	crowd     = 4
	stockSize = 5
	stockLow  = 2
)

// stocks returns how many questions the stock for a crowd is to have, and how many are left when it is renewed.
func (s *Studies) stocks(others int) (size, low int) {
	if size = max(stockSize, others/2); s.processors.pressed() {
		size = max(size, others)
		return size, size / 2
	}
	return size, stockLow
}

// maxRenewals is how many renewals one request waits for: others may be quicker and leave nothing of the first.
const maxRenewals = 3

// renewal is a search for the stock of a study, waiting for a processor or under way.
type renewal struct {
	calm context.Context // ends when somebody waits for it
	want context.CancelFunc
	done chan struct{} // closed at its end
}

// askStocked asks a rater in a crowd a question in stock, waits for the renewal when there is none, and begins one when few are left. ok is false if there is
// none in time.
func (s *Studies) askStocked(w waiting, r *Study, rater string, others int) (q prefer.Question, ok bool, err error) {
	lasting, stop := lasting(w)
	defer stop()
	defer timing(w).since("stock", time.Now())
	size, low := s.stocks(others)
	for try := 0; ; try++ {
		q, ok, err = r.host().AskStocked(lasting, rater, others)
		if ok && r.host().Stocked(size-1) <= low {
			s.renew(r, size)
		}
		if ok || err != nil || try == maxRenewals || r.host().Stocked(others) > 0 { // not for her
			return q, ok, err
		}
		n := s.renew(r, size)
		if n == nil {
			return q, false, nil
		}
		s.Counters.StockWaits.Add(1)
		n.want()
		select {
		case <-n.done:
		case <-w.search.Done():
			if errors.Is(w.search.Err(), context.DeadlineExceeded) {
				s.processors.tooLate()
			}
			return q, false, nil
		}
	}
}

// renew has the stock of a study renewed and returns the renewal, which may have begun before; nil if the room closes.
func (s *Studies) renew(r *Study, size int) *renewal {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.renewal != nil {
		return r.renewal
	}
	n := &renewal{done: make(chan struct{})}
	n.calm, n.want = context.WithCancel(context.Background())
	begun := s.background.begin("stock "+r.Name, func(ctx context.Context) {
		defer close(n.done)
		defer func() {
			r.mu.Lock()
			r.renewal = nil
			r.mu.Unlock()
		}()
		ctx, stop := both(ctx, r.gone)
		defer stop()
		defer context.AfterFunc(ctx, n.want)()
		defer n.want()
		if !s.processors.take(n.calm, true) && !s.processors.take(ctx, false) {
			return
		}
		defer s.processors.give()
		made, err := r.host().Stock(ctx, size)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("nothing in stock", "study", r.Name, "error", err)
		}
		s.Counters.Stocked.Add(int64(made))
	})
	if !begun {
		n.want()
		return nil
	}
	r.renewal = n
	return n
}
