package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// Config describes a run. All but Fixed, Beyond, MaxCost, Cost and the functions is needed.
type Config struct {
	Studies *live.Studies
	Study   string
	Judges  []Judge

	Fixed    space.Option  // the value of every context of the study
	Parallel int           // questions judged at a time, by all judges together, at most MaxParallel
	Budget   int           // questions for the judges, answered or not, hidden repeats and earlier runs included
	Beyond   bool          // goes on to the budget whatever the verdict
	MaxCost  float64       // ends the run when the calls have cost so much, earlier runs included; calls under way are finished. 0 for no such end
	Cost     float64       // of a call whose judge does not say
	Timeout  time.Duration // of a call
	Retries  int           // of a failed call before the question is skipped
	Backoff  time.Duration // before the first retry, twice as long before each further one, up to half a minute
	GiveUp   int           // ends the run with an error when so many calls in a row of one judge failed
	Repeats  float64       // share of a judge's questions that repeat an earlier one, sides exchanged, beside the study's own checks

	Media    func(string) string                        // finds the file of an item by its name; nil: the name is given as it is
	Progress func(Progress)                             // if not nil, hears of every question that is done, one call at a time
	Sleep    func(context.Context, time.Duration) error // waits between tries; waits by default
}

// MaxParallel is how many questions can be judged at a time: each that is open takes its part in the choice of the next.
const MaxParallel = 64

// grace is how long calls at hand may go on when a run is stopped.
const grace = 3 * time.Second

// Progress is how far a run is.
type Progress struct {
	Done, Budget int
	Cost         float64
	Failures     int // failed calls of this run
	Last         Reason
	LastError    error
}

// Ended says why a run is over.
type Ended string

const (
	Verdict  Ended = "verdict"
	AtBudget Ended = "budget"
	AtCost   Ended = "max_cost"
	Stopped  Ended = "stopped"
	GaveUp   Ended = "gave_up"
)

type run struct {
	Config
	answers prefer.Answers
	minimum time.Duration // that an answer must take
	items   map[string]space.Item
	begin   time.Time

	calls context.Context // ends a little after the run is stopped
	wake  chan struct{}   // something has happened

	mu      sync.Mutex
	judges  map[string]*counts // by name
	done    int                // questions of the judges that are answered
	spent   float64
	last    *Failure
	looking bool
	verdict prefer.Verdict
	err     error
}

// counts are what a run counts for one judge.
type counts struct {
	open                    map[prefer.QuestionID]bool // what is being judged
	done                    int                        // questions that are answered, earlier runs included
	calls, failures, inARow int
}

// Run has the judges answer until the study has a verdict, the budget or the cost is reached, or ctx ends; then it lets calls at hand end
// and says what came of it. A judge that fails again and again, or is no program, ends it with an error; the result is told all the same.
func Run(ctx context.Context, c Config) (Result, error) {
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	calls, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(grace, func() { stop(context.Cause(ctx)) })
	})()
	r := &run{Config: c, begin: time.Now(), calls: calls, wake: make(chan struct{}, 1),
		judges: xslices.ToMap(c.Judges, func(j Judge) (string, *counts) { return j.Name, &counts{open: map[prefer.QuestionID]bool{}} })}
	err := c.Studies.With(ctx, c.Study, func(s *live.Study) error {
		if s.Config.People == prefer.PerRater {
			return &prefer.Error{Code: "per_rater", Field: "people", Value: prefer.PerRater, Err: prefer.ErrInvalid,
				Detail: fmt.Sprintf("in study %q everybody has their own utility (people: per_rater): judges answer for one that all share", c.Study)}
		}
		r.answers, r.minimum = s.Config.Answers, time.Duration(s.Settings.Checks.MinRT)*time.Millisecond
		r.items = xslices.ToMap(s.Study.Items(true), func(it space.Item) (string, space.Item) { return it.ID, it })
		for _, j := range r.judges {
			j.done = 0
		}
		r.done, r.spent = r.soFar(s.Study, func(e prefer.Entry) { r.judges[e.Rater].done++ })
		return nil
	})
	if err == nil {
		err = r.look(ctx) // it may be over before anybody is called
	}
	if err != nil {
		return Result{}, err
	}
	ended, err := r.loop(ctx)
	result, failure := r.result(context.WithoutCancel(ctx), ended)
	return result, errors.Join(err, failure)
}

