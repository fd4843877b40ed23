package live

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live/internal/work"
	"github.com/prefer-bo/prefer/space"
)

// afterQuestion chooses in the background what comes next, for every answer of the rater; not while others answer, whose answers would outdate it.
func (r *Study) afterQuestion(rater string) {
	s := r.studies
	s.background.Add("ahead "+r.Name+"\x00"+rater, func(ctx context.Context) {
		ctx, stop := both(ctx, r.gone)
		defer stop()
		r.ahead.Store(&stop)
		defer r.ahead.CompareAndSwap(&stop, nil)
		if r.situation(rater, s.cfg.Now()).others > 0 || !s.processors.Take(ctx, true) {
			return
		}
		defer s.processors.Give()
		n, err := r.host().Prefetch(ctx, rater)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("nothing chosen ahead", "study", r.Name, "error", err)
			return
		}
		s.Counters.Prefetched.Add(int64(n))
		if n == 0 {
			return
		}
		if err := s.store.KeepAhead(ctx, r.Study, rater); err != nil && ctx.Err() == nil {
			s.log.Warn("what was chosen ahead is not shared", "study", r.Name, "error", err)
		}
	})
}

// While the processors have other work a crowd of this many others is served from a stock of questions that one search has found: half as many as there are
// others, at least stockSize. It is renewed when of the fresh ones, with fewer answers since than there were questions, stockLow are left; older ones may be
// asked until every one of the crowd has answered since. While the processors are pressed it has one for each of the others, and is renewed when half of
// these are left: fewer searches, for worse questions. docs/dev/experiments.md says what old questions cost the study.
const (
	crowd     = 4
	stockSize = 5
	stockLow  = 2
)

// stocks returns how many questions the stock for a crowd is to have, and how many are left when it is renewed; pressed says that processors lack.
func stocks(others int, pressed bool) (size, low int) {
	if size = max(stockSize, others/2); pressed {
		size = max(size, others)
		return size, size / 2
	}
	return size, stockLow
}

// renewal is a search for the stock of a study, waiting for a processor or under way.
type renewal struct {
	calm context.Context // ends when somebody waits for it
	want context.CancelFunc
	done chan struct{} // closed at its end
}

// askStocked asks the rater, one of a crowd, a question in stock. It waits for a renewal if there is none, and begins one when few are left. ok is false if
// there is none in time.
func (w *search) askStocked() (q prefer.Question, ok bool, err error) {
	s, rater, others := w.studies, w.ask.Rater, w.at.others
	detachedCtx, stop := detached(w)
	defer stop()
	defer work.Timing(w).Since("stock", time.Now())
	size, low := stocks(others, s.processors.Pressed())
	for try := 0; ; try++ {
		q, ok, err = w.host().AskStocked(detachedCtx, rater, others)
		if ok && w.host().Stocked(size-1) <= low {
			w.renew(size)
		}
		if ok || err != nil || try == 3 || w.host().Stocked(others) > 0 { // others were quicker three times, or what there is is not for this rater
			return q, ok, err
		}
		n := w.renew(size)
		if n == nil {
			return q, false, nil
		}
		s.Counters.StockWaits.Add(1)
		n.want()
		select {
		case <-n.done:
		case <-w.inTime.Done():
			if errors.Is(w.inTime.Err(), context.DeadlineExceeded) {
				s.processors.TooLate()
			}
			return q, false, nil
		}
	}
}

// renew has the stock of a study renewed and returns the renewal, which may have begun before; nil while Studies closes.
func (r *Study) renew(size int) *renewal {
	s := r.studies
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.renewal != nil {
		return r.renewal
	}
	n := &renewal{done: make(chan struct{})}
	n.calm, n.want = context.WithCancel(context.Background())
	begun := s.background.Begin("stock "+r.Name, func(ctx context.Context) {
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
		if !s.processors.Take(n.calm, true) && !s.processors.Take(ctx, false) {
			return
		}
		defer s.processors.Give()
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

// Ahead is what may be shown to a rater after the next answer.
type Ahead struct {
	Options []Shown `json:"options"` // each once, in no order that tells which answer leads to which
	All     bool    `json:"all"`     // no more will be known before the answer
}

// Ahead returns what may be shown to a rater after the next answer, as far as it is chosen; only to the owner where there are hidden checks.
func (r *Study) Ahead(rater string, owner bool) Ahead {
	hidden := r.Settings.Checks.RepeatRate > 0 || len(r.Settings.Checks.Catch) > 0
	if hidden && !owner || r.situation(rater, r.studies.cfg.Now()).others > 0 { // beside others nothing is chosen ahead
		return Ahead{Options: []Shown{}, All: true}
	}
	next, all := r.host().Ahead(rater)
	out := Ahead{Options: []Shown{}, All: all}
	seen := map[string]bool{}
	r.look(func(x *index) {
		for _, q := range next {
			for _, o := range []space.Option{q.First, q.Second} {
				if name := o.String(); !seen[name] {
					seen[name] = true
					out.Options = append(out.Options, r.shown(x, "", o))
				}
			}
		}
	})
	slices.SortFunc(out.Options, func(a, b Shown) int { return strings.Compare(a.name(), b.name()) })
	return out
}

// name is what tells an option from others.
func (o Shown) name() string {
	if o.Item != nil {
		return o.Item.ID
	}
	return o.Params.String()
}
