package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/live/internal/work"
)

// moment is what an ask needs to know of the index, as it is after event seq.
type moment struct {
	situation
	seq      int
	has      bool            // the rater has a question open, and asks for no other
	check    *prefer.Request // that is due, or nil
	blindDue bool            // a blind duel is asked for, or belongs to the rater's end
}

// moment collects what an ask needs under the lock.
func (r *Study) moment(x *index, a Ask) moment {
	m := moment{situation: r.situationAt(x, a.Rater, r.studies.cfg.Now()), seq: x.seq, blindDue: r.blindDue(x, a)}
	m.has = m.open && !a.another
	m.check = r.check(x, a, m.has)
	return m
}

// search is an ask under way, for which a rater waits. Its context ends with the request, the study or Studies.Close; inTime ends with it, or when the time for a
// search is over.
type search struct {
	context.Context
	inTime context.Context
	*Study
	ask  Ask
	at   moment
	stop []func() // what ends with it, the last first
}

// begin begins a search. The caller ends it.
func (r *Study) begin(ctx context.Context, a Ask) *search {
	ctx, gone := both(ctx, r.gone)
	ctx, closed := both(ctx, r.studies.closing)
	inTime, late := context.WithCancel(ctx)
	if within := cmp.Or(a.Within, r.studies.cfg.Budget); within >= 0 {
		late()
		inTime, late = context.WithTimeout(ctx, within)
	}
	return &search{Context: ctx, inTime: inTime, Study: r, ask: a, stop: []func(){gone, closed, late}}
}

func (w *search) end() {
	for _, stop := range slices.Backward(w.stop) {
		stop()
	}
}

// look takes in the index as it is now.
func (w *search) look() { w.Study.look(func(x *index) { w.at = w.moment(x, w.ask) }) }

// question returns the rater's open question, or asks one. at is what the caller knows, or nil.
func (r *Study) question(ctx context.Context, a Ask, at *moment) (Question, error) {
	if err := r.mayChange(a.Owner); err != nil {
		return Question{}, err
	}
	w := r.begin(ctx, a)
	defer w.end()
	if at != nil {
		w.at = *at
	} else {
		w.look()
	}
	if q, ok, err := w.blind(); ok || err != nil {
		return q, err
	}
	q, from, err := w.find()
	if err != nil {
		return Question{}, err
	}
	var out Question
	var stale bool
	var then followUp
	r.look(func(x *index) {
		out, stale, then = r.poseAt(x, q, a.Owner), r.staleAt(x, a.Rater, w.at.others), r.followUp(x, a.Rater)
	})
	if !w.at.has {
		if from.Add(1); q.Partial {
			r.studies.Counters.Partial.Add(1)
		}
		r.notify("asked")
	}
	r.afterQuestion(a.Rater)
	if stale { // not known yet, or a restart forgot it
		r.follow(then)
	}
	if a.Owner {
		start := time.Now()
		out.Why = r.why(w.inTime, q, out.Swapped)
		work.Timing(w).Since("fit", start)
	}
	return out, nil
}

// plain reports whether the study may ask what it likes.
func (a Ask) plain() bool { return a.Hold == nil && !a.HoldBest && !a.Blind && len(a.Fixed) == 0 }

// find asks the rater's next question: from the stock in a crowd, chosen ahead, or searched for. from counts questions found that way.
func (w *search) find() (q prefer.Question, from *atomic.Int64, err error) {
	s, a, at := w.studies, w.ask, w.at
	if at.others >= crowd && a.plain() && at.check == nil && !at.open && w.Config.People != prefer.PerRater && !s.processors.Idle() {
		q, stocked, err := w.askStocked()
		if stocked || err != nil {
			return q, &s.Counters.StockHits, err
		}
		if a.Within == 0 && errors.Is(w.inTime.Err(), context.DeadlineExceeded) { // a search now would be cut short at once, and be in the way of the next stock
			s.Counters.TooLate.Add(1)
			return q, nil, refuse(TooLate, "the server is busy, and no question was found in time; try again in a moment")
		}
	}
	if !at.has && !(a.plain() && at.fresh && w.ready()) {
		release, err := w.acquire()
		if err != nil {
			return q, nil, err
		}
		w.stop = append(w.stop, release)
		if w.Seq() != at.seq { // others came while it waited
			w.look()
		}
	}
	return w.choose()
}