// loop asks and has answered until it is over, and waits for what is at hand.
func (r *run) loop(ctx context.Context) (ended Ended, err error) {
	var workers sync.WaitGroup
	for {
		var busy bool
		ended, busy, err = r.over(ctx, ended)
		if ended != "" && !busy {
			if ended == Verdict && err == nil { // answers that were under way may have undone it
				if err = r.look(context.WithoutCancel(ctx)); err == nil && !r.verdict.Kind.Done() && ctx.Err() == nil {
					ended = ""
					continue
				}
			}
			break
		}
		if ended == "" && r.free() {
			var judge Judge
			var q live.Question
			var ok bool
			err := r.patient(ctx, func() (err error) { judge, q, ok, err = r.next(ctx); return err })
			if err != nil && ctx.Err() == nil {
				r.stop(err)
			}
			if ok {
				workers.Go(func() {
					r.put(ctx, judge, q)
					r.signal()
				})
			}
			continue // another was answered meanwhile, or an error is to be told
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			if !busy {
				continue
			}
			<-r.wake // what is at hand ends by itself, or a little later
		}
	}
	workers.Wait()
	return ended, err
}

func (r *run) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// unkept is how often the store is tried that cannot keep or tell something in time: a disk or a database that is slow for a while ends no run.
const unkept = 5

// patient does something with the store, again where that was not to be had in time. Answers have keys: told twice they are told once.
func (r *run) patient(ctx context.Context, do func() error) (err error) {
	for try := range unkept {
		err = do()
		late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, store.ErrUnavailable)
		if !late || ctx.Err() != nil || sleep(ctx, time.Second<<try) != nil {
			break
		}
	}
	return err
}

func (r *run) stop(err error) {
	r.mu.Lock()
	r.err = cmp.Or(r.err, err)
	r.mu.Unlock()
	r.signal()
}

// over returns why nothing more is to be asked, if that is so, and whether something is still at hand.
func (r *run) over(ctx context.Context, was Ended) (ended Ended, busy bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	busy = r.atHand() > 0 || r.looking
	switch {
	case r.err != nil:
		ended = GaveUp
	case ctx.Err() != nil:
		ended = Stopped
	case was != "":
		ended = was
	case r.verdict.Kind.Done() && !r.Beyond && r.heard():
		ended = Verdict
	case r.done >= r.Budget:
		ended = AtBudget
	case r.MaxCost > 0 && r.spent >= r.MaxCost:
		ended = AtCost
	}
	return ended, busy, r.err
}

// leastHeard is how many questions tell whether a judge follows the order of the options: fewer show it of nobody.
const leastHeard = 10

// heard reports whether all judges have answered enough for a verdict to rest on them, or none has. The caller holds mu.
func (r *run) heard() bool {
	for _, j := range r.judges {
		if j.done > 0 && j.done < leastHeard {
			return false
		}
	}
	return true
}

func (r *run) atHand() (n int) {
	for _, j := range r.judges {
		n += len(j.open)
	}
	return n
}

func (r *run) free() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.atHand()
	return at < r.Parallel && r.done+at < r.Budget
}

const within = 2 * time.Second

// next asks the judge who was asked least. A question that is open from an earlier run comes first.
func (r *run) next(ctx context.Context) (Judge, live.Question, bool, error) {
	r.mu.Lock()
	asked := func(j Judge) int { return r.judges[j.Name].done + len(r.judges[j.Name].open) }
	judge := slices.MinFunc(r.Judges, func(a, b Judge) int { return cmp.Compare(asked(a), asked(b)) })
	at := r.judges[judge.Name]
	n := len(at.open)
	r.mu.Unlock()
	ask := live.Ask{Rater: judge.Name, Owner: true, Fixed: r.Fixed, Within: within, Repeats: r.Repeats}
	qs, err := r.Studies.AskSeveral(ctx, r.Study, ask, n+1)
	if err != nil {
		return judge, live.Question{}, false, err
	}
	r.mu.Lock()
	atHand := maps.Clone(at.open) // before the store is read: what leaves this set later was answered, or given up, after that
	r.mu.Unlock()
	waits, err := live.In(ctx, r.Studies, r.Study, func(s *live.Study) ([]prefer.Question, error) { return s.Study.OpenQuestions(judge.Name), nil })
	for _, q := range qs {
		id := q.Asked.ID
		open := slices.ContainsFunc(waits, func(w prefer.Question) bool { return w.ID == id }) // one that was at hand may have been answered since
		if open && !atHand[id] {
			r.mu.Lock()
			at.open[id] = true
			r.mu.Unlock()
			return judge, q, true, err
		}
	}
	return judge, live.Question{}, false, err
}

func (r *run) look(ctx context.Context) error {
	v, err := live.In(ctx, r.Studies, r.Study, func(s *live.Study) (prefer.Verdict, error) { return s.All(ctx, r.Fixed) })
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.verdict = v
	r.mu.Unlock()
	return nil
}

// lookSoon has the verdict worked out beside the calls, unless that is being done or it rests on nearly all answers.
func (r *run) lookSoon(answers int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.looking || answers-r.verdict.Answers <= answers/10 {
		return
	}
	r.looking = true
	go func() {
		err := r.patient(r.calls, func() error { return r.look(r.calls) })
		r.mu.Lock()
		r.looking = false
		r.mu.Unlock()
		if err != nil && r.calls.Err() == nil {
			r.stop(err)
		}
		r.signal()
	}()
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