// ready reports whether the rater's next question has been chosen ahead, by this process or by another one.
func (w *search) ready() bool {
	s, rater := w.studies, w.ask.Rater
	if w.host().Ready(rater) {
		return true
	}
	detachedCtx, stop := detached(w)
	defer stop()
	used, err := s.store.UseAhead(detachedCtx, w.Study.Study, rater)
	if err != nil {
		s.log.Warn("what was chosen ahead cannot be read", "study", w.Name, "error", err)
	}
	if !used || !w.host().Ready(rater) {
		return false
	}
	s.Counters.Shared.Add(1)
	return true
}

// choose asks a question that is not from the stock: a check if one is due, one that was chosen ahead, or the best that the search finds.
func (w *search) choose() (q prefer.Question, from *atomic.Int64, err error) {
	a, has := w.ask, w.at.has
	from = &w.studies.Counters.Misses
	request, ready := prefer.Request{Rater: a.Rater, Fixed: a.Fixed, Hold: a.Hold, Another: a.another}, false
	if w.at.check != nil {
		request = *w.at.check
	} else if a.plain() && !has && w.host().Ready(a.Rater) {
		from, ready = &w.studies.Counters.Hits, true
	}
	if nobody := a.Rater == "" && w.Config.People == prefer.PerRater; !has && !ready && (a.HoldBest || nobody) { // a rater without a utility is told so
		belief, err := w.Study.Study.Belief(w.inTime, prefer.Look{Rater: w.Utility(a.Rater), Fixed: w.Config.Space.Context(a.Fixed)})
		if err == nil {
			err = belief.Find(w.inTime)
		}
		if late := err != nil && w.inTime.Err() != nil && w.Err() == nil; late && !a.HoldBest {
			err = nil
		} else if late {
			err = invalid("hold_best", true, "the best option was not known in time: allow a longer budget_ms")
		}
		if err != nil {
			return q, from, err
		}
		if a.HoldBest {
			request.Hold = belief.Best()
		}
	}
	q, err = w.put(request)
	return q, from, err
}

// put asks what is requested. If answers of other processes came between, With repeats the ask, and the study still has the question it chose.
func (w *search) put(request prefer.Request) (prefer.Question, error) {
	defer work.Timing(w).Since("search", time.Now())
	if end, ok := w.inTime.Deadline(); ok {
		request.Within = max(1, time.Until(end))
	}
	return w.Study.Study.Ask(w, request)
}

// acquire waits for the study, a processor and the lease among processes. After half of the time for a search it goes on without the lease: the log decides.
func (w *search) acquire() (release func(), err error) {
	defer work.Timing(w).Since("queue", time.Now())
	s := w.studies
	var held []func()
	release = func() {
		for _, give := range slices.Backward(held) {
			give()
		}
	}
	select {
	case w.searching <- struct{}{}:
		held = append(held, func() { <-w.searching })
	case <-w.inTime.Done():
	}
	if s.processors.Take(w.inTime, false) {
		held = append(held, s.processors.Give)
	}
	wait := 100 * time.Millisecond // at least
	if end, ok := w.inTime.Deadline(); ok {
		wait = max(wait, time.Until(end)/2)
	}
	leasing, stop := context.WithTimeout(context.WithoutCancel(w), wait)
	defer stop()
	if back, err := s.store.Lease(leasing, w.Study.Study); err == nil {
		held = append(held, back)
	} else {
		s.Counters.OutOfTurn.Add(1)
	}
	detachedCtx, stop := detached(w)
	defer stop()
	_, ok, err := s.store.Follow(detachedCtx, w.Study.Study)
	if err == nil && !ok { // it must be opened again
		err = fmt.Errorf("live: study %q has another past: %w", w.Name, prefer.ErrConflict)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// BlindQuestions is how many blind duels make a check: four strong rivals and four random ones. A pick that wins seven has the interval [0.53, 0.98] and holds;
// a coin does that in 3.5 % of checks, a pick that wins nine times in ten in 81 % (docs/guides/page.md).
const BlindQuestions = 8

// blind returns the open blind duel of the rater, or asks one; ok is false if none is due, or if at the rater's end there is no pick or no rival.
func (w *search) blind() (out Question, ok bool, err error) {
	if !w.at.blindDue {
		return out, false, nil
	}
	release, err := w.acquire()
	if err != nil {
		return out, false, err
	}
	defer release()
	before := w.Seq()
	q, err := w.put(prefer.Request{Rater: w.ask.Rater, Fixed: w.ask.Fixed, Blind: true, Another: w.ask.another})
	if err != nil {
		if code := errcode.Of(err); !w.ask.Blind && (code == "no_pick" || code == "no_rival") {
			err = nil
		}
		return out, false, err
	}
	if out = w.pose(q, w.ask.Owner); out.Seq > before {
		w.notify("asked")
	}
	return out, true, nil
}
